import { z } from 'zod';
import type { Imo } from '../../reference/imo.ts';
import { type Rules, rules } from '../evaluation/rules.ts';
import { imo } from '../evaluation/values.ts';
import type { Following } from '../store/watch-list.ts';

/** What an Undo button holds: a watch that was added, or the rules that it had before. */
const undo = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('add'), id: z.string() }),
  /** With the vessels of a fleet, and whose it was, where these changed too. */
  z.object({
    kind: z.literal('rules'),
    id: z.string(),
    rules,
    imos: z.array(imo).optional(),
    ownerId: z.string().optional(),
  }),
]);
export type Undo = z.infer<typeof undo>;

/** Under 2,000 characters, as a button's value has to be: due dates, and the vessels of a fleet, are bounded. */
export const undoAdd = (id: string): string => JSON.stringify({ kind: 'add', id } satisfies Undo);

export const undoRules = (
  id: string,
  before: { rules: Rules },
  others: { imos?: readonly Imo[]; ownerId?: string } = {},
): string => {
  const { imos, ownerId } = others;
  const also = { ...(imos && { imos: [...imos] }), ...(ownerId !== undefined && { ownerId }) };
  return JSON.stringify({ kind: 'rules', id, rules: before.rules, ...also } satisfies Undo);
};

export const vesselsOf = (followings: readonly Following[]): Imo[] =>
  followings.flatMap(({ subject }) => (subject.kind === 'vessel' ? [subject.imo] : []));

/** Undefined for what no button of ours holds. */
export function readUndo(value: string): Undo | undefined {
  try {
    return undo.parse(JSON.parse(value));
  } catch {
    return undefined;
  }
}
