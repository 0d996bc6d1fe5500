import { expect, test } from 'vitest';
import { ada, dmOf, ops, type TestBot, wordsOf } from '../support/bot.ts';
import { sharedDatabase } from '../support/bot-database.ts';
import { direct } from '../support/statements/direct.ts';
import { useBot } from '../support/use-bot.ts';

/** Shares a file in the direct message; returns the bot's answer. */
async function share(bot: TestBot, content: string | Uint8Array, name = 'names.csv') {
  const uploaded = bot.playground.upload({ userId: ada, name, content: Buffer.from(content) });
  if (!uploaded.ok) throw new Error(uploaded.error);
  const { fileId } = uploaded;
  return bot.after(() =>
    bot.playground.say({ userId: ada, channelId: dmOf(ada), text: '', fileIds: [fileId] }),
  );
}

const named = async (imo: number) =>
  direct(await sharedDatabase())
    .selectFrom('vessel_names')
    .select('name')
    .where('imo', '=', imo)
    .executeTakeFirst();

test.each([
  'socket',
  'http',
] as const)('a file of names is imported: good rows are stored, bad ones are listed by their line (%s)', async (mode) => {
  const bot = await useBot(mode);
  const answer = await share(
    bot,
    'imo,name\n9811000,OUR GREEN ONE\n9461478,WRONG DIGIT\n9839430,OUR BLUE ONE\n',
  );
  expect(answer.text).toContain('2 vessel names saved from names.csv');
  expect(wordsOf(answer)).toContain('line 3');
  expect(await named(9811000)).toEqual({ name: 'OUR GREEN ONE' });
  const reply = await bot.say(ada, ops, '/nextport our green one');
  expect(reply.text).toMatch(/^OUR GREEN ONE → /);
});

test("a forwarder's spreadsheet of bookings gives the vessels references, and says which columns and rows it used", async () => {
  const bot = await useBot();
  const rows = [
    '\ufeff"Booking No.";"B/L No.";"Customer";"Vessel";"IMO";"ETD";"Remarks"',
    '"BK 4711";"MEDU 123456";"ACME";"Ds Cypress";;"24.11.2026";"hot; urgent"',
    '"BK 4712";;"Smith & Sons";"MSC Diana";"9755933";"25.11.2026";',
    '"BK 4713";;"ACME Asia";"Nobody Knows";"TBA";"26.11.2026";',
    '"BK 4714";;;"Nobody Knows";;"27.11.2026";',
    '"BK 4715";;;"DS Cypress";"9461478";"28.11.2026";',
    '"BK 4716";;;;;"29.11.2026";',
    ';;;"MSC Diana";;"29.11.2026";',
  ];
  const answer = await share(bot, rows.join('\r\n'), 'bookings.csv');
  expect(answer.text).toMatchInlineSnapshot(
    `"1 vessel name and 4 references of 2 vessels saved from bookings.csv. Columns used: “IMO” (IMO number), “Vessel” (vessel), “Booking No.”, “B/L No.”, “Customer” (references). Columns not used: “ETD”, “Remarks”. 1 reference was left out: “Smith &amp; Sons” (IMO 9755933) may have only letters, figures, spaces and - / . between them. 2 rows have no IMO number, and a name that isn't known here (left out): lines 4, 5: Nobody Knows. Name them with \`/vessel name 9461477 DS CYPRESS\`, then share the file again. 1 row has a wrong IMO number (left out): line 6: 9461478 isn't a valid IMO number: its check digit doesn't match. 1 row has no IMO number and no vessel's name (left out): line 7. 1 row has a vessel and nothing to save for it (left out): line 8."`,
  );
  const reply = await bot.say(ada, ops, '/nextport booking bk-4711');
  expect(reply.text).toMatch(/^DS CYPRESS → /);
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
  const answer = await share(bot, latin);
  expect(answer.text).toBe(
    '1 vessel name and 2 fleets saved from names.csv. Columns used: “imo” (IMO number), “name” (vessel), “fleets” (fleets). Every column was used. Read as Windows-1252: please check the names.',
  );
  const said = await bot.say(ada, ops, '/vessel export', { match: ({ ephemeralTo }) => ephemeralTo === ada });
  expect(said.text).toContain('the file is in your direct messages with me');
  const file = bot.messages(dmOf(ada)).flatMap(({ files = [] }) => files)[0];
  expect(file?.name).toBe('vessels.csv');
  const csv = await download(bot, file?.id);
  expect(csv).toContain('9811000,CAP S\u00c3O,NORTH | SOUTH,\r\n');
  // Importing the exported file changes nothing.
  await share(bot, csv);
  await bot.say(ada, ops, '/vessel export', { match: ({ ephemeralTo }) => ephemeralTo === ada });
  const last = bot
    .messages(dmOf(ada))
    .flatMap(({ files = [] }) => files)
    .at(-1);
  expect(await download(bot, last?.id)).toBe(csv);
});

test('if Slack refuses the file, its text is shown', async () => {
  const bot = await useBot();
  bot.playground.faults.next('files.getUploadURLExternal', { error: 'missing_scope' });
  const said = await bot.say(ada, ops, '/vessel export');
  expect(said.text).toContain('names as CSV');
  expect(bot.messages(dmOf(ada))).toEqual([]);
});

async function download(bot: TestBot, id = ''): Promise<string> {
  const { apiUrl, botToken } = bot.playground;
  const headers = { authorization: `Bearer ${botToken}` };
  const info = await fetch(`${apiUrl}files.info?file=${id}`, { headers });
  // The shape of Slack's answer to files.info.
  const { file } = (await info.json()) as { file: { url_private_download: string } };
  return await (await fetch(file.url_private_download, { headers })).text();
}

test('a file name is only text', async () => {
  const bot = await useBot();
  const answer = await share(bot, 'imo,name\n9811000,X\n', '<!channel>.csv');
  expect(wordsOf(answer)).not.toContain('<!channel>');
});

test('a file with more fleets than a workspace may have is refused', async () => {
  const bot = await useBot();
  const names = Array.from({ length: 201 }, (_, index) => `F${index}`);
  const answer = await share(bot, `imo,name,fleets\n9811000,OURS,${names.join('|')}\n`);
  expect(answer.text).toContain('A workspace can have at most 200 fleets; this would make');
  expect(await named(9811000)).not.toEqual({ name: 'OURS' });
  const fleets = await bot.say(ada, ops, '/vessel fleets');
  expect(wordsOf(fleets)).not.toContain('F200');
});
