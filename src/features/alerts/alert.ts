import { max } from 'date-fns/max';
import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import { inChunks } from '../../database/batches.ts';
import type { Schema } from '../../database/schema.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import type { Imo, Locode } from '../../reference/codes.ts';
import { canonicalPort } from '../../reference/ports.ts';
import {
  imoOf,
  vesselStates,
  type WatchEvent,
  type WatchState,
  watchRules,
  watchState,
} from '../rules/index.ts';

/** The assignee of a critical alert that nobody acknowledges for so long is reminded, once. */
export const reminderMinutes = 30;

/** Who did something, and when, on the domain clock. */
interface DoneBy {
  by: string;
  at: Date;
}

/** What one poll found out about one subject of a watch: a reply in its thread, or a part of one. */
export interface Alert {
  id: string;
  watchId: string;
  /** The outbox row whose message shows it. */
  messageId: string;
  /** When the events were found out. */
  at: Date;
  /** When Slack took the message; null before that. */
  notifiedAt: Date | null;
  events: readonly WatchEvent[];
  isCritical: boolean;
  assignment: (DoneBy & { assigneeId: string }) | null;
  acknowledgement: DoneBy | null;
  /** It says nothing any more, and nobody was assigned to it. */
  isClosed: boolean;
}

export const alertEvents = z.array(watchRules.event).readonly();

/** Those that can be read, since a later version may have written them: one bad row must not hide the others. */
export const readableAlerts = (rows: readonly Selectable<Schema['alerts']>[]): Alert[] =>
  rows.flatMap((row): Alert[] => {
    const { assignee_id: assigneeId, assigned_by, assigned_at, acknowledged_by, acknowledged_at } = row;
    const { data: events } = alertEvents.safeParse(row.events);
    if (!events) return [];
    const isAssigned = assigneeId && assigned_by && assigned_at;
    return [
      {
        id: row.id,
        watchId: row.watch_id,
        messageId: row.message_id,
        at: row.at,
        notifiedAt: row.notified_at,
        events,
        isCritical: row.is_critical,
        assignment: isAssigned ? { assigneeId, by: assigned_by, at: assigned_at } : null,
        acknowledgement:
          acknowledged_by && acknowledged_at ? { by: acknowledged_by, at: acknowledged_at } : null,
        isClosed: row.closed_at !== null,
      },
    ];
  });

/** What nobody has acknowledged. */
interface OpenAlerts {
  /** The newest critical alert, or the newest. */
  first: Alert;
  /** The next ones, in this order: the first few. */
  others: readonly Alert[];
  /** All of them. */
  count: number;
}

/** The events of the alerts that were read. */
export const openEvents = ({ openAlerts }: AlertState): readonly WatchEvent[] =>
  openAlerts ? [openAlerts.first, ...openAlerts.others].flatMap(({ events }) => events) : [];

export interface AlertState {
  openAlerts: OpenAlerts | null;
  /** The last one; null while an alert is open. */
  acknowledgement: DoneBy | null;
}

export const noAlerts: AlertState = { openAlerts: null, acknowledgement: null };

/** A card shows which of its vessels have critical alerts. */
const maxPerWatch = 10;

/** By watch; watches without alerts are left out. */
export async function readAlertStates(
  store: WorkspaceStore,
  watchIds: readonly string[],
): Promise<Map<string, AlertState>> {
  const states = new Map<string, AlertState>();
  if (watchIds.length === 0) return states;
  for (const { watch_id, acknowledged_by: by, acknowledged_at: at } of await lastAcknowledged(
    store,
    watchIds,
  ))
    if (by && at) states.set(watch_id, { openAlerts: null, acknowledgement: { by, at } });
  const { rows } = await sql<Selectable<Schema['alerts']> & { open_count: number }>`
    select * from (
      select alerts.*, count(*) over (partition by watch_id) as open_count,
        row_number() over (partition by watch_id order by is_critical desc, at desc, id desc) as place
      from alerts
      where ${store.isOwn('alerts')} and watch_id in (${sql.join(watchIds)}) and acknowledged_at is null and closed_at is null
    ) as ranked where place <= ${maxPerWatch} order by watch_id, place`.execute(store);
  const counts = new Map(rows.map(({ id, open_count }) => [id, Number(open_count)]));
  const byWatch = Map.groupBy(readableAlerts(rows), ({ watchId }) => watchId);
  for (const [watchId, [first, ...others]] of byWatch) {
    if (!first) continue;
    const openAlerts = { first, others, count: counts.get(first.id) ?? 1 };
    states.set(watchId, { openAlerts, acknowledgement: null });
  }
  return states;
}

const lastAcknowledged = (store: WorkspaceStore, watchIds: readonly string[]) =>
  store
    .selectFrom('alerts')
    .select(['watch_id', 'acknowledged_by', 'acknowledged_at'])
    .where('watch_id', 'in', watchIds)
    .where(
      'acknowledged_at',
      '=',
      store
        .selectFrom('alerts as others')
        .select(({ fn }) => fn.max('others.acknowledged_at').as('last'))
        .where(sql<SqlBool>`others.watch_id = alerts.watch_id`),
    )
    .execute();

/** When each watch last found something out, or somebody acknowledged an alert of it or was assigned to one. */
export async function lastAlertTimes(store: WorkspaceStore): Promise<Map<string, Date>> {
  const rows = await store
    .selectFrom('alerts')
    .select(({ fn }) => [
      'watch_id',
      fn.max('at').as('at'),
      fn.max('assigned_at').as('assigned_at'),
      fn.max('acknowledged_at').as('acknowledged_at'),
    ])
    .groupBy('watch_id')
    .execute();
  return new Map(
    rows.map(({ watch_id, at, assigned_at, acknowledged_at }) => [
      watch_id,
      max([at, assigned_at ?? at, acknowledged_at ?? at]),
    ]),
  );
}

/** An open alert, with its watch. */
export interface AlertOfWatch {
  alert: Alert;
  /** Its stored title. */
  title: string;
  channelId: string;
  isPersonal: boolean;
  /** The message that shows it; null while it isn't sent. */
  ts: string | null;
  /** The person owns the watch. */
  isOwn: boolean;
  isAssigned: boolean;
}

/** More than anybody has an eye for. */
const maxRead = 200;

type Row = Selectable<Schema['alerts']> & {
  title: string;
  channel_id: string;
  destination: string;
  owner_id: string;
  ts: string | null;
};

/** The open alerts assigned to a person, then those of the watches that they own; critical and newest first. */
export async function readOpenAlerts(store: WorkspaceStore, userId: string): Promise<AlertOfWatch[]> {
  const { rows } = await sql<Row>`
    with open (id) as (
      select id from alerts
      where ${store.isOwn('alerts')} and assignee_id = ${userId} and acknowledged_at is null
      union
      select alerts.id from watches join alerts on alerts.watch_id = watches.id
      where ${store.isOwn('watches')} and ${store.isOwn('alerts')}
        and owner_id = ${userId} and acknowledged_at is null and closed_at is null
    )
    select alerts.*, watches.title, watches.channel_id, watches.destination, watches.owner_id, outbox.ts
    from open
    join alerts on ${store.isOwn('alerts')} and alerts.id = open.id
    join watches on ${store.isOwn('watches')} and watches.id = alerts.watch_id
    left join outbox on ${store.isOwn('outbox')} and outbox.id = alerts.message_id
    order by case when assignee_id = ${userId} then 0 else 1 end, is_critical desc, alerts.at desc, alerts.id
    limit ${maxRead}`.execute(store);
  return rows.flatMap((row) =>
    readableAlerts([row]).map((alert) => {
      const { title, channel_id: channelId, owner_id, ts } = row;
      const isAssigned = alert.assignment?.assigneeId === userId;
      const isPersonal = row.destination === 'direct-message';
      return { alert, title, channelId, isPersonal, ts, isOwn: owner_id === userId, isAssigned };
    }),
  );
}

interface Evaluated {
  watchId: string;
  /** Of one subject, after the poll. */
  state: WatchState;
  /** The subject, if it is a port: a watch of a group of ports has several. */
  port?: Locode | undefined;
}

/**
 * Closes open alerts that no longer say anything about their vessels: nobody needs to acknowledge them. Those that are
 * assigned to somebody stay open. The transaction must hold locks on the watches.
 */
export async function closeAlerts(
  store: WorkspaceStore,
  evaluated: readonly Evaluated[],
  { now }: { now: Date },
): Promise<void> {
  const byWatch = Map.groupBy(evaluated, ({ watchId }) => watchId);
  const saysNothing = ({ watchId, at, events }: Alert) =>
    events.every((event) =>
      (byWatch.get(watchId) ?? []).some(
        ({ state, port }) => isAbout(state, event, port) && !watchRules.isCurrent(event, { at, state, now }),
      ),
    );
  await closeThose(store, [...byWatch.keys()], {
    now,
    async choose(open) {
      const over = open.filter(saysNothing);
      const stale = await readStale(store, over.filter(isOfService));
      return over.filter((alert) => !(isOfService(alert) && stale.has(alert.watchId)));
    },
  });
}

const isOfService = ({ events }: Alert): boolean => events.some((event) => imoOf(event) === undefined);

/** Such an alert doesn't say which of its watch's subjects it is about: it is over once all have been answered. */
async function readStale(store: WorkspaceStore, alerts: readonly Alert[]): Promise<ReadonlySet<string>> {
  if (alerts.length === 0) return new Set();
  const rows = await store
    .selectFrom('followings')
    .select(['watch_id', 'state'])
    .where('watch_id', 'in', [...new Set(alerts.map(({ watchId }) => watchId))])
    .execute();
  return new Set(
    rows.filter(({ state }) => watchState.safeParse(state).data?.stale).map(({ watch_id }) => watch_id),
  );
}

/** Closes open alerts that are only about these vessels, which the watch doesn't follow any more. */
export const closeAlertsOfVessels = (
  store: WorkspaceStore,
  { watchId, imos }: { watchId: string; imos: readonly Imo[] },
  context: { now: Date },
): Promise<void> =>
  closeThose(store, [watchId], {
    ...context,
    choose: async (open) =>
      open.filter(({ events }) => events.every((event) => 'imo' in event && imos.includes(event.imo))),
  });

async function closeThose(
  store: WorkspaceStore,
  watchIds: readonly string[],
  { now, choose }: { now: Date; choose: (open: readonly Alert[]) => Promise<Alert[]> },
): Promise<void> {
  for (const ids of inChunks(watchIds)) {
    const rows = await store
      .selectFrom('alerts')
      .selectAll()
      .where('watch_id', 'in', ids)
      .where(isOpen)
      .execute();
    for (const chunk of inChunks(await choose(readableAlerts(rows)))) {
      await store
        .updateTable('alerts')
        .set({ closed_at: now })
        .where(
          'id',
          'in',
          chunk.map(({ id }) => id),
        )
        .execute();
    }
  }
}

const isOpen: RawBuilder<SqlBool> = sql`acknowledged_at is null and closed_at is null and assignee_id is null`;

/** The states of a watch's other subjects don't know this vessel, or are those of other ports. */
function isAbout(state: WatchState, event: WatchEvent, port: Locode | undefined): boolean {
  if (!('imo' in event)) return true;
  if (state.kind !== 'port') return vesselStates(state)[event.imo] !== undefined;
  const calledAt = portOfCall(event);
  return port === undefined || calledAt === undefined || canonicalPort(calledAt) === canonicalPort(port);
}

function portOfCall(event: WatchEvent): Locode | undefined {
  const [now, was] = ['now' in event ? event.now : null, 'was' in event ? event.was : null];
  return (now ?? was)?.port;
}
