import type { PageMessage } from 'bolt-playground';
import { expect, test } from 'vitest';
import writeExcelFile from 'write-excel-file/node';
import { ada, dmOf, eve, ops, type TestBot, wordsOf } from '../support/bot.ts';
import { sharedDatabase } from '../support/bot-database.ts';
import { driveForms } from '../support/form-driver.ts';
import { direct } from '../support/statements/direct.ts';
import { useBot } from '../support/use-bot.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Shares a file in the direct message; returns the bot's answer. */
async function share(bot: TestBot, content: string | Uint8Array, name = 'names.csv') {
  const uploaded = bot.playground.upload({ userId: ada, name, content: Buffer.from(content) });
  if (!uploaded.ok) throw new Error(uploaded.error);
  const { fileId } = uploaded;
  return bot.after(
    () => bot.playground.say({ userId: ada, channelId: dmOf(ada), text: '', fileIds: [fileId] }),
    ({ files = [] }) => files.length === 0,
  );
}

/** Presses the button that imports what was shown. */
const press = (bot: TestBot, preview: PageMessage) => bot.click(ada, preview, 'vessel:import');

const named = async (imo: number) =>
  direct(await sharedDatabase())
    .selectFrom('vessel_names')
    .select('name')
    .where('imo', '=', imo)
    .executeTakeFirst();

test("a forwarder's spreadsheet of bookings is previewed, and gives the vessels references with one button", async () => {
  const bot = await useBot();
  const rows = [
    '\ufeff"Booking No.";"B/L No.";"Customer";"Vessel";"IMO";"ETD";"ETA";"Remarks"',
    '"BK 4711";"MEDU 123456";"ACME";"Ds Cypress";;"24.11.2026";"1.12.";"hot; urgent"',
    '"BK 4712";;"Smith & Sons";"Our Green One";"9811000";"25.11.2026";;',
    '"BK 4713";;"ACME Asia";"Nobody Knows";"TBA";"26.11.2026";;',
    '"BK 4714";;;"Nobody Knows";;"27.11.2026";;',
    '"BK 4715";;;"DS Cypress";"9461478";"28.11.2026";;',
    '"BK 4716";;;;;"29.11.2026";;',
    ';;;"MSC Diana";;"29.11.2026";;',
  ];
  const preview = await share(bot, rows.join('\r\n'), 'bookings.csv');
  expect(preview.text).toMatchInlineSnapshot(
    `"2 of 7 rows can be imported from bookings.csv. New: 1 vessel name and 4 references. Booking No. · reference; B/L No. · reference; Customer · customer; Vessel · vessel; IMO · IMO number; ETD · not used; ETA · not used (an earlier forecast; I look up the current one); Remarks · not used; 2 rows are left out: no IMO number, and a name that isn't known here. Lines 4, 5: Nobody Knows. Name them with \`/vessel name 9461477 DS CYPRESS\`, then share it again. 1 row is left out: a wrong IMO number. Line 6: 9461478 isn't a valid IMO number: its check digit doesn't match. 1 row is left out: no IMO number and no vessel's name. Line 7. 1 row is left out: a vessel and nothing to save for it. Line 8. 1 reference was left out: “Smith &amp; Sons” (IMO 9811000) may have only letters, figures, spaces and - / . between them (write “and” for “&amp;”). Nothing is saved yet. Only you can import this, within a day"`,
  );
  expect(await named(9811000)).not.toEqual({ name: 'Our Green One' });
  const answer = await press(bot, preview);
  expect(answer.ts).toBe(preview.ts);
  expect(answer.text).toMatchInlineSnapshot(
    `"1 vessel name and 4 references of 2 vessels saved from bookings.csv; 1 reference was left out: “Smith &amp; Sons” (IMO 9811000) may have only letters, figures, spaces and - / . between them (write “and” for “&amp;”). 2 rows are left out: no IMO number, and a name that isn't known here. Lines 4, 5: Nobody Knows. Name them with \`/vessel name 9461477 DS CYPRESS\`, then share it again. 1 row is left out: a wrong IMO number. Line 6: 9461478 isn't a valid IMO number: its check digit doesn't match. 1 row is left out: no IMO number and no vessel's name. Line 7. 1 row is left out: a vessel and nothing to save for it. Line 8. Everybody here can now type these names, and sees them in answers"`,
  );
  expect(await named(9811000)).toEqual({ name: 'Our Green One' });
  const reply = await bot.say(ada, ops, '/nextport booking bk-4711');
  expect(reply.text).toMatch(/^BK 4711 · DS CYPRESS → /);
});

test('a workbook is read, from the sheet with the table; its file may be deleted before the press', async () => {
  const bot = await useBot();
  const rows = [
    ['Booking', 'Vessel', 'IMO', 'POD', 'Due date'],
    ['00123', 'Ds Cypress', 9461477, 'Rotterdam', '24.12.2026 18:00'],
    ...Array.from({ length: 6 }, (_, index) => [`BK9${index}`, `NOBODY ${index}`, null, 'Rotterdam', null]),
  ];
  const workbook = await writeExcelFile([
    { sheet: 'Notes', data: [[{ value: 'Bookings of this week' }]] },
    {
      sheet: 'Bookings',
      data: rows.map((cells) => cells.map((value) => (value === null ? null : { value }))),
    },
  ]).toBuffer();
  const preview = await share(bot, workbook, 'bookings.xlsx');
  expect(preview.text).toMatchInlineSnapshot(
    `"1 of 7 rows can be imported from bookings.xlsx, sheet “Bookings”. New: 1 reference and 1 promise. First promise: 00123 · DS CYPRESS at Rotterdam by Thu 24 Dec 18:00 LT (17:00 UTC). Booking · reference; Vessel · vessel; IMO · IMO number; POD · port of a promise; Due date · latest arrival of a promise; 6 rows are left out: no IMO number, and a name that isn't known here. Line 3: NOBODY 0; line 4: NOBODY 1; line 5: NOBODY 2; line 6: NOBODY 3; line 7: NOBODY 4; and 1 more. Name them with \`/vessel name 9461477 DS CYPRESS\`, then share it again. All 6 are in rows-not-imported.csv, which I've sent you. Nothing is saved yet. Only you can import this, within a day"`,
  );
  const sent = bot.messages(dmOf(ada)).flatMap(({ files = [] }) => files)[0];
  expect(await download(bot, sent?.id)).toMatchInlineSnapshot(`
    "line,why not,Booking,Vessel,IMO,POD,Due date
    3,"no IMO number, and a name that isn't known here: NOBODY 0",BK90,NOBODY 0,,Rotterdam,
    4,"no IMO number, and a name that isn't known here: NOBODY 1",BK91,NOBODY 1,,Rotterdam,
    5,"no IMO number, and a name that isn't known here: NOBODY 2",BK92,NOBODY 2,,Rotterdam,
    6,"no IMO number, and a name that isn't known here: NOBODY 3",BK93,NOBODY 3,,Rotterdam,
    7,"no IMO number, and a name that isn't known here: NOBODY 4",BK94,NOBODY 4,,Rotterdam,
    8,"no IMO number, and a name that isn't known here: NOBODY 5",BK95,NOBODY 5,,Rotterdam,
    "
  `);
  expect((await press(bot, preview)).text).toMatchInlineSnapshot(
    `"1 reference of 1 vessel and 1 promise saved from bookings.xlsx; 6 rows are left out: no IMO number, and a name that isn't known here. Line 3: NOBODY 0; line 4: NOBODY 1; line 5: NOBODY 2; line 6: NOBODY 3; line 7: NOBODY 4; and 1 more. Name them with \`/vessel name 9461477 DS CYPRESS\`, then share it again. The vessel with new promises is not watched, so nobody is alerted when one breaks · Everybody here can now type these references wherever a vessel goes, and sees them in answers"`,
  );
  const promises = await direct(await sharedDatabase())
    .selectFrom('promises')
    .select(['imo', 'port', 'latest', 'reference'])
    .execute();
  const latest = new Date('2026-12-24T17:00:00Z');
  expect(promises).toContainEqual({ imo: 9461477, port: 'NLRTM', latest, reference: '00123' });
  const reply = await bot.say(ada, ops, '/nextport booking 00123');
  expect(reply.text).toMatch(/^00123 · DS CYPRESS → /);
});

test('an import is undone with one button: what it added goes, what it replaced is back, what was changed since stays', async () => {
  const bot = await useBot();
  const db = direct(await sharedDatabase());
  await bot.say(ada, dmOf(ada), '/vessel name 9839430 OLD NAME');
  await bot.say(ada, dmOf(ada), '/vessel ref 9461477 add BK1 due Rotterdam 20 dec');
  await bot.say(ada, dmOf(ada), '/vessel fleet NORTH add 9461477');
  const stored = async () => ({
    names: await db.selectFrom('vessel_names').select(['imo', 'name']).orderBy('imo').execute(),
    references: await db
      .selectFrom('vessel_references')
      .select(['imo', 'references'])
      .orderBy('imo')
      .execute(),
    fleets: await db.selectFrom('fleet_vessels').select(['fleet_key', 'imo']).orderBy('imo').execute(),
    promises: await db
      .selectFrom('promises')
      .select(['imo', 'port', 'latest', 'reference', 'owner_id', 'channel_id'])
      .execute(),
  });
  const before = await stored();
  const rows = [
    'imo,vessel,fleets,booking,pod,due date',
    '9839430,New Name,NORTH | SOUTH,BK2,Hamburg,2026-12-22',
    '9461477,,SOUTH,BK1,Rotterdam,2026-12-24',
    '9755933,Third,,BK3,,',
    '9811000,,,BK4,,',
  ].join('\n');
  const preview = await share(bot, rows);
  const change =
    'BK1 · DS CYPRESS at Rotterdam by Sun 20 Dec 23:59 LT (22:59 UTC) → by Thu 24 Dec 23:59 LT (22:59 UTC).';
  expect(preview.text).toContain(` 1 stored promise will be replaced: ${change}`);
  const imported = await press(bot, preview);
  expect(imported.text).toContain(` 1 stored promise was replaced: ${change}`);
  expect(await stored()).not.toEqual(before);
  const undone = await bot.click(ada, imported, 'vessel:undo-import');
  expect(undone.text).toMatchInlineSnapshot(
    `"Undone: the import from names.csv. Removed: 3 references, vessels in 2 fleets and 1 promise. Restored: 2 vessel names and 1 promise. Promised again: BK1 · DS CYPRESS at Rotterdam by Sun 20 Dec 23:59 LT (22:59 UTC)."`,
  );
  expect(await stored()).toEqual(before);
  expect(wordsOf(await bot.say(ada, dmOf(ada), '/landfall audit'))).toContain(
    'undid the import of names.csv',
  );
  expect((await bot.say(ada, dmOf(ada), '/nextport BK2')).text).toContain("don't know");

  const again = await press(bot, await share(bot, rows));
  await bot.say(ada, dmOf(ada), '/vessel name 9839430 NAMED SINCE');
  await bot.say(ada, dmOf(ada), '/vessel ref 9811000 add BK4 due Hamburg 20 dec');
  expect((await bot.click(ada, again, 'vessel:undo-import')).text).toMatchInlineSnapshot(
    `"Undone: the import from names.csv. Removed: 2 references, vessels in 2 fleets and 1 promise. Restored: 1 vessel name and 1 promise. Promised again: BK1 · DS CYPRESS at Rotterdam by Sun 20 Dec 23:59 LT (22:59 UTC). Changed since, so left as they are: 1 vessel name and 1 reference."`,
  );
  expect(await named(9839430)).toEqual({ name: 'NAMED SINCE' });
  expect((await stored()).references.flatMap(({ references }) => references)).toEqual(['BK1', 'BK4']);
});

test('of several promises of a booking at a port, those that the file has too are not replaced', async () => {
  const bot = await useBot();
  await bot.say(ada, dmOf(ada), '/vessel ref 9461477 add BK9 due Rotterdam 4 dec');
  const table = (...dates: readonly string[]) =>
    ['IMO\tBooking\tPOD\tDue date', ...dates.map((date) => `9461477\tBK9\tRotterdam\t${date}`)].join('\n');
  const both = await bot.say(ada, dmOf(ada), table('2026-12-04', '2026-12-28'));
  expect(both.text).not.toContain('replaced');
  await press(bot, both);
  const others = await bot.say(ada, dmOf(ada), table('2026-12-05'));
  expect(others.text).toContain(
    ' 2 stored promises will be replaced: BK9 · DS CYPRESS at Rotterdam by Fri 4',
  );
  const undone = await bot.click(ada, await press(bot, others), 'vessel:undo-import');
  expect(undone.text).toMatch(/^Undone: [^.]+\. Restored: 2 promises\. Promised again: BK9 · DS CYPRESS/);
});

test('cells pasted into a message are previewed if they say more than which vessels these are', async () => {
  const bot = await useBot();
  const cells = 'Vessel\tBooking\nEVER GIVEN\tBK 77\nNOBODY\tBK 78';
  const preview = await bot.say(ada, dmOf(ada), cells);
  expect(preview.text).toMatchInlineSnapshot(
    `"1 of 2 rows can be imported from the pasted cells. New: 1 reference. Vessel · vessel; Booking · reference; 1 row is left out: no IMO number, and a name that isn't known here. Line 3: NOBODY. Name them with \`/vessel name 9461477 DS CYPRESS\`, then share it again. Nothing is saved yet. Only you can import this, within a day"`,
  );
  expect((await press(bot, preview)).text).toMatchInlineSnapshot(
    `"1 reference of 1 vessel saved from the pasted cells; 1 row is left out: no IMO number, and a name that isn't known here. Line 3: NOBODY. Name them with \`/vessel name 9461477 DS CYPRESS\`, then share it again. Everybody here can now type these references wherever a vessel goes, and sees them in answers"`,
  );
  const again = await bot.say(ada, dmOf(ada), cells);
  expect(again.text).toContain('Nothing new in the pasted cells');
  const list = await bot.say(ada, dmOf(ada), 'Vessel\tIMO\nEVER GIVEN\t9811000');
  expect(list.text).toMatch(/^EVER GIVEN → /);
  // A guest changes nothing, so the same table asks.
  expect((await bot.say(eve, dmOf(eve), cells)).text).not.toContain('can be imported');
  // In a channel only the person who pasted them sees the preview.
  const inChannel = await bot.say(ada, ops, `@Landfall vessel import\nVessel,Booking\nEVER GIVEN,BK 79`);
  expect(inChannel).toMatchObject({ ephemeralTo: ada });
  expect(inChannel.text).toContain('1 of 1 row can be imported from the pasted cells');
});

test('a pasted table without headings is not answered without its new bookings and dates: it can be imported, or only asked about', async () => {
  const bot = await useBot();
  const form = driveForms(bot, ada);
  const cells =
    'BK-4421\tEver Given\tRotterdam\t9/12/26\nBK-4422\tMSC Diana\tHamburg\t14/12/26 18:00\nBK-4423\tNobody Knows\tHamburg\t15/12/26';
  const asked = await bot.say(ada, dmOf(ada), cells);
  expect(asked.text).toMatchInlineSnapshot(
    `"This table has 3 references that aren't stored (“BK-4421”, “BK-4422”, “BK-4423”) and 3 dates beside ports. Do you want to import it? 1 of 3 lines has no vessel that I know: “BK-4423 Nobody Knows Hamburg 15/12/26”. Nothing is saved before you have seen what was read. You could try: Show the other 2."`,
  );
  expect((await bot.click(ada, asked, 'Show the other 2')).text).toMatch(/EVER GIVEN.*MSC DIANA/s);

  await bot.playground.click({
    ...{ userId: ada, channelId: dmOf(ada), messageTs: asked.ts },
    actionId: 'form:import',
  });
  await form.see('# Import cells');
  expect(form.read()).toContain('BK-4422\tMSC Diana\tHamburg\t14/12/26 18:00');
  expect(await form.submit()).toEqual({ ok: true });
  await form.see('can be imported');
  expect(form.read().replace(/[\da-f-]{36}/, 'ID')).toMatchInlineSnapshot(`
    "# Landfall
    *2 of 3 rows can be imported from the pasted cells*
    New: 2 references and 2 promises.
    First promise: BK-4421 · EVER GIVEN at Rotterdam by Wed 9 Dec 23:59 LT (22:59 UTC).
    Reference · reference
    Vessel · vessel
    Port · port of a promise
    Due · latest arrival of a promise
    1 row is left out: no IMO number, and a name that isn't known here. Line 4: Nobody Knows. Name them with \`/vessel name 9461477 DS CYPRESS\`, then share it again.
    Nothing is saved yet. Only you can import this, within a day
    [Import 2 rows → ID] [Only show where they are → nextport 9811000, 9755933]"
  `);
  await form.press('Import 2 rows');
  await form.see('2 references of 2 vessels and 2 promises saved');
  expect((await bot.say(ada, dmOf(ada), '/nextport BK-4422')).text).toMatch(/^BK-4422 · MSC DIANA → /);

  // What is stored, without dates, is a question.
  const bookings = await bot.say(ada, dmOf(ada), 'BK-4421\tEver Given\nBK-4422\tMSC Diana');
  expect(bookings.text).not.toContain('import');
  expect(bookings.text).toContain('MSC DIANA');
});

test.each([
  ['after the word vessel', 'vessel\nBK-4421\tEver Given\nBK-4422\tMSC Diana'],
  ['with bars', 'BK-4421 | MV Ever Given V.1176W\nBK-4422 | MSC Diana / 448W'],
  ['with semicolons', 'BK-4421;Ever Given\nBK-4422;MSC Diana'],
])('the import is offered for a table %s, in a thread too', async (_, cells) => {
  const bot = await useBot();
  const root = await bot.say(ada, ops, '/nextport 9811000 public');
  const asked = await bot.say(ada, ops, `@Landfall ${cells}`, { threadTs: root.ts });
  expect(asked.text).toContain(
    "This table has 2 references that aren't stored (“BK-4421”, “BK-4422”). Do you want to import it?",
  );
  const buttons = JSON.stringify(asked.blocks);
  expect(buttons).toContain('form:import');
  expect(buttons).toContain('nextport 9811000, 9755933');
});

test('a promise of a reference that has no room is left out with it', async () => {
  const bot = await useBot();
  const rows = Array.from({ length: 22 }, (_, index) => `9461477\tBK-${index}\tRotterdam\t24.12.2026 18:00`);
  const preview = await bot.say(ada, dmOf(ada), ['IMO\tBooking\tPOD\tDue date', ...rows].join('\n'));
  expect(preview.text).toMatch(
    / New: 20 references and 20 promises\. .* 2 references will be left out, since a vessel can have at most 20: IMO 9461477 \(2\)\. 2 promises of these references will be left out too\./,
  );
  const answer = await press(bot, preview);
  expect(answer.text).toMatch(
    /^20 references of 1 vessel and 20 promises saved .* 2 promises of these references were left out too\./,
  );
});

test('promises of vessels that nobody watches are saved with a button that watches them', async () => {
  const bot = await useBot();
  const isPreview = ({ text }: PageMessage) => text.includes('can be imported');
  await bot.say(ada, ops, '/watch 9811000');
  const rows = ['9811000\tBK-61', '9755933\tBK-62', '9461477\tBK-63'].map(
    (row) => `${row}\tRotterdam\t24.12.2026 18:00`,
  );
  const cells = ['IMO\tBooking\tPOD\tDue date', ...rows].join('\n');
  const answer = await press(bot, await bot.say(ada, dmOf(ada), cells, { match: isPreview }));
  const shown = JSON.stringify(answer.blocks);
  expect(shown).toContain(
    '2 of the 3 vessels with new promises are not watched, so nobody is alerted when theirs break',
  );
  expect(shown).toContain('Watch 2 vessels');
  const list = () =>
    bot.say(ada, dmOf(ada), '/watch promises', { match: ({ text }) => /^\d .*promises/.test(text) });
  expect(JSON.stringify((await list()).blocks)).toContain('2 of the 3 vessels shown are not watched here');
  await bot.say(ada, dmOf(ada), '/watch 9755933, 9461477');
  expect(JSON.stringify((await list()).blocks)).not.toContain('not watched here');
});

test('cells are pasted into a form too', async () => {
  const bot = await useBot();
  const how = await bot.say(ada, ops, '/vessel import');
  await bot.playground.click({
    ...{ userId: ada, channelId: ops, messageTs: how.ts },
    actionId: 'form:import',
  });
  const view = () => bot.playground.views(ada)[0];
  await waitUntil('the form opens', () => view() !== undefined);
  const submit = (cells: string) =>
    bot.playground.submitView({ userId: ada, viewId: view()?.id ?? '', values: { cells: { field: cells } } });
  expect(await submit(' ')).toMatchObject({ errors: { cells: 'Paste some cells first.' } });
  await submit('Vessel\tBooking\nEVER GIVEN\tBK 80');
  await bot.settled();
  expect(JSON.stringify(view())).toContain('1 of 1 row can be imported');
});

test('any other file is refused, and nothing is changed', async () => {
  const bot = await useBot();
  const before = await named(9811000);
  const picture = await share(
    bot,
    new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff, 0xfe]),
    'ship.png',
  );
  expect(picture.text).toContain('Nothing was changed');
  const large = await share(bot, new Uint8Array(6_000_000), 'large.csv');
  expect(large.text).toContain('larger than 5 MB');
  expect(await named(9811000)).toEqual(before);
});

test('fleets are restored too, and an unknown encoding is guessed and named in the answer', async () => {
  const bot = await useBot();
  const latin = Buffer.from(
    'imo,name,fleets\n9811000,CAP S\u00c3O,NORTH | SOUTH\n9839430,,NORTH\n',
    'latin1',
  );
  const answer = await press(bot, await share(bot, latin));
  expect(answer.text).toBe(
    '1 vessel name and 2 fleets saved from names.csv. Read as Windows-1252: please check the names. Everybody here can now type these names, and sees them in answers',
  );
  const said = await bot.say(ada, ops, '/vessel export', { match: ({ ephemeralTo }) => ephemeralTo === ada });
  expect(said.text).toContain('|your direct messages>. Share it with me there');
  const file = bot.messages(dmOf(ada)).flatMap(({ files = [] }) => files)[0];
  expect(file?.name).toBe('vessels.csv');
  const csv = await download(bot, file?.id);
  expect(csv).toContain('9811000,CAP S\u00c3O,NORTH | SOUTH,\r\n');
  // Importing the exported file changes nothing.
  expect((await share(bot, csv)).text).toContain('Nothing new in names.csv');
  await bot.say(ada, ops, '/vessel export', { match: ({ ephemeralTo }) => ephemeralTo === ada });
  const last = bot
    .messages(dmOf(ada))
    .flatMap(({ files = [] }) => files)
    .at(-1);
  expect(await download(bot, last?.id)).toBe(csv);
});

async function download(bot: TestBot, id = ''): Promise<string> {
  const { apiUrl, botToken } = bot.playground;
  const headers = { authorization: `Bearer ${botToken}` };
  const info = await fetch(`${apiUrl}files.info?file=${id}`, { headers });
  // The shape of Slack's answer to files.info.
  const { file } = (await info.json()) as { file: { url_private_download: string } };
  return await (await fetch(file.url_private_download, { headers })).text();
}

test('a file with more fleets than a workspace may have is refused', async () => {
  const bot = await useBot();
  const names = Array.from({ length: 201 }, (_, index) => `F${index}`);
  const answer = await share(bot, `imo,name,fleets\n9811000,OURS,${names.join('|')}\n`);
  expect(answer.text).toContain('A workspace can have at most 200 fleets; this would make');
  expect(await named(9811000)).not.toEqual({ name: 'OURS' });
  const fleets = await bot.say(ada, ops, '/vessel fleets');
  expect(wordsOf(fleets)).not.toContain('F200');
});
