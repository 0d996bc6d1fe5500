import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { limits, storedDestination } from '../../answers/message.ts';
import { UserError } from '../../errors.ts';
import { isPortGroup } from '../../reference/codes.ts';
import { imo, locode } from '../../reference/prediction.ts';
import type { Actor } from '../../workspaces/permissions.ts';
import {
  portSubjects,
  targetOf,
  vesselSubjects,
  type Watch,
  type WatchTarget,
  type WatchWithSubjects,
  watchedPort,
  withPorts,
} from '../polling/index.ts';
import { type Rules, snooze, watchRules } from '../rules/index.ts';

/** The value of the button that changes somebody else's watch: what it will be. */
const foreignChange = z.object({
  id: z.string(),
  /** The fingerprint of the watch about which the question was asked. */
  was: z.string(),
  rules: watchRules.rules,
  /** The keys of the rules that were typed; left out if all were chosen. */
  typedRules: z.array(z.string()).readonly().optional(),
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
  /** Since it was asked before. */
  hasChanged?: true;
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

export const readChange = (value: string) => readValue(foreignChange, value);

/** Undefined if the value isn't from a button of this bot. */
function readValue<Value>(schema: z.ZodType<Value>, value: string): Value | undefined {
  try {
    return schema.parse(JSON.parse(value));
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
  /**
   * The watch was about vessels (`imos`, the last members of the `fleet`) or a list, anywhere or at a port; or a port. In
   * place of a port: a group, and its last `ports`.
   */
  z.object({
    kind: z.literal('stop'),
    channelId: z.string(),
    destination: storedDestination,
    ownerId: z.string(),
    title: z.string(),
    rules: watchRules.rules,
    snooze: snooze.nullable(),
    imos: z.array(imo).min(1).optional(),
    fleet: z.string().optional(),
    list: z.string().optional(),
    port: locode.optional(),
    portGroup: z.string().optional(),
    ports: z.array(locode).optional(),
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
  const { channelId, destination, ownerId, title, rules, snooze, status, fleet, portGroup, condition } =
    watch;
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
    ...(port !== undefined && !isPortGroup(port) && { port }),
    ...(portGroup !== null && { portGroup, ports: portSubjects(watch.followedSubjects) }),
  } satisfies Undo);
  return value.length <= limits.buttonValue ? value : undefined;
}

/** What a stopped watch was about; no subjects if the button's value names none. */
export function targetOfUndo(stopped: Extract<Undo, { kind: 'stop' }>): WatchTarget {
  const { imos, fleet = null, list, port, portGroup = null, ports: last = [] } = stopped;
  const vessels = (imos ?? []).map((vessel) => ({ kind: 'vessel', imo: vessel }) as const);
  const lists = list === undefined ? [] : [{ kind: 'shiplist', name: list } as const];
  if (portGroup !== null) {
    const condition = imos ? { port: null, imos } : null;
    return withPorts({ fleet, portGroup, condition, subjects: [] }, last);
  }
  if (port === undefined) return { fleet, portGroup, condition: null, subjects: [...vessels, ...lists] };
  const ports = [{ kind: 'port', port } as const];
  if (!imos && lists.length === 0) return { fleet, portGroup, condition: null, subjects: ports };
  return { fleet, portGroup, condition: { port, imos: imos ?? null }, subjects: imos ? ports : lists };
}

export const readUndo = (value: string) => readValue(undo, value);
