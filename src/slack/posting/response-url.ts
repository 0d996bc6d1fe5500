import { request } from 'undici';
import type { Message } from '../../answers/message.ts';
import { type Measure, measureNothing } from '../../measure.ts';
import { deliver, type RefusedBlocks } from './deliver.ts';
import { ResponseUrlError } from './slack-errors.ts';

interface ResponseOptions {
  response_type?: 'ephemeral' | 'in_channel';
  replace_original?: boolean;
  thread_ts?: string;
}

/** Longer than a picture may take: Slack refuses one that doesn't come, and then the answer goes out without it. */
export const postTimeoutMs = 10_000;

export type ResponseUrl = ReturnType<typeof createResponseUrl>;

/**
 * Answers a click or a slash command. Bolt's `respond` has no timeout, and hides the reason of a refusal. The global
 * `fetch` takes four times the CPU time of undici's `request`, which it is made of; both share their connections.
 */
export function createResponseUrl(
  url: string,
  { refused, measure = measureNothing }: { refused?: RefusedBlocks; measure?: Measure } = {},
) {
  async function post(content: object): Promise<void> {
    let outcome = 'none';
    try {
      outcome = (await postOnce(content)) ?? 'ok';
    } finally {
      measure({ kind: 'slack', method: 'response_url', outcome });
    }
    if (outcome !== 'ok') throw new ResponseUrlError(outcome);
  }

  /** Returns Slack's code if it refused the message. */
  async function postOnce(content: object): Promise<string | undefined> {
    const { statusCode, body } = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(content),
      signal: AbortSignal.timeout(postTimeoutMs),
    });
    const code = refusalIn(await body.text());
    const isOk = statusCode >= 200 && statusCode < 300;
    return isOk ? code : (code ?? `http_${statusCode}`);
  }
  return {
    send: (message: Message, options: ResponseOptions) =>
      deliver(message, (rendering) => post({ ...rendering, ...options }), refused),
    deleteOriginal: () => post({ delete_original: true }),
  };
}

/** Slack answers `ok`, `{"ok":true}`, a bare word such as `invalid_blocks`, or `{"ok":false,"error":…}`. */
function refusalIn(answer: string): string | undefined {
  const json = /"error"\s*:\s*"([a-z_]+)"/.exec(answer)?.[1];
  if (json) return json;
  return /^[a-z_]{3,40}$/.test(answer) ? answer : undefined;
}
