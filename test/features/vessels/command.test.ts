import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SlackServices } from '../../../src/features/services.ts';
import { asRead } from '../../support/message-text.ts';
import { slackFaults } from '../../support/slack-faults.ts';
import { createWatchCommands, type WatchCommands } from '../../support/watch-commands.ts';

let commands: WatchCommands;
beforeAll(async () => {
  commands = await createWatchCommands();
});
afterAll(() => commands.close());
beforeEach(() => commands.reset());

async function show(line: string): Promise<string> {
  const message = await commands.show(line);
  expect(slackFaults(message)).toEqual([]);
  return asRead(message);
}

describe('names', () => {
  test('two vessels of the same name are distinguished by their IMO numbers', async () => {
    expect(await show('vessel name 9074729 ds cypress')).toContain(
      "IMO 9461477 has the same name: I'll ask for the number whenever it is typed.",
    );
    expect(await show('nextport ds cypress')).toContain('2 vessels are named DS CYPRESS. Which one?');
  });

  test('names can be listed, exported and forgotten', async () => {
    await show('vessel name 9074729 Emma');
    await show('vessel name 9122485 "=SUM(A1)"');
    await show('vessel fleet NORTH add 9074729');
    expect(await show('vessel')).toContain('| =SUM(A1) | 9122485 | – |\n| EMMA | 9074729 | NORTH |\n');
    expect(await show('vessel export')).toContain("9122485,'=SUM(A1),,\n9074729,EMMA,NORTH,");
    const advice = 'It needs the scope files:write.';
    const slack = { sendFile: async () => ({ isSent: false, advice }) } as unknown as SlackServices;
    const refused = await commands.show('vessel export', { services: { ...commands.ctx.services, slack } });
    expect(asRead(refused)).toContain(`Landfall may not send you a file. ${advice}`);
    expect(await show('vessel forget emma')).toContain('Forgotten: EMMA (9074729)');
    expect(await show('vessel forget 9074729')).toContain('IMO 9074729 has no name here.');
  });

  test('a hundred names are shown page by page, and exported', async () => {
    for (let index = 0, imo = 9_300_000; index < 100; imo += 1) {
      const answer = await commands.show(`vessel name ${imo} SHIP ${index}`);
      if (answer.text.includes('is now called')) index += 1;
    }
    expect(await show('vessel list')).toContain('1–40 of 100 shown');
    expect(await show('vessel list page 3')).toContain('81–100 of 100 shown');
    expect(await show('vessel export')).toContain('*100 names as CSV*');
  });

  test.each([
    'vessel name 9461478 X',
    'vessel name 9461477',
    'vessel name 9461477 12',
    `vessel name 9461477 ${'X'.repeat(61)}`,
    'vessel name 9461477 list:X',
    'vessel sink 9461477',
    'vessel forget nobody',
  ])('%s is refused', async (line) => {
    expect(await show(line)).toMatchSnapshot();
    expect(await show('vessel list')).toContain('No vessel has a name here yet');
  });
});

describe('fleets', () => {
  test('can be created, listed, changed and forgotten', async () => {
    expect(await show('vessel fleets')).toContain('No fleets yet');
    await show('vessel fleet North add 9461477, 9755933');
    expect(await show('vessel fleet "north sea" add 9461477')).toContain('nextport fleet:"north sea"');
    expect(await show('vessel fleets')).toContain('| North | 2 |\n| north sea | 1 |\n');
    expect(await show('vessel fleet NORTH')).toContain('*Fleet North, 2 vessels*');
    expect(await show('vessel fleet north remove 9461477')).toContain('1 removed');
    expect(await show('vessel fleet north remove 9755933')).toContain('The fleet North is gone.');
    expect(await show('vessel fleet nrth')).toContain(
      'There is no fleet called “nrth” here.\n[Fleet north sea → vessel fleet "north sea"]',
    );
    const gone = await show('vessel fleet "north sea" forget');
    expect(gone).toContain('The fleet north sea is gone.');
    const [, undo = ''] = /\[Undo → (.*?)\] \[/.exec(gone) ?? [];
    expect(undo).toMatch(/^vessel fleet "north sea" add \d{7}$/);
    expect(await show(undo)).toContain('*Fleet north sea, 1 vessel*');
    expect(await show('vessel fleet "north sea" forget')).toContain('The fleet north sea is gone.');
  });

  test('have at most fifty vessels', async () => {
    const valid = Array.from({ length: 600 }, (_, index) => 9_300_000 + index).filter((imo) => {
      const digits = [...String(imo)].map(Number);
      const sum = digits.slice(0, 6).reduce((total, digit, index) => total + digit * (7 - index), 0);
      return sum % 10 === digits[6];
    });
    for (const from of [0, 20]) await show(`vessel fleet BIG add ${valid.slice(from, from + 20).join(', ')}`);
    expect(await show(`vessel fleet BIG add ${valid.slice(40, 51).join(', ')}`)).toContain(
      "A fleet can have at most 50 vessels; this one would have 51. Nothing was changed. For more, use one of the provider's lists.",
    );
    expect(await show(`vessel fleet BIG add ${valid.slice(40, 50).join(', ')}`)).toContain(
      'Fleet BIG, 50 vessels',
    );
  });
});
