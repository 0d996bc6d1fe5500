import { createHmac } from 'node:crypto';
import { parseJson } from '../json.ts';
import type { Delivery, Outcome, Transport } from './transport.ts';

export interface HttpTransport extends Transport {
  setRequestUrl(url: string): void;
  /** The check that Slack makes when a request URL is entered: the app must return the challenge. */
  verify(challenge: string): Promise<boolean>;
}

/**
 * Sends signed requests like Slack's.
 * @see https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export function createHttpTransport(options: {
  requestUrl?: string | undefined;
  signingSecret: string;
  verificationToken: string;
  ackTimeoutMs: number;
  fetch: typeof fetch;
  /** Milliseconds of the real clock, with which the receiver compares its own. */
  signatureNow: () => number;
  onConnected: (connected: boolean) => void;
}): HttpTransport {
  let requestUrl = options.requestUrl;

  async function post(body: string, contentType: string, retry?: Delivery['retry']): Promise<Outcome> {
    if (!requestUrl) return { ok: false, error: 'dispatch_failed', reason: 'connection_failed' };
    const timestamp = String(Math.floor(options.signatureNow() / 1000));
    const headers: Record<string, string> = {
      'content-type': contentType,
      'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': sign(options.signingSecret, timestamp, body),
    };
    if (retry) {
      headers['x-slack-retry-num'] = String(retry.num);
      headers['x-slack-retry-reason'] = retry.reason;
    }
    try {
      const signal = AbortSignal.timeout(options.ackTimeoutMs);
      const response = await options.fetch(requestUrl, { method: 'POST', headers, body, signal });
      const text = await response.text();
      if (!response.ok) return { ok: false, error: 'dispatch_failed', reason: 'http_error' };
      return { ok: true, body: readAck(text, response.headers.get('content-type') ?? '') };
    } catch (error) {
      const isTimeout = error instanceof Error && error.name === 'TimeoutError';
      return isTimeout
        ? { ok: false, error: 'operation_timeout', reason: 'http_timeout' }
        : { ok: false, error: 'dispatch_failed', reason: 'connection_failed' };
    }
  }

  return {
    deliver({ kind, payload, retry }) {
      if (kind === 'events_api') return post(JSON.stringify(payload), 'application/json', retry);
      const form = new URLSearchParams();
      if (kind === 'interactive') form.set('payload', JSON.stringify(payload));
      else for (const [key, value] of Object.entries(payload)) form.set(key, String(value));
      return post(form.toString(), 'application/x-www-form-urlencoded', retry);
    },
    connected: () => requestUrl !== undefined,
    setRequestUrl(url) {
      requestUrl = url;
      options.onConnected(true);
    },
    async verify(challenge) {
      const body = { token: options.verificationToken, challenge, type: 'url_verification' };
      const outcome = await post(JSON.stringify(body), 'application/json');
      if (!outcome.ok) return false;
      const answer = outcome.body;
      return typeof answer === 'object' && answer !== null && 'challenge' in answer
        ? answer.challenge === challenge
        : answer === challenge;
    },
    close() {},
  };
}

/** `v0=` plus the hex HMAC-SHA256 of `v0:timestamp:body`. */
export function sign(signingSecret: string, timestamp: string, body: string): string {
  return `v0=${createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
}

function readAck(text: string, contentType: string): unknown {
  if (text.trim() === '') return undefined;
  return contentType.includes('json') ? parseJson(text) : text;
}
