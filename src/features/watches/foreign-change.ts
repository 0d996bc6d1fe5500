import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { UserError } from '../../errors.ts';
import type { Actor } from '../../workspaces/permissions.ts';
import { watchRules } from '../rules/registry.ts';
import type { Watch } from './store/watch.ts';
import type { WatchWithSubjects } from './store/watch-list.ts';

/** The value of the button that changes somebody else's watch: what it will be. */
const foreignChange = z.object({
  id: z.string(),
  /** The fingerprint of the watch about which the question was asked. */
  was: z.string(),
  rules: watchRules.rules,
  /** The owner, if that changes too. */
  ownerId: z.string().optional(),
  /** The watch was paused, and was added again. */
  resumes: z.literal(true).optional(),
});
export type ForeignChange = z.infer<typeof foreignChange>;

/** A question before somebody else's watch is changed. */
export interface ChangeQuestion {
  kind: 'question';
  /** The watch as it is. */
  watch: WatchWithSubjects;
  change: ForeignChange;
}

export const isForeign = ({ ownerId }: Pick<Watch, 'ownerId'>, { userId }: Pick<Actor, 'userId'>): boolean =>
  ownerId !== userId;

export const askToChange = (
  watch: WatchWithSubjects,
  change: Omit<ForeignChange, 'id' | 'was'>,
): ChangeQuestion => ({
  kind: 'question',
  watch,
  change: { ...change, id: watch.id, was: fingerprintOf(watch) },
});

/** Always shorter than 2,000 characters, because a watch has few due dates. */
export const changeValue = (change: ForeignChange): string => JSON.stringify(change);

/** Undefined if the value isn't from a button of this bot. */
export function readChange(value: string): ForeignChange | undefined {
  try {
    return foreignChange.parse(JSON.parse(value));
  } catch {
    return undefined;
  }
}

/** Whether the watch is still as it was when the question was asked. */
export const isUnchanged = (watch: WatchWithSubjects, { was }: ForeignChange): boolean =>
  fingerprintOf(watch) === was;

/** Throws UserError if there is nothing left to change, as after a second click. That answer stays separate. */
export function checkDiffers(watch: WatchWithSubjects, { rules, ownerId }: ForeignChange): void {
  const isSame = isDeepStrictEqual(watch.rules, rules) && (ownerId ?? watch.ownerId) === watch.ownerId;
  if (!isSame) return;
  throw new UserError({
    code: 'not-allowed',
    message: `The watch of ${watch.title} is like that already, so nothing was changed.`,
  });
}

const fingerprintOf = ({ rules, ownerId }: WatchWithSubjects): string =>
  hash('sha256', JSON.stringify([rules, ownerId])).slice(0, 16);
