import { z } from 'zod';
import { limits, storedDestination } from '../../answers/message.ts';
import { imo, locode } from '../../reference/prediction.ts';
import { snooze } from '../rules/evaluation/muting.ts';
import type { Rules } from '../rules/list.ts';
import { watchRules } from '../rules/registry.ts';
import {
  targetOf,
  vesselSubjects,
  type WatchTarget,
  type WatchWithSubjects,
  watchedPort,
} from './store/watch-list.ts';

/** The value of an Undo button: what was done, and the data that undoing it needs. */
const undo = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('add'), id: z.string() }),
  /** The former rules. `ownerId` is set if it was changed too. */
  z.object({
    kind: z.literal('rules'),
    id: z.string(),
    rules: watchRules.rules,
    ownerId: z.string().optional(),
  }),
  /** The watch was about vessels (`imos`, the last members of the `fleet`) or a list, anywhere or at a port; or a port. */
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
    fleet: z.string().optional(),
    list: z.string().optional(),
    port: locode.optional(),
  }),
]);
export type Undo = z.infer<typeof undo>;

export const undoAdd = (id: string): string => JSON.stringify({ kind: 'add', id } satisfies Undo);

/** Shorter than 2,000 characters, because a watch has few due dates. */
export const undoRules = (
  { id, rules }: { id: string; rules: Rules },
  former: { ownerId?: string } = {},
): string => JSON.stringify({ kind: 'rules', id, rules, ...former } satisfies Undo);

/** Undefined if a button's value can't hold all subjects, or the watch has ended. */
export function undoStop(watch: WatchWithSubjects): string | undefined {
  const { channelId, destination, ownerId, title, rules, snooze, status, fleet, condition } = watch;
  const subject = watch.followedSubjects[0]?.subject;
  const imos = condition?.imos ?? vesselSubjects(watch.followedSubjects);
  const port = watchedPort(targetOf(watch));
  if (status === 'ended' || !subject) return undefined;
  const common = { channelId, destination, ownerId, title, rules, snooze };
  const value = JSON.stringify({
    kind: 'stop',
    ...common,
    ...(imos.length > 0 && { imos }),
    ...(fleet !== null && { fleet }),
    ...(subject.kind === 'shiplist' && { list: subject.name }),
    ...(port !== undefined && { port }),
  } satisfies Undo);
  return value.length <= limits.buttonValue ? value : undefined;
}

/** What a stopped watch was about; no subjects if the button's value names none. */
export function targetOfUndo(stopped: Extract<Undo, { kind: 'stop' }>): WatchTarget {
  const { imos, fleet = null, list, port } = stopped;
  const vessels = (imos ?? []).map((vessel) => ({ kind: 'vessel', imo: vessel }) as const);
  const lists = list === undefined ? [] : [{ kind: 'shiplist', name: list } as const];
  if (port === undefined) return { fleet, condition: null, subjects: [...vessels, ...lists] };
  const ports = [{ kind: 'port', port } as const];
  if (!imos && lists.length === 0) return { fleet, condition: null, subjects: ports };
  return { fleet, condition: { port, imos: imos ?? null }, subjects: imos ? ports : lists };
}

/** Undefined if the value isn't from a button of this bot. */
export function readUndo(value: string): Undo | undefined {
  try {
    return undo.parse(JSON.parse(value));
  } catch {
    return undefined;
  }
}
