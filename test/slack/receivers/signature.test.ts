import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { isSignedBySlack } from '../../../src/slack/receivers/http.ts';

// The example of Slack's documentation.
const signingSecret = '8f742231b10e8888abcd99yyyzzz85a5';
const timestamp = '1531420618';
const nowMs = 1_531_420_618_000;
const body =
  'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
const signature = 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503';
const request = { signature, timestamp, body };

const signed = (secret: string, at: string) =>
  `v0=${createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex')}`;

test("the example of Slack's documentation is accepted for five minutes", () => {
  expect(isSignedBySlack(request, { signingSecret, nowMs })).toBe(true);
  expect(isSignedBySlack(request, { signingSecret, nowMs: nowMs + 300_000 })).toBe(true);
  expect(isSignedBySlack(request, { signingSecret, nowMs: nowMs + 301_000 })).toBe(false);
});

test.each([
  ['another body', { body: `${body} ` }],
  ['another signature', { signature: signature.replace(/3$/, '4') }],
  ['a shorter signature', { signature: signature.slice(0, -1) }],
  ['another version', { signature: signature.replace('v0', 'v1') }],
  ['letters outside ASCII', { signature: signature.replace(/3$/, 'é') }],
  ['no signature', { signature: undefined }],
  ['an empty signature', { signature: '' }],
  ['two signatures', { signature: [signature, signature] }],
  ['no timestamp', { timestamp: undefined }],
  ['another timestamp', { timestamp: '1531420619' }],
  ['a signed timestamp that is no number', { timestamp: 'soon', signature: signed(signingSecret, 'soon') }],
  ['a signature with another secret', { signature: signed('another secret', timestamp) }],
])('a request with %s is refused', (_, change) => {
  expect(isSignedBySlack({ ...request, ...change }, { signingSecret, nowMs })).toBe(false);
});

test('nothing is signed with an empty secret', () => {
  const forged = { ...request, signature: signed('', timestamp) };
  expect(isSignedBySlack(forged, { signingSecret: '', nowMs })).toBe(false);
});
