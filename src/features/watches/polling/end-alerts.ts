import type { WorkspaceStore } from '../../../database/workspace-store.ts';
import { disputeKey, endDispute } from '../evaluation/dispute.ts';
import { imosIn, vesselStates, type WatchState } from '../evaluation/state.ts';
import { editAlert } from '../messages/edit-alert.ts';
import { closeAlertsOfVessels } from './close-alerts.ts';

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
