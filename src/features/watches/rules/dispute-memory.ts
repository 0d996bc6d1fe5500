import { z } from 'zod';
import type { Prospect } from '../../../reference/stored-values.ts';
import { damping } from '../evaluation/damping.ts';
import { isWithin } from '../evaluation/next-port.ts';

/** What a rule that begins disputes remembers of a call. An armed rule counts the polls in which its condition holds. */
export const disputeMemory = z
  .object({ isArmed: z.boolean(), polls: z.number() })
  .default({ isArmed: false, polls: 0 });
type DisputeMemory = z.output<typeof disputeMemory>;

export const armedIf = (isArmed: boolean): DisputeMemory => ({ isArmed, polls: 0 });

/** So far ahead, the card alone shows a dispute. */
export const isFar = ({ eta }: Prospect, now: Date): boolean =>
  eta !== null && !isWithin(damping.farDays * 24, eta, now);

/** Confirmed in the second poll running. After that, and during a dispute, the rule is disarmed until all is clear. */
export function nextPoll(
  { isArmed, polls }: DisputeMemory,
  { isDisputed, isTrue, isClear }: { isDisputed: boolean; isTrue: boolean; isClear: boolean },
): { isConfirmed: boolean; memory: DisputeMemory } {
  if (isDisputed || !isArmed) return { isConfirmed: false, memory: armedIf(isClear && !isDisputed) };
  if (!isTrue) return { isConfirmed: false, memory: armedIf(true) };
  const isConfirmed = polls + 1 >= damping.consecutivePolls;
  return { isConfirmed, memory: isConfirmed ? armedIf(false) : { isArmed, polls: polls + 1 } };
}
