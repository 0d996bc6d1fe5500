import { type Selectable, type SqlBool, sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import type { WorkspaceStore } from '../../../database/workspace-store.ts';
import type { WatchEvent } from '../../rules/list.ts';
import { type Alert, type DoneBy, readableAlerts } from './alert.ts';

/** What nobody has acknowledged. */
export interface OpenAlerts {
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
