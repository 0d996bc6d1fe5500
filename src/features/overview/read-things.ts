import { vesselShort } from '../../answers/formatting/words.ts';
import { portName } from '../../reference/ports.ts';
import { lastAlertTimes } from '../alerts/index.ts';
import { type AskCtx, knownVessel } from '../ctx.ts';
import { planDays, plannedDigestCalls, readAllDigests } from '../digests/index.ts';
import { isPersonalThing } from '../owned/index.ts';
import { findWatches, polledSubjects, type WatchWithSubjects } from '../polling/index.ts';
import { readPromises, type StoredPromise } from '../promises/index.ts';
import { dueInWords } from '../rules/index.ts';
import type { WatchedSubject } from '../scheduled-calls.ts';

export const thingKinds = ['watch', 'digest', 'promise'] as const;
export type ThingKind = (typeof thingKinds)[number];

export const plurals: Record<ThingKind, string> = {
  watch: 'watches',
  digest: 'digests',
  promise: 'promises',
};

export interface Thing {
  kind: ThingKind;
  id: string;
  title: string;
  /** Undefined for the promise of a reference that was typed where the reader may not look: everybody sees the promise itself. */
  channelId: string | undefined;
  ownerId: string | undefined;
  status: 'active' | 'paused' | 'ended';
  /** Slack's error code, if Slack refused its messages. */
  pauseReason: string | null;
  isSnoozed: boolean;
  /** Requests in 30 days; undefined for a promise, which makes none. A poll counts for each watch that shares it. */
  calls: number | undefined;
  openAlerts: number | undefined;
  /** See the column `last_used_at`. */
  usedAt: Date | undefined;
  /** When a promised vessel has to be at its port, in words. */
  due?: string;
}

/** A thing before it is known who may see it. `at`: `personal` for what only its owner sees. */
export interface StoredThing {
  thing: Thing;
  at: 'channel' | 'personal' | 'everywhere';
}

/** All watches, digests and promises of the workspace, and what is polled for them. Never show it as it is. */
export interface Everything {
  things: readonly StoredThing[];
  subjects: readonly WatchedSubject[];
}

export async function readEverything(ctx: AskCtx): Promise<Everything> {
  const { services, now } = ctx;
  const [{ watches }, { subjects }, alertTimes, promises, digests] = await Promise.all([
    findWatches({}, ctx),
    polledSubjects(ctx),
    lastAlertTimes(services.store),
    readPromises(services.store, { after: now() }),
    readDigestThings(ctx),
  ]);
  const calls = callsOfWatches(subjects);
  const watchThings = watches.map((watch) => watchThing(watch, { calls, alertTimes }));
  const byId = new Map(watchThings.map((stored) => [stored.thing.id, stored]));
  return {
    things: [...watchThings, ...digests, ...promises.map((promise) => promiseThing(promise, byId, ctx))],
    subjects,
  };
}

/** One for each watch, as if nobody else followed what it follows: a difference would show that a hidden watch does. */
function callsOfWatches(subjects: readonly WatchedSubject[]): ReadonlyMap<string, number> {
  const calls = new Map<string, number>();
  for (const { watchIds, callsPerDay } of subjects)
    for (const id of watchIds) calls.set(id, (calls.get(id) ?? 0) + callsPerDay * planDays);
  return calls;
}

function watchThing(
  watch: WatchWithSubjects,
  { calls, alertTimes }: { calls: ReadonlyMap<string, number>; alertTimes: ReadonlyMap<string, Date> },
): StoredThing {
  const { id, title, channelId, ownerId, status, pauseReason, snooze, openAlerts, createdAt } = watch;
  return {
    at: isPersonalThing(watch) ? 'personal' : 'channel',
    thing: {
      ...{ kind: 'watch', id, title, channelId, ownerId, status, pauseReason },
      isSnoozed: snooze !== null,
      calls: status === 'active' ? (calls.get(id) ?? 0) : 0,
      openAlerts: openAlerts?.count ?? 0,
      usedAt: alertTimes.get(id) ?? createdAt,
    },
  };
}

async function readDigestThings(ctx: AskCtx): Promise<StoredThing[]> {
  const [digests, planned] = await Promise.all([readAllDigests(ctx), plannedDigestCalls(ctx)]);
  return digests.map((digest) => {
    const { id, title, channelId, ownerId, status, pauseReason, createdAt, lastRunAt } = digest;
    return {
      at: isPersonalThing(digest) ? 'personal' : 'channel',
      thing: {
        ...{ kind: 'digest', id, title, channelId, ownerId, status, pauseReason },
        isSnoozed: false,
        calls: planned.get(id) ?? 0,
        openAlerts: undefined,
        usedAt: lastRunAt ?? createdAt,
      },
    };
  });
}

function promiseThing(
  { id, imo, due, watchId, channelId, ownerId }: StoredPromise,
  watches: ReadonlyMap<string, StoredThing>,
  { vessels, now }: AskCtx,
): StoredThing {
  const vessel = vesselShort(knownVessel(imo, vessels));
  const title = `${due.reference === undefined ? '' : `${due.reference} · `}${vessel} at ${portName(due.port)}`;
  // A watch may end between the two reads; nothing says any more who sees its promises.
  const ofWatch = watchId === null ? undefined : (watches.get(watchId)?.at ?? 'personal');
  return {
    at: ofWatch ?? 'everywhere',
    thing: {
      ...{ kind: 'promise', id, title, channelId, ownerId },
      ...{ status: 'active', pauseReason: null, isSnoozed: false },
      ...{ calls: undefined, openAlerts: undefined, usedAt: undefined },
      due: dueInWords(due, now()),
    },
  };
}

export function countsOf(things: readonly Pick<Thing, 'kind'>[]): Record<ThingKind, number> {
  const count = (wanted: ThingKind) => things.filter(({ kind }) => kind === wanted).length;
  return { watch: count('watch'), digest: count('digest'), promise: count('promise') };
}
