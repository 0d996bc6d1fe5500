import { createHmac } from 'node:crypto';

/** The headers with which Slack signs a delivery; its time is in seconds. */
export function signatureOf(body: string, signingSecret: string, at = Math.floor(Date.now() / 1000)) {
  const hash = createHmac('sha256', signingSecret).update(`v0:${at}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': String(at), 'x-slack-signature': `v0=${hash}` };
}
