import type { FeatureSet } from '../../features/feature.ts';
import type { WorkspaceServices } from '../../features/services.ts';
import type { AuditEntry } from '../../workspaces/audit.ts';
import type { GuestRights, LinkMode, Visibility } from '../../workspaces/settings.ts';

/** A workspace as the edge uses it. */
export interface WorkspaceEdge extends FeatureSet, Pick<WorkspaceServices, 'now' | 'newId' | 'source'> {
  workspaceId: string;
  /** The channel's setting for lines that end in neither `public` nor `private`; at most a second old. */
  visibilityIn(channelId: string): Promise<Visibility>;
  /** What guests may do; at most a second old. */
  guestRights(): Promise<GuestRights>;
  /** Whether links to vessels show the next ports; at most a second old. */
  linkMode(): Promise<LinkMode>;
  /** Replaces the listener, which gets each audit entry after its commit. */
  setAuditListener(listener: (entry: AuditEntry) => void): void;
  /** Pauses the channel's watches and digests, and notifies their owners once. */
  markUnavailable(channel: { channelId: string; code: string }): Promise<void>;
  /** By whoever runs Landfall; at most a second old. */
  isPaused(): Promise<boolean>;
  /** Called when a person asks something that may be answered. */
  recordUse(): void;
  /** Does the workspace's due work without waiting for the timer. */
  runDue(): Promise<void>;
}
