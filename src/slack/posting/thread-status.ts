import type { WebClient } from '@slack/web-api';
import { messageOf } from '../../errors.ts';
import type { Logger } from '../../log.ts';

/** «Landfall is working on it …» in a thread, until something is posted there: Slack then removes it. */
export interface ThreadStatus {
  /** False if Slack doesn't show it. Never rejects. */
  isShown: Promise<boolean>;
  /** For a thread in which nothing was posted. */
  clear(): Promise<void>;
}

export type StartStatus = (thread: { channel: string; threadTs: string }) => ThreadStatus;

/** If the process dies, Slack removes the status after two minutes. */
export function createStartStatus({ client, logger }: { client: WebClient; logger: Logger }): StartStatus {
  return ({ channel, threadTs }) => {
    const set = async (status: string): Promise<boolean> => {
      try {
        await client.assistant.threads.setStatus({ channel_id: channel, thread_ts: threadTs, status });
        return true;
      } catch (error) {
        logger.warn({ reason: messageOf(error) }, 'Slack took no status');
        return false;
      }
    };
    const isShown = set('is working on it …');
    return {
      isShown,
      async clear() {
        if (await isShown) await set('');
      },
    };
  };
}
