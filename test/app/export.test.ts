import type { PageMessage } from 'bolt-playground';
import { parse } from 'csv-parse/sync';
import readExcelFile from 'read-excel-file/node';
import { beforeEach, expect, test } from 'vitest';
import { ada, ben, dmOf, ops, type TestBot } from '../support/bot.ts';
import { useBot } from '../support/use-bot.ts';

let bot: TestBot;

beforeEach(async () => {
  bot = await useBot('http');
});

const toAda = { match: ({ ephemeralTo }: PageMessage) => ephemeralTo === ada };

/** Ada chooses from the menu; returns what is said of it. The file comes first. */
async function choose(message: PageMessage, option: string): Promise<PageMessage> {
  const said = new Set(bot.messages(ops).map(({ ts }) => ts));
  await bot.click(ada, message, option);
  return await bot.playground.waitForMessage(
    ({ ts, text }) => !said.has(ts) && text.startsWith('Sent '),
    45_000,
  );
}

/** The name and the text of each file that the bot has sent to Ada. */
async function filesOfAda(): Promise<{ name: string; text: string; bytes: ArrayBuffer }[]> {
  const { apiUrl, botToken } = bot.playground;
  const headers = { authorization: `Bearer ${botToken}` };
  const files = bot.messages(dmOf(ada)).flatMap((message) => message.files ?? []);
  return await Promise.all(
    files.map(async ({ id, name }) => {
      const info = await fetch(`${apiUrl}files.info?file=${id}`, { headers });
      // The shape of Slack's answer to files.info.
      const { file } = (await info.json()) as { file: { url_private_download: string } };
      const bytes = await (await fetch(file.url_private_download, { headers })).arrayBuffer();
      // Unlike `text()`, this keeps the byte order mark.
      return { name, bytes, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) };
    }),
  );
}

test('the file comes as a direct message, and the channel sees nothing of it', async () => {
  const sent = await bot.say(ada, ops, '/portcalls Rotterdam as csv', toAda);
  expect(sent.text).toMatch(
    /^Sent port-calls-NLRTM-\d{4}-\d\d-\d\d\.csv \(\d+ rows\) to <[^|]+\|your direct messages> \(invented data\)$/,
  );
  // The link is to the message that has the file.
  const message = bot.messages(dmOf(ada)).find(({ files = [] }) => files.length > 0);
  expect(sent.text).toContain(`/archives/${dmOf(ada)}/p${message?.ts.replace('.', '')}|`);
  const [file] = await filesOfAda();
  expect(sent.text).toContain(file?.name);
  expect(file?.text.startsWith('\uFEFFport,port_name,eta,')).toBe(true);
  const rows: unknown[] = parse(file?.text ?? '', { bom: true, columns: true });
  expect(sent.text).toContain(`(${rows.length} rows)`);
  expect(rows[0]).toMatchObject({ port: 'NLRTM', source: 'invented data' });
  expect(bot.messages(ops).filter(({ ephemeralTo }) => ephemeralTo !== ada)).toEqual([]);
});

test('“Export for Excel (.xlsx)” in the menu leaves the answer as it is', async () => {
  const answer = await bot.say(ada, ops, '/portcalls Rotterdam', toAda);
  const sent = await choose(answer, 'Export for Excel (.xlsx)');
  expect(sent.text).toMatch(/^Sent port-calls-NLRTM-[\d-]+\.xlsx /);
  expect(sent.ts).not.toBe(answer.ts);
  const still = bot.messages(ops).find(({ ts }) => ts === answer.ts);
  expect(still?.text).toBe(answer.text);
  const [file] = await filesOfAda();
  const [sheet] = await readExcelFile(Buffer.from(file?.bytes ?? new ArrayBuffer()));
  expect(sheet?.data[1]?.slice(0, 2)).toEqual(['NLRTM', 'Rotterdam']);
});

test("after a mention, and from somebody else's public answer, the file still goes to the person who asks", async () => {
  const mention = '@landfall nextport 9461477 as csv';
  expect((await bot.say(ada, ops, mention, toAda)).text).toMatch(/^Sent next-ports-9461477-/);
  const shared = await bot.say(ben, ops, '/nextport 9461477 public');
  expect(shared.ephemeralTo).toBeUndefined();
  const before = bot.messages(ops).filter(({ ephemeralTo }) => ephemeralTo === undefined).length;
  expect((await choose(shared, 'Export as CSV')).ephemeralTo).toBe(ada);
  expect(await filesOfAda()).toHaveLength(2);
  expect(bot.messages(ops).filter(({ ephemeralTo }) => ephemeralTo === undefined)).toHaveLength(before);
});

test('watches, digests and the history of a vessel can be exported too', async () => {
  await bot.say(ada, ops, '/watch 9461477', { match: ({ text }) => /^Watching/.test(text) });
  await bot.forward(1);
  await bot.say(ada, ops, '/digest add "Morning; early" daily 08:00 UTC: portcalls NLRTM', toAda);
  for (const line of ['watch list', 'digest list', 'nextport 9461477 history', 'nextport watched'])
    await bot.say(ada, ops, `/${line} as json`, toAda);
  const files = (await filesOfAda()).map(({ name, text }) => ({ name, rows: JSON.parse(text) }));
  expect(files).toEqual([
    {
      name: expect.stringMatching(/^watches-\d/),
      rows: [expect.objectContaining({ watch: 'DS CYPRESS', imo: 9461477, owner_id: ada, channel_id: ops })],
    },
    {
      name: expect.stringMatching(/^digests-\d/),
      rows: [
        expect.objectContaining({ title: 'Morning; early', lines: 'portcalls NLRTM', status: 'active' }),
      ],
    },
    {
      name: expect.stringMatching(/^next-port-history-9461477-/),
      rows: expect.arrayContaining([expect.objectContaining({ imo: 9461477, source: 'invented data' })]),
    },
    {
      name: expect.stringMatching(/^next-ports-of-vessels-Watched-here-/),
      rows: [expect.objectContaining({ imo: 9461477, is_answered: true })],
    },
  ]);
});
