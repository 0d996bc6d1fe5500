import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createPlayground, type Playground } from '../../src/index.ts';
import { type PlaygroundApp, startPlaygroundApp } from '../support/app.ts';
import { playgroundClient } from '../support/client.ts';
import { recordEvents } from '../support/events.ts';

const ADA = 'U0ADA0001';
const BEN = 'U0BEN0001';
const DM = 'D0ADA0001';
const OPS = 'C0OPS00001';
const dir = mkdtempSync(join(tmpdir(), 'playground-files-'));
const manifestWith = (scopes: string) => `oauth_config: { scopes: { bot: [${scopes}] } }
settings: { event_subscriptions: { bot_events: [message.im, file_shared] } }
`;
const manifest = manifestWith('chat:write, files:read, files:write, im:history');

let running: PlaygroundApp | undefined;
let slack: Playground | undefined;
afterEach(async () => {
  await running?.stop();
  await slack?.close();
  running = undefined;
  slack = undefined;
});

const csv = Buffer.from('imo,name\n9461477,DS CYPRESS\n');

/** As the page does it: first the file, then the message that shares it. */
async function attach(playground: Playground, channelId: string, content = csv) {
  const upload = await fetch(`${playground.url}/playground/upload?userId=${ADA}&name=names%20%C3%A9.csv`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: new Uint8Array(content),
  });
  // The page's own contract.
  const { fileId } = (await upload.json()) as { fileId: string };
  await playground.say({ userId: ADA, channelId, text: '', fileIds: [fileId] });
  return fileId;
}

describe.each(['socket', 'http'] as const)('a file shared in a DM, in %s mode', (mode) => {
  test('arrives as a file_share message and a file_shared event, and the token can download it', async () => {
    let received: ReturnType<typeof recordEvents> | undefined;
    running = await startPlaygroundApp({ mode, manifest }, (app) => {
      received = recordEvents(app, ['message', 'file_shared']);
    });
    const { playground } = running;
    const fileId = await attach(playground, DM);
    const events = [await received?.next(), await received?.next()];
    const message = events.find((event) => event?.type === 'message');
    expect(message).toMatchObject({ subtype: 'file_share', channel: DM, channel_type: 'im', user: ADA });
    expect(message?.files).toMatchObject([
      { id: fileId, name: 'names é.csv', mimetype: 'text/csv', size: 28 },
    ]);
    expect(events.find((event) => event?.type === 'file_shared')).toMatchObject({
      file_id: fileId,
      user_id: ADA,
      channel_id: DM,
    });

    const { file } = await playgroundClient(playground).files.info({ file: fileId });
    expect(file).toMatchObject({ id: fileId, filetype: 'csv', mode: 'hosted' });
    const authorization = `Bearer ${playground.botToken}`;
    const download = await fetch(file?.url_private_download ?? '', { headers: { authorization } });
    expect(Buffer.from(await download.arrayBuffer())).toEqual(csv);
    // As in Slack: without the token a sign-in page, with status 200.
    const withoutToken = await fetch(file?.url_private_download ?? '');
    expect(withoutToken.headers.get('content-type')).toContain('text/html');
  });
});

test('without files:read there is neither files.info nor a download', async () => {
  slack = await createPlayground({ mode: 'socket', manifest: manifestWith('chat:write') });
  const fileId = await attach(slack, DM);
  await expect(playgroundClient(slack).files.info({ file: fileId })).rejects.toMatchObject({
    data: { error: 'missing_scope' },
  });
  const url = `${slack.url}/files-pri/T0HARBOUR-${fileId}/download/x`;
  const download = await fetch(url, { headers: { authorization: `Bearer ${slack.botToken}` } });
  expect(download.headers.get('content-type')).toContain('text/html');
});

test("an upload by uploadV2 is shared, and the page's users can download it", async () => {
  slack = await createPlayground({ mode: 'socket' });
  const client = playgroundClient(slack);
  const parent = await client.chat.postMessage({ channel: OPS, text: 'card' });
  await client.files.uploadV2({
    channel_id: OPS,
    thread_ts: parent.ts ?? '',
    filename: 'vessels.csv',
    title: 'Vessel names',
    initial_comment: 'Here they are',
    file: csv,
  });
  const [, message] = slack.messages(OPS);
  expect(message).toMatchObject({
    text: 'Here they are',
    threadTs: parent.ts,
    userId: slack.world.app.botUserId,
  });
  expect(message?.files).toMatchObject([
    { name: 'vessels.csv', title: 'Vessel names', size: 28, isGone: false },
  ]);
  const url = `${slack.url}/playground/files/${message?.files?.[0]?.id}?user=`;
  const mine = await fetch(url + ADA);
  expect(mine.headers.get('content-disposition')).toContain('attachment');
  expect(await mine.text()).toBe(csv.toString());
  // Dora's organisation isn't in #ops.
  expect((await fetch(`${url}U0DORA0001`)).status).toBe(404);
});

test('conversations.open opens a DM, and the app can post to it', async () => {
  slack = await createPlayground({ mode: 'socket' });
  const client = playgroundClient(slack);
  const { channel } = await client.conversations.open({ users: BEN });
  await client.chat.postMessage({ channel: channel?.id ?? '', text: 'paused' });
  expect(slack.messages('D0BEN0001').map((message) => message.text)).toEqual(['paused']);
});

describe('what is refused', () => {
  test("another user's file, an unknown one and an empty one", async () => {
    slack = await createPlayground({ mode: 'socket' });
    const upload = slack.upload({ userId: BEN, name: 'a.csv', content: csv });
    const fileIds = [upload.ok ? upload.fileId : ''];
    const refusal = { ok: false, error: 'This file is no longer available. Attach it again.' };
    expect(await slack.say({ userId: ADA, channelId: OPS, text: 'x', fileIds })).toEqual(refusal);
    expect(await slack.say({ userId: ADA, channelId: OPS, text: 'x', fileIds: ['F1'] })).toEqual(refusal);
    expect(slack.upload({ userId: ADA, name: 'a.csv', content: Buffer.alloc(0) })).toMatchObject({
      ok: false,
    });
    // The file isn't shared in a channel with the app.
    const own = slack.upload({ userId: ADA, name: 'a.csv', content: csv });
    const hidden = playgroundClient(slack).files.info({ file: own.ok ? own.fileId : '' });
    await expect(hidden).rejects.toMatchObject({ data: { error: 'file_not_found' } });
  });

  test('an upload that another site could send without a preflight, and a message over the limit', async () => {
    slack = await createPlayground({ mode: 'socket' });
    const send = (type: string, path: string, body: string) =>
      fetch(`${slack?.url}${path}`, { method: 'POST', headers: { 'content-type': type }, body });
    const path = `/playground/upload?userId=${ADA}&name=a.csv`;
    expect((await send('text/plain', path, 'x')).status).toBe(415);
    const large = 'x'.repeat(5 * 1024 * 1024);
    expect((await send('application/json', '/playground/say', large)).status).toBe(413);
    expect((await send('application/octet-stream', path, large)).status).toBe(200);
  });
});

test("file contents are limited and don't survive a restart; messages mark them as gone", async () => {
  const dataFile = join(dir, 'slack.json');
  slack = await createPlayground({ mode: 'socket', dataFile, limits: { fileBytes: 40 } });
  const first = await attach(slack, DM);
  const second = await attach(slack, DM);
  const url = (id: string) => `${slack?.url}/playground/files/${id}?user=${ADA}`;
  expect([(await fetch(url(first))).status, (await fetch(url(second))).status]).toEqual([404, 200]);
  await slack.close();
  slack = await createPlayground({ mode: 'socket', dataFile });
  expect(slack.messages(DM).map((message) => message.files?.[0]?.isGone)).toEqual([true, true]);
  rmSync(dir, { recursive: true });
});
