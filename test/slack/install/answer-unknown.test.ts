import { json } from 'node:stream/consumers';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { outsideNotice } from '../../../src/answers/slack/notices.ts';
import { createAnswerUnknown } from '../../../src/slack/install/answer-unknown.ts';
import { serve } from '../../support/local-server.ts';

/** What the bot sends to the response URL of a delivery, and what it logs. */
async function answerTo(body: object | null, status = 200) {
  const received: unknown[] = [];
  const log: string[] = [];
  const origin = await serve(async (request, response) => {
    received.push(await json(request));
    response.writeHead(status).end('ok');
  });
  const logger = pino({ level: 'warn' }, { write: (line: string) => log.push(line) });
  const answer = createAnswerUnknown({ publicUrl: 'https://landfall.example', logger });
  await answer(body && { response_url: `${origin}/commands/secret`, ...body });
  return { received, log: log.join('') };
}

const notInstalled =
  "Landfall isn't installed in this workspace any more. An admin can install it again: <https://landfall.example/slack/install?team=T1>";

test.each([
  ['a slash command', { command: '/nextport', team_id: 'T1' }, notInstalled],
  ['a click', { type: 'block_actions', team: { id: 'T1' } }, notInstalled],
  ['a message shortcut', { type: 'message_action', team: { id: 'T1' } }, notInstalled],
  ['a click of an outsider in a shared channel', { type: 'block_actions', team: null }, outsideNotice.text],
  [
    'a command of an outsider of an organisation that installed the app',
    { command: '/nextport', team_id: 'T1', enterprise_id: 'E9', is_enterprise_install: 'true' },
    outsideNotice.text,
  ],
  [
    'a click of an outsider of that organisation',
    { type: 'block_actions', team: { id: 'T1' }, is_enterprise_install: true },
    outsideNotice.text,
  ],
])('%s is answered to the person alone', async (_, body, text) => {
  const { received } = await answerTo(body);
  const isPrivate = { response_type: 'ephemeral', replace_original: false };
  expect(received).toEqual([expect.objectContaining({ text, ...isPrivate })]);
});

test.each([
  ['an event', { type: 'event_callback', team_id: 'T1', response_url: undefined }],
  ['a form', { type: 'view_submission', team: { id: 'T1' }, response_url: undefined }],
  ['an odd body', null],
  ['an odd address', { response_url: 'file:///etc/passwd' }],
])('%s is not answered', async (_, body) => {
  expect((await answerTo(body)).received).toEqual([]);
});

test('a refusal is logged, without the address', async () => {
  const { log } = await answerTo({ team_id: 'T1' }, 410);
  expect(log).toContain('Slack refused a message');
  expect(log).not.toContain('secret');
});
