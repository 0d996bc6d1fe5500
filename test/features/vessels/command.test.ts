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
  test('a new name works everywhere', async () => {
    expect(await show('vessel name 9074729 Emma  Test')).toMatchInlineSnapshot(`
      "text: IMO 9074729 is now called EMMA TEST

      *IMO 9074729 is now called EMMA TEST*
      [Undo → vessel forget 9074729] [Next port → nextport 9074729] [Watch → watch 9074729] [List the names → vessel list]"
    `);
    expect(await show('nextport emma test')).toContain('EMMA TEST');
    const renamed = await show('vessel name 9074729 as "Other"');
    expect(renamed).toContain('It was EMMA TEST before.');
    expect(renamed).toContain('[Undo → vessel name 9074729 EMMA TEST]');
    expect(await show('vessel name 9074729 other')).not.toContain('Undo');
    expect(await show('vessel name other as Third')).toContain('*IMO 9074729 is now called THIRD*');
  });

  test('two vessels of the same name are distinguished by their IMO numbers', async () => {
    expect(await show('vessel name 9074729 ds cypress')).toMatchInlineSnapshot(`
      "text: IMO 9074729 is now called DS CYPRESS. IMO 9461477 has the same name: I'll ask for the number whenever it is typed.

      *IMO 9074729 is now called DS CYPRESS*
      IMO 9461477 has the same name: I'll ask for the number whenever it is typed.
      [Undo → vessel forget 9074729] [Next port → nextport 9074729] [Watch → watch 9074729] [List the names → vessel list]"
    `);
    expect(await show('nextport ds cypress')).toMatchInlineSnapshot(`
      "text: 2 vessels are named DS CYPRESS. Which one? DS CYPRESS (9074729); DS CYPRESS (9461477).

      2 vessels are named DS CYPRESS. Which one?
      [DS CYPRESS (9074729) → nextport 9074729] [DS CYPRESS (9461477) → nextport 9461477]"
    `);
  });

  test('names can be listed, exported and forgotten', async () => {
    expect(await show('vessel list')).toMatchInlineSnapshot(`
      "text: No vessel has a name here yet. For example: \`/vessel name 9461477 DS CYPRESS\`, or share a CSV file with me in a direct message: \`/vessel import\`

      *No vessel has a name here yet*
      For example: \`/vessel name 9461477 DS CYPRESS\`, or share a CSV file with me in a direct message: \`/vessel import\`"
    `);
    await show('vessel name 9074729 Emma');
    await show('vessel name 9122485 "=SUM(A1)"');
    await show('vessel fleet NORTH add 9074729');
    expect(await show('vessel')).toMatchInlineSnapshot(`
      "text: 2 vessels have names here; =SUM(A1) · IMO 9122485; EMMA · IMO 9074729 · NORTH

      *2 vessels have names here*
      (table: Vessels with names, references and fleets)
      | Vessel | IMO | Fleets |
      | =SUM(A1) | 9122485 | – |
      | EMMA | 9074729 | NORTH |
      [Refresh → vessel list] [Export for import → vessel export] [Share → vessel list] [Fleets → vessel fleets] [▾ Export as XLSX → apart:menu vessel list as xlsx | Export as CSV → apart:menu vessel list as csv]"
    `);
    expect(await show('vessel export')).toMatchInlineSnapshot(`
      "text: 2 names as CSV: copy it into a file; share that with me in a direct message to import it again.

      *2 names as CSV*: copy it into a file; share that with me in a direct message to import it again.
      \`\`\`imo,name,fleets,references
      9122485,'=SUM(A1),,
      9074729,EMMA,NORTH,\`\`\`"
    `);
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

  test('vessel import explains how to import a file', async () => {
    expect(await show('vessel import')).toMatchInlineSnapshot(`
      "text: Share a CSV file with me in a direct message, one row per vessel or booking, with its IMO number or its name; The headings say what the columns hold, in any order and the usual spellings. Booking, B/L, customer, shipment, order and reference columns become references; \`fleets\` puts the vessel into fleets. Separate several in a cell with a bar: NORTH | SOUTH. A row without an IMO number is about the vessel of that name, if the name is known here. The answer says which columns and rows were not used, and why; the others are imported. At most 5 MB and 50,000 rows. A workspace can have 20,000 references on 5,000 vessels.

      *Share a CSV file with me in a direct message, one row per vessel or booking*, with its IMO number or its name
      \`\`\`vessel;imo;booking no.;b/l no.;customer
      DS CYPRESS;9461477;BK123;MEDU4711;ACME
      MSC DIANA;;BK124;;\`\`\`
      The headings say what the columns hold, in any order and the usual spellings. Booking, B/L, customer, shipment, order and reference columns become references; \`fleets\` puts the vessel into fleets. Separate several in a cell with a bar: NORTH | SOUTH.
      A row without an IMO number is about the vessel of that name, if the name is known here. The answer says which columns and rows were not used, and why; the others are imported. At most 5 MB and 50,000 rows. A workspace can have 20,000 references on 5,000 vessels."
    `);
  });
});

describe('fleets', () => {
  test('can be created, listed, changed and forgotten', async () => {
    expect(await show('vessel fleets')).toContain('No fleets yet');
    expect(await show('vessel fleet North add 9461477, 9755933')).toMatchInlineSnapshot(`
      "text: Fleet North, 2 vessels; 2 added; DS CYPRESS · IMO 9461477; MSC DIANA · IMO 9755933

      *Fleet North, 2 vessels*
      2 added
      (table: Vessels of the fleet)
      | Vessel | IMO |
      | DS CYPRESS | 9461477 |
      | MSC DIANA | 9755933 |
      [Watch → watch fleet:North] [Next ports → nextport fleet:North] [All fleets → vessel fleets]"
    `);
    expect(await show('vessel fleet "north sea" add 9461477')).toContain('nextport fleet:"north sea"');
    expect(await show('vessel fleets')).toMatchInlineSnapshot(`
      "text: 2 fleets; North · 2 vessels; north sea · 1 vessel

      *2 fleets*
      (table: Fleets)
      | Fleet | Vessels |
      | North | 2 |
      | north sea | 1 |
      Ask for one with \`/nextport fleet:NAME\`; watch it with \`/watch fleet:NAME\`
      [Refresh → vessel fleets] [Share → vessel fleets] [▾ Export as XLSX → apart:menu vessel fleets as xlsx | Export as CSV → apart:menu vessel fleets as csv]"
    `);
    expect(await show('vessel fleet NORTH')).toContain('*Fleet North, 2 vessels*');
    expect(await show('vessel fleet north remove 9461477')).toContain('1 removed');
    expect(await show('vessel fleet north remove 9755933')).toContain('The fleet North is gone.');
    expect(await show('vessel fleet nrth')).toMatchInlineSnapshot(`
      "text: There is no fleet called “nrth” here. You could try: Fleet north sea.

      There is no fleet called “nrth” here.
      [Fleet north sea → vessel fleet "north sea"]"
    `);
    const gone = await show('vessel fleet "north sea" forget');
    expect(gone).toContain('The fleet north sea is gone.');
    const [, undo = ''] = /\[Undo → (.*?)\] \[/.exec(gone) ?? [];
    expect(undo).toMatch(/^vessel fleet "north sea" add \d{7}$/);
    expect(await show(undo)).toContain('*Fleet north sea, 1 vessel*');
    expect(await show('vessel fleet "north sea" forget')).toContain('The fleet north sea is gone.');
  });

  test('nextport answers for all vessels of a fleet', async () => {
    await show('vessel fleet NORTH add 9461477, 9755933');
    const shown = await show('nextport fleet:north');
    expect(shown).toContain('*Fleet NORTH, 2 vessels: next ');
    expect(shown).toContain('| MSC DIANA |');
  });

  test('have at most fifty vessels', async () => {
    const valid = Array.from({ length: 600 }, (_, index) => 9_300_000 + index).filter((imo) => {
      const digits = [...String(imo)].map(Number);
      const sum = digits.slice(0, 6).reduce((total, digit, index) => total + digit * (7 - index), 0);
      return sum % 10 === digits[6];
    });
    for (const from of [0, 20]) await show(`vessel fleet BIG add ${valid.slice(from, from + 20).join(', ')}`);
    expect(await show(`vessel fleet BIG add ${valid.slice(40, 51).join(', ')}`)).toMatchInlineSnapshot(`
      "text: A fleet can have at most 50 vessels; this one would have 51. Nothing was changed. For more, use one of the provider's lists. For example: /nextport list:FEEDERS

      A fleet can have at most 50 vessels; this one would have 51. Nothing was changed. For more, use one of the provider's lists. For example: \`/nextport list:FEEDERS\`"
    `);
    expect(await show(`vessel fleet BIG add ${valid.slice(40, 50).join(', ')}`)).toContain(
      'Fleet BIG, 50 vessels',
    );
  });
});
