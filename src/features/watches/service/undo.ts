import { z } from 'zod';
import { storedDestination } from '../../../messages/destination.ts';
import type { Imo } from '../../../reference/imo.ts';
import { imo, locode } from '../../../reference/stored-values.ts';
import { snooze } from '../evaluation/muting.ts';
import type { Rules } from '../rules/index.ts';
import { watchRules } from '../rules/registry.ts';
import type { Subject } from '../store/subject.ts';
import type { Following, WatchWithFollowings } from '../store/watch-list.ts';

/** What an Undo button holds: a watch that was added, the rules that it had before, or one that was stopped. */
const undo = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('add'), id: z.string() }),
  /** With the vessels of a fleet, and whose it was, where these changed too. */
  z.object({
    kind: z.literal('rules'),
    id: z.string(),
    rules: watchRules.rules,
    imos: z.array(imo).optional(),
    ownerId: z.string().optional(),
  }),
  /** A watch that was stopped, as it is to be added again: it follows vessels, or one of the others. */
  z.object({
    kind: z.literal('stop'),
    channelId: z.string(),
    /** None in older buttons. */
    destination: storedDestination.optional(),
    ownerId: z.string(),
    title: z.string(),
    rules: watchRules.rules,
    snooze: snooze.nullable(),
    imos: z.array(imo).optional(),
    list: z.string().optional(),
    port: locode.optional(),
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

const longestValue = 2_000;

/** Undefined where too much is followed for a button's value, and for what has ended. */
export function undoStop(watch: WatchWithFollowings): string | undefined {
  const { channelId, destination, ownerId, title, rules, snooze, status, followings } = watch;
  const [first] = followings;
  if (status === 'ended' || !first) return undefined;
  const about = { channelId, destination, ownerId, title, rules, snooze };
  const value = JSON.stringify({ kind: 'stop', ...about, ...followed(first, followings) } satisfies Undo);
  return value.length <= longestValue ? value : undefined;
}

function followed({ subject }: Following, all: readonly Following[]) {
  switch (subject.kind) {
    case 'vessel':
      return { imos: vesselsOf(all) };
    case 'shiplist':
      return { list: subject.name };
    case 'port':
      return { port: subject.port };
  }
}

/** What a stopped watch followed; none for what no button of ours holds. */
export function subjectsOfUndo({ imos = [], list, port }: Extract<Undo, { kind: 'stop' }>): Subject[] {
  return [
    ...imos.map((one) => ({ kind: 'vessel', imo: one }) as const),
    ...(list === undefined ? [] : [{ kind: 'shiplist', name: list } as const]),
    ...(port === undefined ? [] : [{ kind: 'port', port } as const]),
  ];
}

export const vesselsOf = (followings: readonly Following[]): Imo[] =>
  followings.flatMap(({ subject }) => (subject.kind === 'vessel' ? [subject.imo] : []));

/** Undefined for what no button of ours holds. */
export function readUndo(value: string): Undo | undefined {
  try {
    // As buttons of earlier versions have it.
    return undo.parse(JSON.parse(value.replace('"noLongerListed"', '"noLongerPredicted"')));
  } catch {
    return undefined;
  }
}
