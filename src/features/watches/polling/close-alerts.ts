import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { inChunks } from '../../../database/batches.ts';
import type { WorkspaceStore } from '../../../database/workspace-store.ts';
import type { Imo } from '../../../reference/codes.ts';
import { disputeKey, endDispute } from '../../rules/dispute.ts';
import { imosIn, vesselStates, type WatchState, watchState } from '../../rules/evaluation/state.ts';
import type { WatchEvent } from '../../rules/list.ts';
import { imoOf, watchRules } from '../../rules/registry.ts';
import { editAlert } from '../messages/edit-alert.ts';
import { type Alert, readableAlerts } from '../store/alert.ts';

interface Evaluated {
  watchId: string;
  /** Of one subject, after the poll. */
  state: WatchState;
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
        ({ state }) => isAbout(state, event) && !watchRules.isCurrent(event, { at, state, now }),
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

/** The states of a watch's other subjects don't know this vessel. */
const isAbout = (state: WatchState, event: WatchEvent): boolean =>
  !('imo' in event) || state.kind === 'port' || vesselStates(state)[event.imo] !== undefined;

/**
 * Ends the disputes of vessels that a watch doesn't follow any more, and closes their alerts, since no poll will do it.
 * The transaction must hold a lock on the watch.
 */
export async function endAlerts(
  store: WorkspaceStore,
  { watchId, state }: { watchId: string; state: WatchState },
  context: { newId: () => string; now: Date; realNow: Date },
): Promise<void> {
  const { now } = context;
  const imos = imosIn(state);
  for (const imo of imos) {
    const dispute = vesselStates(state)[imo]?.dispute;
    if (!dispute) continue;
    const event = endDispute(dispute, { imo, ranked: [], now }, 'over');
    const alert = { watchId, editKey: disputeKey(event) };
    await editAlert(store, { ...alert, events: [event], isLast: true }, context);
  }
  await closeAlertsOfVessels(store, { watchId, imos }, { now });
}
