import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { outsideNotice } from '../../../src/messages/frame/notices.ts';
import { createAnswerUnknown } from '../../../src/slack/install/answer-unknown.ts';

let server: Server;
let url: string;
let status = 200;
const received: unknown[] = [];
const log: string[] = [];
beforeAll(async () => {
  server = createServer(async (request, response) => {
    received.push(await json(request));
    response.writeHead(status).end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on TCP has an address with a port.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/commands/secret`;
});
afterAll(() => server.close());
beforeEach(() => {
  received.length = 0;
  log.length = 0;
  status = 200;
});

const answer = createAnswerUnknown({
  publicUrl: 'https://landfall.example',
  logger: pino({ level: 'warn' }, { write: (line: string) => log.push(line) }),
});

test.each([
  ['a slash command', { command: '/nextport', team_id: 'T1' }],
  ['a click', { type: 'block_actions', team: { id: 'T1' } }],
  ['a message shortcut', { type: 'message_action', team: { id: 'T1' } }],
])('%s is answered to the person alone, with the way to install', async (_, body) => {
  await answer({ ...body, response_url: url });
  const text =
    "Landfall isn't installed in this workspace any more. An admin can install it again: <https://landfall.example/slack/install?team=T1>";
  expect(received).toEqual([
    expect.objectContaining({ text, response_type: 'ephemeral', replace_original: false }),
  ]);
});

test.each([
  ['an outsider who clicks in a shared channel', { type: 'block_actions', team: null }],
  [
    'an outsider of an organisation that installed the app',
    { command: '/nextport', team_id: 'T1', enterprise_id: 'E9', is_enterprise_install: 'true' },
  ],
  ['the same with a click', { type: 'block_actions', team: { id: 'T1' }, is_enterprise_install: true }],
])('%s reads whom Landfall answers', async (_, body) => {
  await answer({ ...body, response_url: url });
  expect(received).toEqual([expect.objectContaining({ text: outsideNotice.text })]);
});

test.each([
  ['an event', { type: 'event_callback', team_id: 'T1' }],
  ['a form', { type: 'view_submission', team: { id: 'T1' } }],
  ['an odd body', null],
  ['an odd address', { response_url: 'file:///etc/passwd' }],
])('%s is not answered', async (_, body) => {
  await answer(body);
  expect(received).toEqual([]);
});

test('a refusal is logged, without the address', async () => {
  status = 410;
  await answer({ team_id: 'T1', response_url: url });
  expect(log.join('')).toContain('Slack refused a message');
  expect(log.join('')).not.toContain('secret');
});
