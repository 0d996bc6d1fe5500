import { setTimeout as sleep } from 'node:timers/promises';
import { createLease } from '../../../database/due.ts';
import type { WorkspaceStore } from '../../../database/workspace-store.ts';
import { UserError } from '../../../errors.ts';
import type { WithDeadlinePaused } from '../../ctx.ts';

interface TurnOptions {
  store: WorkspaceStore;
  newId: () => string;
  wait?: (ms: number) => Promise<unknown>;
}

/** Longer than Slack takes to post a card. */
const leaseMs = 15_000;
const waitMs = 200;
/** For two minutes: Slack accepts one card a second, and a person may paste many lines at once. */
const maxWaits = 600;

/**
 * Requests that add watches to one channel run one after the other, on all instances, so the second one finds the
 * first one's watch. `work` gets `stillOurTurn`, which restarts the lease, and returns false if another request has
 * taken the turn. Throws UserError if the turn doesn't come within two minutes.
 */
export async function oneAtATime<Result>(
  channelId: string,
  { store, newId, wait = sleep }: TurnOptions,
  withDeadlinePaused: WithDeadlinePaused,
  work: (stillOurTurn: () => Promise<boolean>) => Promise<Result>,
): Promise<Result> {
  const lease = createLease(store, { key: `watch.add ${channelId}`, token: newId() });
  const waitForTurn = async () => {
    for (let waits = 0; !(await lease.acquire(leaseMs)); waits += 1) {
      if (waits === maxWaits) throw channelBusy();
      await wait(waitMs);
    }
  };
  await withDeadlinePaused(waitForTurn());
  try {
    return await work(() => lease.renew(leaseMs));
  } finally {
    // The watch is saved by now. A lease that can't be released expires.
    await lease.release().catch(() => undefined);
  }
}

export const channelBusy = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message: 'Another watch is being added to this channel just now, so nothing was saved.',
    hint: 'Please try again in a moment.',
  });
