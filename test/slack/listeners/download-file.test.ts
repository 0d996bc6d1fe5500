import { createServer, type RequestListener } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { downloadFile } from '../../../src/slack/listeners/download-file.ts';

const asked: { path: string | undefined; token: string | undefined }[] = [];
let answer: RequestListener = (_, response) => response.end('9461477,DS CYPRESS\n');
const server = createServer((request, response) => {
  asked.push({ path: request.url, token: request.headers.authorization });
  answer(request, response);
});
let origin = '';
const installation = {
  teamId: 'T1',
  teamName: 'One',
  enterpriseId: undefined,
  botUserId: 'U0',
  botId: undefined,
};

beforeEach(async () => {
  asked.length = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  origin = `http://127.0.0.1:${address.port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const download = (url: string, { size, maxBytes }: { size?: number; maxBytes?: number } = {}) =>
  downloadFile(
    { url_private_download: url, size },
    { getToken: async () => 'xoxb-1', apiUrl: `${origin}/api/`, fetch, installation },
    maxBytes,
  );

test("a file is fetched with the bot's token", async () => {
  const bytes = await download(`${origin}/files/names.csv`);
  expect(new TextDecoder().decode(bytes)).toBe('9461477,DS CYPRESS\n');
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
  await expect(download(url)).rejects.toMatchObject({ code: 'bad-file' });
  expect(asked).toEqual([]);
});

test('a redirect is not followed', async () => {
  answer = (_, response) => response.writeHead(302, { location: `${origin}/elsewhere` }).end();
  await expect(download(`${origin}/names.csv`)).rejects.toMatchObject({ code: 'bad-file' });
  expect(asked).toHaveLength(1);
});

test('the page that Slack sends without the scope does not count as a file', async () => {
  answer = (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>');
  await expect(download(`${origin}/names.csv`)).rejects.toThrow("doesn't give Landfall access to that file");
});

test('a file is refused if its stated size or its real size is too large', async () => {
  await expect(download(`${origin}/names.csv`, { size: 50 * 1024 * 1024 })).rejects.toThrow(
    'larger than 5 MB',
  );
  expect(asked).toEqual([]);
  answer = (_, response) => response.end(Buffer.alloc(2 * 1024 * 1024));
  await expect(download(`${origin}/names.csv`, { size: 10, maxBytes: 1_000_000 })).rejects.toThrow('1 MB');
});
