import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { downloadFile } from '../../../src/slack/listeners/messages.ts';
import { serve } from '../../support/local-server.ts';

const installation = {
  ...{ teamId: 'T1', teamName: 'One', enterpriseId: undefined, botUserId: 'U0', botId: undefined },
};

/** Downloads from Slack, which answers like this; `path` may be a whole address. */
async function download(
  path: string,
  answer: RequestListener = (_, response) => response.end('9461477,DS CYPRESS\n'),
  { size, maxBytes }: { size?: number; maxBytes?: number } = {},
) {
  const asked: unknown[] = [];
  const origin = await serve((request, response) => {
    asked.push({ path: request.url, token: request.headers.authorization });
    answer(request, response);
  });
  const url = path.startsWith('/') ? `${origin}${path}` : path;
  const slack = { getToken: async () => 'xoxb-1', apiUrl: `${origin}/api/`, fetch, installation };
  const downloading = downloadFile({ url_private_download: url, size }, slack, maxBytes);
  const error = await downloading.then(
    () => undefined,
    ({ code, message }) => `${code}: ${message}`,
  );
  return { asked, error, text: error ? undefined : new TextDecoder().decode(await downloading) };
}

test("a file is fetched with the bot's token", async () => {
  const { asked, text } = await download('/files/names.csv');
  expect(text).toBe('9461477,DS CYPRESS\n');
  expect(asked).toEqual([{ path: '/files/names.csv', token: 'Bearer xoxb-1' }]);
});

test.each([
  'http://169.254.169.254/latest/meta-data',
  'http://files.slack.com/names.csv',
  'https://files.slack.com:8443/names.csv',
  'https://files.slack.com.example.org/names.csv',
  'https://evilslack.com/names.csv',
  'https://user@evil.example/?files.slack.com',
  'file:///etc/passwd',
  '',
])("%s isn't an address of Slack: nothing is requested", async (url) => {
  const { asked, error } = await download(url);
  expect(error).toMatch(/^bad-file: /);
  expect(asked).toEqual([]);
});

test('a redirect is not followed', async () => {
  const { asked, error } = await download('/names.csv', (_, response) =>
    response.writeHead(302, { location: '/elsewhere' }).end(),
  );
  expect(error).toMatch(/^bad-file: /);
  expect(asked).toHaveLength(1);
});

test('the page that Slack sends without the scope does not count as a file', async () => {
  const { error } = await download('/names.csv', (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>'),
  );
  expect(error).toContain("doesn't give Landfall access to that file");
});

test('a file is refused if its stated size or its real size is too large', async () => {
  const stated = await download('/names.csv', undefined, { size: 50 * 1024 * 1024 });
  expect(stated.error).toContain('larger than 5 MB');
  expect(stated.asked).toEqual([]);
  const large: RequestListener = (_, response) => response.end(Buffer.alloc(2 * 1024 * 1024));
  const { error } = await download('/names.csv', large, { size: 10, maxBytes: 1_000_000 });
  expect(error).toContain('1 MB');
});
