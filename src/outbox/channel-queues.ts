import { settleAll } from '../database/due.ts';
import type { OutboxRow } from './outgoing-message.ts';

/** While Slack is slow, a round looks this often for messages to other channels. */
const pauseMs = 1_000;

/** The messages being sent: one after the other in a channel, so a channel where Slack is slow holds up no other. */
export function createChannelQueues() {
  const busy = new Set<string>();
  const claims: Promise<void>[] = [];
  let nextEnd = Promise.withResolvers<void>();

  async function sendAll(
    channelId: string,
    rows: readonly OutboxRow[],
    send: (row: OutboxRow) => Promise<void>,
  ): Promise<void> {
    busy.add(channelId);
    try {
      for (const row of rows) await send(row);
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
      );
      // `closed` throws the error.
      claim.catch(() => {});
      claims.push(claim);
    },
    /** Resolves when all queues are empty. Throws the first error. */
    closed: (): Promise<void> => settleAll(claims),
  };
}

/** Resolves with `end`, or after a second. */
export async function endOrPause(end: Promise<void>): Promise<void> {
  const { promise: pause, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, pauseMs);
  await Promise.race([end, pause]);
  clearTimeout(timer);
}
