import { setTimeout as delay } from 'node:timers/promises';
import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, type WebClient } from '@slack/web-api';
import { type Rendering, SlackRefusal } from './deliver.ts';
import { metadataOf } from './find-message.ts';

export interface Posts {
  /** Returns the message's `ts`. `id` goes into its metadata, so that it can be found again. */
  post(target: { channel: string; threadTs?: string; id?: string }, rendering: Rendering): Promise<string>;
  postEphemeral(
    target: { channel: string; user: string; threadTs?: string },
    rendering: Rendering,
  ): Promise<void>;
  update(target: { channel: string; ts: string }, rendering: Rendering): Promise<void>;
}

/**
 * `chat.postMessage`, `chat.postEphemeral` and `chat.update`. A rate-limited call has posted nothing, so it is
 * repeated after the time that Slack gives, for `maxWaitSeconds` in all.
 */
export function createPosts(
  client: WebClient,
  wait: (ms: number) => Promise<unknown> = delay,
  maxWaitSeconds = 60,
): Posts {
  const attempt = <T>(call: () => Promise<T>) => retryWhenRateLimited(call, { wait, maxWaitSeconds });
  return {
    async post({ channel, threadTs, id }, { text, blocks }) {
      const posted = await attempt(() =>
        client.chat.postMessage({
          channel,
          text,
          ...(blocks && { blocks }),
          ...(threadTs && { thread_ts: threadTs }),
          ...(id !== undefined && { metadata: metadataOf(id) }),
          unfurl_links: false,
        }),
      );
      return posted.ts ?? '';
    },
    async postEphemeral({ channel, user, threadTs }, { text, blocks = [] }) {
      const thread = threadTs ? { thread_ts: threadTs } : {};
      await attempt(() => client.chat.postEphemeral({ channel, user, text, blocks, ...thread }));
    },
    async update({ channel, ts }, { text, blocks = [] }) {
      await attempt(() => client.chat.update({ channel, ts, text, blocks }));
    },
  };
}

async function retryWhenRateLimited<T>(
  call: () => Promise<T>,
  { wait, maxWaitSeconds }: { wait: (ms: number) => Promise<unknown>; maxWaitSeconds: number },
): Promise<T> {
  for (let waited = 0; ; ) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof WebAPIRateLimitedError)) return rethrow(error);
      waited += Math.max(1, error.retryAfter);
      if (waited > maxWaitSeconds) throw error;
      await wait(error.retryAfter * 1000);
    }
  }
}

function rethrow(error: unknown): never {
  if (error instanceof WebAPIPlatformError) throw new SlackRefusal(error.data.error, { cause: error });
  if (error instanceof WebAPIHTTPError) throw new SlackRefusal(`http_${error.statusCode}`, { cause: error });
  throw error;
}
