import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { acquireClaim, releaseClaim, renewClaim } from '../../../database/claim.ts';
import type { Schema } from '../../../database/schema.ts';
import { UserError } from '../../../errors.ts';

/** Awaits what others hold up, with the deadline paused; it restarts afterwards. */
export type WithDeadlinePaused = <T>(waiting: Promise<T>) => Promise<T>;

interface TurnOptions {
  db: Kysely<Schema>;
  workspaceId: string;
  newId: () => string;
  realNow: () => number;
  wait?: (ms: number) => Promise<unknown>;
}

/** Longer than a card takes to be posted. */
const leaseMs = 15_000;
const waitMs = 200;
/** Two minutes: Slack takes a card a second, and many may be typed, or pasted, at once. */
const maxWaits = 600;

/**
 * Two who add in one channel at the same moment, on two instances even, do it one after the other: the second
 * finds what the first has made. `isOurs` says whether it still is our turn, and lengthens it. Throws UserError
 * when the turn does not come, or is asked for too late. `withDeadlinePaused` awaits the turn.
 */
export async function oneAtATime<Result>(
  channelId: string,
  { db, workspaceId, newId, realNow, wait = sleep }: TurnOptions,
  withDeadlinePaused: WithDeadlinePaused,
  work: (isOurs: () => Promise<boolean>) => Promise<Result>,
): Promise<Result> {
  const claim = { workspaceId, key: `watch.add ${channelId}`, holder: newId() };
  const lease = () => ({ realNow: new Date(realNow()), leaseMs });
  const turn = async () => {
    for (let waits = 0; !(await acquireClaim(db, claim, lease())); waits += 1) {
      if (waits === maxWaits) throw busy();
      await wait(waitMs);
    }
  };
  await withDeadlinePaused(turn());
  try {
    return await work(() => renewClaim(db, claim, lease()));
  } finally {
    // What was saved is saved: a turn that can't be given back expires.
    await releaseClaim(db, claim).catch(() => undefined);
  }
}

export const busy = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message: 'Another watch is being added to this channel just now, so nothing was saved.',
    hint: 'Please try again in a moment.',
  });
