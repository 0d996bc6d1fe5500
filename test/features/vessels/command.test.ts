import { beforeEach, describe, expect, test } from 'vitest';
import type { SlackServices } from '../../../src/features/services.ts';
import { asRead } from '../../support/message-text.ts';
import { slackFaults } from '../../support/slack-faults.ts';
import { useStarted } from '../../support/use-started.ts';
import { createWatchCommands } from '../../support/watch-commands.ts';

const commands = useStarted(createWatchCommands);
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

  test.each([
    'vessel name 9461477 12',
    `vessel name 9461477 ${'X'.repeat(61)}`,
    'vessel name 9461477 list:X',
    'vessel forget nobody',
  ])('%s is refused', async (line) => {
    expect(await show(line)).toMatchSnapshot();
    expect(await show('vessel list')).toContain('No vessel has a name here yet');
  });
});

test('to remove a reference leaves the name', async () => {
  await show('vessel name 9074729 Emma');
  await show('vessel ref 9074729 BK-1, BK-2');
  await show('vessel ref 9122485 BK-3, ACME');
  await show('vessel ref 9461477 ACME');
  expect(await show('vessel remove BK-1')).toContain('BK-1');
  expect(await show('vessel forget ref BK-2')).toContain('BK-2');
  expect(await show('vessel ref 9074729')).not.toMatch(/BK-[12]/);
  expect(await show('vessel list')).toContain('| EMMA | 9074729 |');
  // That of several vessels is asked about.
  const asked = await show('vessel forget ACME');
  expect(asked).toContain('vessel ref 9122485 remove ACME');
  expect(asked).toContain('vessel ref 9461477 remove ACME');
  expect(await show('vessel forget BK-3, Emma')).toContain('What should I remove?');
  expect(await show('vessel list')).toContain('| EMMA | 9074729 |');
});

describe('fleets', () => {
  test('are gone once they are empty; what was forgotten can be restored', async () => {
    await show('vessel fleet "north sea" add 9461477');
    expect(await show('vessel fleet NORTH SEA remove 9461477')).toContain('The fleet north sea is gone.');
    await show('vessel fleet "north sea" add 9461477');
    const gone = await show('vessel fleet "north sea" forget');
    const [, undo = ''] = /\[Undo → (.*?)\] \[/.exec(gone) ?? [];
    expect(undo).toBe('vessel fleet "north sea" add 9461477');
    expect(await show(undo)).toContain('*Fleet north sea, 1 vessel*');
  });

  test('have at most fifty vessels', async () => {
    const valid = Array.from({ length: 600 }, (_, index) => 9_300_000 + index).filter((imo) => {
      const digits = [...String(imo)].map(Number);
      const sum = digits.slice(0, 6).reduce((total, digit, index) => total + digit * (7 - index), 0);
      return sum % 10 === digits[6];
    });
    for (const from of [0, 20]) await show(`vessel fleet BIG add ${valid.slice(from, from + 20).join(', ')}`);
    expect(await show(`vessel fleet BIG add ${valid.slice(40, 51).join(', ')}`)).toContain(
      "A fleet can have at most 50 vessels; this one would have 51. Nothing was changed. For more, use one of the provider's lists: its name works wherever a vessel does, as in list:FEEDERS.",
    );
    expect(await show(`vessel fleet BIG add ${valid.slice(40, 50).join(', ')}`)).toContain(
      'Fleet BIG, 50 vessels',
    );
  });
});
