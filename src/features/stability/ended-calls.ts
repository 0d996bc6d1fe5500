import { millisecondsInMinute } from 'date-fns/constants';
import { createYieldToEventLoop } from '../../database/yield-to-event-loop.ts';
import { followCalls, openCalls } from '../../predictions/calls.ts';
import type { EndedCall } from '../../predictions/stability.ts';
import { type Polled, slowestMinutes } from '../watches/polling/next-poll.ts';

const stored = openCalls.nullable();

/** A poll that is due is made within this time, unless there is trouble. */
const lateMinutes = 30;
const maxPauseMs = (slowestMinutes + lateMinutes) * millisecondsInMinute;

/** `open`: what to store with each subject, by its id; nothing for a failed poll, or one of a port. */
export async function findEndedCalls(
  polls: readonly Polled[],
): Promise<{ open: Map<string, string>; ended: EndedCall[] }> {
  const open = new Map<string, string>();
  const ended: EndedCall[] = [];
  // A list may have a thousand vessels.
  const yieldToEventLoop = createYieldToEventLoop();
  for (const { row, snapshot } of polls) {
    if (snapshot.kind === 'failed' || snapshot.kind === 'port') continue;
    await yieldToEventLoop();
    // A newer version may have written it otherwise: then the calls begin anew.
    const { data: before = null } = stored.safeParse(row.open_calls);
    const followed = followCalls(before, snapshot, { maxPauseMs });
    open.set(row.id, JSON.stringify(followed.open));
    const list = snapshot.kind === 'shiplist' ? snapshot.name : '';
    ended.push(...followed.ended.map((call) => ({ ...call, list })));
  }
  return { open, ended };
}
