import type { FeatureSet, WorkspaceServices } from '../../features/feature.ts';
import type { AuditEntry } from '../../workspaces/audit.ts';
import type { Visibility } from '../../workspaces/channels.ts';
import type { GuestRights } from '../../workspaces/guests.ts';

/** A workspace as the edge uses it. */
export interface WorkspaceEdge
  extends FeatureSet,
    Pick<WorkspaceServices, 'workspaceId' | 'now' | 'source' | 'tooSlow'> {
  /** Who sees an answer that is typed in a channel, where its words say nothing of it; a second old at most. */
  visibilityIn(channelId: string): Promise<Visibility>;
  /** What guests may do; a second old at most. */
  guests(): Promise<GuestRights>;
  /** One listener: it hears of every change that was written to the audit log and committed. */
  onRecorded(listener: (entry: AuditEntry) => void): void;
  /** Does what is due, without waiting for the timer. */
  runDue(): Promise<void>;
}
