import { within } from '../cache.ts';
import { settleAll } from '../database/due.ts';
import type { Logger } from '../log.ts';
import type { OutboxRow } from './outgoing-message.ts';

/** While Slack is slow, a round looks this often for messages to other channels. */
const pauseMs = 1_000;
/** Longer than any answer of Slack takes, with the look-ups before it. It frees the channel if an answer never comes. */
const maxSendMs = 2 * 60_000;

/**
 * The messages being sent: one after the other in a channel, so a channel where Slack is slow holds up no other. They
 * outlive a round, so they don't hold up the next one either.
 */
export function createChannelQueues({ logger }: { logger: Logger }) {
  const busy = new Set<string>();
  const claims = new Set<Promise<void>>();
  let nextEnd = Promise.withResolvers<void>();

  async function sendAll(
    channelId: string,
    rows: readonly OutboxRow[],
    send: (row: OutboxRow) => Promise<void>,
  ): Promise<void> {
    busy.add(channelId);
    try {
      for (const row of rows) await within(send(row), maxSendMs, late);
    } finally {
      busy.delete(channelId);
      nextEnd.resolve();
      nextEnd = Promise.withResolvers();
    }
  }

  return {
    /** The channels to which messages are being sent now, and a promise that resolves when the first queue is empty. */
    now: () => ({ channels: [...busy], end: nextEnd.promise }),
    /** Starts to send the rows of one claim, none of them to a busy channel. `hold` keeps the claim meanwhile. */
    open(
      rows: readonly OutboxRow[],
      send: (row: OutboxRow) => Promise<void>,
      hold: (work: () => Promise<void>) => Promise<void>,
    ): void {
      const byChannel = Map.groupBy(rows, ({ channel_id }) => channel_id);
      const claim = hold(() =>
        settleAll([...byChannel].map(([id, ofChannel]) => sendAll(id, ofChannel, send))),
      )
        .catch((err: unknown) => logger.error({ err }, 'messages could not be sent; they are tried again'))
        .finally(() => claims.delete(claim));
      claims.add(claim);
    },
    /** Resolves when all queues are empty. */
    async idle(): Promise<void> {
      await Promise.all(claims);
    },
  };
}

/** Resolves with `end`, or after a second. */
export const endOrPause = (end: Promise<void>): Promise<void> => within(end, pauseMs, () => undefined);

function late(): never {
  throw new Error('Slack has not answered for two minutes');
}
