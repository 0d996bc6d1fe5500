import { z } from 'zod';
import { storedDestination } from '../../../messages/destination.ts';
import { limits } from '../../../messages/limits.ts';
import type { Imo } from '../../../reference/imo.ts';
import { imo, locode } from '../../../reference/stored-values.ts';
import { snooze } from '../evaluation/muting.ts';
import type { Rules } from '../rules/index.ts';
import { watchRules } from '../rules/registry.ts';
import type { Subject } from '../store/subject.ts';
import { vesselSubjects, type WatchWithSubjects } from '../store/watch-list.ts';

/** The value of an Undo button: what was done, and the data that undoing it needs. */
const undo = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('add'), id: z.string() }),
  /** The former rules. `imos` (a fleet's vessels) and `ownerId` are set if they were changed too. */
  z.object({
    kind: z.literal('rules'),
    id: z.string(),
    rules: watchRules.rules,
    imos: z.array(imo).min(1).optional(),
    ownerId: z.string().optional(),
  }),
  /** The watch followed vessels (`imos`), a list or a port. */
  z.object({
    kind: z.literal('stop'),
    channelId: z.string(),
    /** Older buttons have none. */
    destination: storedDestination.optional(),
    ownerId: z.string(),
    title: z.string(),
    rules: watchRules.rules,
    snooze: snooze.nullable(),
    imos: z.array(imo).min(1).optional(),
    list: z.string().optional(),
    port: locode.optional(),
  }),
]);
export type Undo = z.infer<typeof undo>;

export const undoAdd = (id: string): string => JSON.stringify({ kind: 'add', id } satisfies Undo);

/** Shorter than 2,000 characters, because a watch has few due dates and a fleet has few vessels. */
export const undoRules = (
  { id, rules }: { id: string; rules: Rules },
  former: { imos?: Imo[]; ownerId?: string } = {},
): string => JSON.stringify({ kind: 'rules', id, rules, ...former } satisfies Undo);

/** Undefined if a button's value can't hold all subjects, or the watch has ended. */
export function undoStop(watch: WatchWithSubjects): string | undefined {
  const { channelId, destination, ownerId, title, rules, snooze, status, followedSubjects } = watch;
  const subject = followedSubjects[0]?.subject;
  if (status === 'ended' || !subject) return undefined;
  const common = { channelId, destination, ownerId, title, rules, snooze };
  const value = JSON.stringify({
    kind: 'stop',
    ...common,
    ...(subject.kind === 'vessel' && { imos: vesselSubjects(followedSubjects) }),
    ...(subject.kind === 'shiplist' && { list: subject.name }),
    ...(subject.kind === 'port' && { port: subject.port }),
  } satisfies Undo);
  return value.length <= limits.buttonValue ? value : undefined;
}

/** The subjects of a stopped watch. */
export function subjectsOfUndo({ imos = [], list, port }: Extract<Undo, { kind: 'stop' }>): Subject[] {
  return [
    ...imos.map((vessel) => ({ kind: 'vessel', imo: vessel }) as const),
    ...(list === undefined ? [] : [{ kind: 'shiplist', name: list } as const]),
    ...(port === undefined ? [] : [{ kind: 'port', port } as const]),
  ];
}

/** Undefined if the value isn't from a button of this bot. */
export function readUndo(value: string): Undo | undefined {
  try {
    return undo.parse(JSON.parse(value));
  } catch {
    return undefined;
  }
}
