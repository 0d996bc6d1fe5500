import { sql } from 'kysely';
import { z } from 'zod';
import { createYieldToEventLoop, inChunks, valuesList } from '../../database/batches.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import type { Subject } from '../../predictions/next-port.ts';
import { type Imo, isImo, isLocode } from '../../reference/codes.ts';
import { type Access, type Actor, notInChannel } from '../../workspaces/permissions.ts';
import { matchesScope, type ScopeFilter } from '../scope.ts';

/** How a subject is stored. */
export interface SubjectColumns {
  kind: string;
  key: string;
}

export function toColumns(subject: Subject): SubjectColumns {
  switch (subject.kind) {
    case 'vessel':
      return { kind: 'vessel', key: String(subject.imo) };
    case 'shiplist':
      return { kind: 'shiplist', key: subject.name };
    case 'port':
      return { kind: 'port', key: subject.port };
  }
}

/** Undefined if a newer version wrote a kind that this one doesn't know. */
export function fromColumns({ kind, key }: SubjectColumns): Subject | undefined {
  const imo = Number(key);
  if (kind === 'vessel' && isImo(imo)) return { kind, imo };
  if (kind === 'shiplist') return { kind, name: key };
  if (kind === 'port' && isLocode(key)) return { kind, port: key };
  return undefined;
}

/** `vessel 9461477`: unique to a subject. */
export const columnsKey = ({ kind, key }: SubjectColumns): string => `${kind} ${key}`;

export const subjectKey = (subject: Subject): string => columnsKey(toColumns(subject));

/** The subjects that watches of a workspace follow, with their states. */
export const selectFollowed = (store: WorkspaceStore) =>
  store.selectFrom('followings').innerJoin(...store.join('subjects', 'subjects.id', 'followings.subject_id'));

interface Watched {
  subject: Subject;
  /** The vessel, or those that the list had in its last answer. */
  imos: readonly Imo[];
  /** By the rule “until next port”. */
  isEnded: boolean;
}

/** The vessels and lists that are watched in a scope. A watch of a port, or of vessels at a port, counts as watching neither. */
export async function readWatched(store: WorkspaceStore, filter: ScopeFilter): Promise<Watched[]> {
  const rows = await selectFollowed(store)
    .innerJoin(...store.join('watches', 'watches.id', 'followings.watch_id'))
    .select(['kind', 'key', 'state', 'status'])
    .where('kind', '!=', 'port')
    .where('condition', 'is', null)
    .where(matchesScope(filter))
    .orderBy('created_at')
    .orderBy('watches.id')
    .execute();
  const yieldToEventLoop = createYieldToEventLoop();
  const watched: Watched[] = [];
  for (const { state, status, ...columns } of rows) {
    await yieldToEventLoop();
    const subject = fromColumns(columns);
    if (!subject) continue;
    const imos = subject.kind === 'vessel' ? [subject.imo] : vesselsIn(state);
    watched.push({ subject, imos, isEnded: status === 'ended' });
  }
  return watched;
}

/** The part of a watch's state that names the vessels of a list. */
const stateOfVessels = z.object({ vessels: z.record(z.string(), z.unknown()) });

const vesselsIn = (state: unknown): Imo[] =>
  Object.keys(stateOfVessels.safeParse(state).data?.vessels ?? {})
    .map(Number)
    .filter(isImo);

/** Those of the vessels that no active watch in a scope follows. */
export async function unwatchedOf(
  imos: readonly Imo[],
  filter: ScopeFilter,
  store: WorkspaceStore,
): Promise<Imo[]> {
  const watched = new Set<string>();
  for (const keys of inChunks(imos.map(String))) {
    const rows = await selectFollowed(store)
      .innerJoin(...store.join('watches', 'watches.id', 'followings.watch_id'))
      .select('key')
      .distinct()
      .where('kind', '=', 'vessel')
      .where('key', 'in', keys)
      .where('status', '=', 'active')
      .where(matchesScope(filter))
      .execute();
    for (const { key } of rows) watched.add(key);
  }
  return imos.filter((imo) => !watched.has(String(imo)));
}

type WatchedBy = { channelId: string } | { ownerId: string };

interface Services {
  store: WorkspaceStore;
  access: Pick<Access, 'mayUse'>;
}

const mayAsk = async (by: WatchedBy, actor: Actor, { access }: Services): Promise<boolean> =>
  !('channelId' in by) || (await access.mayUse(by.channelId, actor));

const readActive = async (by: WatchedBy, { store }: Services): Promise<Watched[]> =>
  (await readWatched(store, by)).filter(({ isEnded }) => !isEnded);

/** What a channel or a person watches, with the vessels of lists; sorted by IMO number. Throws UserError for a non-member. */
export async function watchedVessels(by: WatchedBy, actor: Actor, services: Services): Promise<Imo[]> {
  if (!(await mayAsk(by, actor, services))) throw notInChannel({ saves: false });
  const imos = (await readActive(by, services)).flatMap((watched) => watched.imos);
  return [...new Set(imos)].sort((imo, otherImo) => imo - otherImo);
}

/** The provider's lists that are watched there; none for a non-member. */
export async function watchedLists(by: WatchedBy, actor: Actor, services: Services): Promise<string[]> {
  if (!(await mayAsk(by, actor, services))) return [];
  const watched = await readActive(by, services);
  return [...new Set(watched.flatMap(({ subject }) => (subject.kind === 'shiplist' ? subject.name : [])))];
}

/** A time when a subject was watched, without its end, which is null while it still is. */
export interface WatchedTime {
  begin: Date;
  end: Date | null;
}

/** Who may see the watch may see what is polled from now on. A paused watch watches nothing until it is resumed. */
export async function beginWatched(
  store: WorkspaceStore,
  followings: readonly { watchId: string; subjects: readonly Subject[] }[],
  now: Date,
): Promise<void> {
  const wanted = followings.flatMap(({ watchId, subjects }) =>
    subjects.map(toColumns).map(({ kind, key }) => [watchId, kind, key]),
  );
  for (const chunk of inChunks(wanted)) {
    await sql`
      insert into watched_times (workspace_id, watch_id, kind, key, begun_at, ended_at, channel_id, owner_id)
      select watches.workspace_id, watches.id, column2, column3, cast(${now} as bigint), null, channel_id, owner_id
      from (${valuesList(chunk, ['text', 'text', 'text'])}) as wanted
      join watches on ${store.isOwn('watches')} and watches.id = column1 and watches.status = 'active'
      where not exists (
        select 1 from watched_times where ${store.isOwn('watched_times')}
          and watched_times.kind = column2 and watched_times.key = column3
          and watched_times.watch_id = column1 and ended_at is null
      )
      on conflict (workspace_id, kind, key, watch_id, begun_at) do update set ended_at = null`.execute(store);
  }
}

/** Of these subjects, or of all that the watch follows. */
export async function endWatched(
  store: WorkspaceStore,
  { watchId, keys, now }: { watchId: string; keys?: readonly SubjectColumns[]; now: Date },
): Promise<void> {
  const all = store
    .updateTable('watched_times')
    .set({ ended_at: now })
    .where('watch_id', '=', watchId)
    .where('ended_at', 'is', null);
  if (!keys) return void (await all.execute());
  for (const chunk of inChunks(keys))
    await all.where(sql<string>`kind || ' ' || key`, 'in', chunk.map(columnsKey)).execute();
}

export async function changeWatchedOwner(
  store: WorkspaceStore,
  { id, ownerId }: { id: string; ownerId: string },
): Promise<void> {
  await store.updateTable('watched_times').set({ owner_id: ownerId }).where('watch_id', '=', id).execute();
}

/** By the subject's key: when it was watched by watches that the filter matches. Merged, the earliest first. */
export type WatchedTimes = ReadonlyMap<string, readonly WatchedTime[]>;

/**
 * The one place that decides which polls a person may see: those made while a watch that they may list followed the
 * subject. Every other poll was made for somebody else. Of these subjects, and of all lists.
 */
export async function readWatchedTimes(
  store: WorkspaceStore,
  { subjects, filter }: { subjects: readonly Subject[]; filter: ScopeFilter },
): Promise<WatchedTimes> {
  const rows: (SubjectColumns & { begun_at: Date; ended_at: Date | null })[] = [];
  const select = () =>
    store
      .selectFrom('watched_times')
      .select(['kind', 'key', 'begun_at', 'ended_at'])
      .where(matchesScope(filter));
  rows.push(...(await select().where('kind', '=', 'shiplist').execute()));
  for (const kind of ['vessel', 'port'] as const) {
    const keys = subjects.filter((subject) => subject.kind === kind).map((subject) => toColumns(subject).key);
    for (const chunk of inChunks([...new Set(keys)]))
      rows.push(...(await select().where('kind', '=', kind).where('key', 'in', chunk).execute()));
  }
  return new Map(
    [...Map.groupBy(rows, columnsKey)].map(([key, times]) => [
      key,
      merged(times.map(({ begun_at: begin, ended_at: end }) => ({ begin, end }))),
    ]),
  );
}

function merged(times: readonly WatchedTime[]): WatchedTime[] {
  const sorted = times.toSorted((one, other) => one.begin.getTime() - other.begin.getTime());
  const result: WatchedTime[] = [];
  for (const time of sorted) {
    const last = result.at(-1);
    if (!last || (last.end && last.end < time.begin)) result.push({ ...time });
    else if (last.end && (!time.end || time.end > last.end)) last.end = time.end;
  }
  return result;
}

/** The time that holds this moment. */
export const watchedAt = (times: readonly WatchedTime[] = [], at: Date): WatchedTime | undefined =>
  times.find(({ begin, end }) => begin <= at && (!end || at < end));
