import type { WorkspaceStore } from '../database/workspace-store.ts';
import type { PendingMessage, Refusal } from '../outbox/outgoing-message.ts';
import type { Actor } from '../workspaces/permissions.ts';

/** A kind of thing that posts in channels, such as watches. It is paused when Slack refuses its messages for good. */
export interface Pausable<Ctx = unknown, AskCtx = Ctx> {
  /** `singular` is also the command that lists the things, and begins their actions in the audit log: `watch.pause`. */
  noun: { singular: string; plural: string };
  /** A sentence for the owner about the time until the things are resumed, or after that. */
  effectOfPause: string;
  /** The outbox kind of the notice about a single thing. */
  noticeKind: string;
  /** Pauses the things with these ids, or all in the channel. Returns those that were not paused before. */
  pause(
    transaction: WorkspaceStore,
    which: {
      code: string;
      of: { ids: readonly string[] } | { channelId: string };
      now: Date;
    },
  ): Promise<PausedThing[]>;
  /** The things that were paused because Slack refused their messages. */
  findPaused(store: WorkspaceStore, filter: PausedFilter): Promise<PausedThing[]>;
  /** The current titles. If left out, the notice shows the titles at the time of the pause. */
  getTitles?(things: readonly { id: string; title: string }[], ctx: Ctx): Promise<string[]>;
  resume(id: string, actor: Actor, ctx: AskCtx): Promise<unknown>;
  /** `resume` throws UserError if the bot can't post in the channel. */
  resumeChecksChannel: boolean;
}

export interface PausedThing {
  id: string;
  title: string;
  ownerId: string;
  /** A notice to the owner about this thing alone. owned/ adds `channelId` and `reason` to its message. */
  notice: Notice;
}

type Notice = Pick<PendingMessage, 'threadKey' | 'message'>;

/** `reason`: Slack's error code; any if omitted. */
export interface PausedFilter {
  ownerId: string;
  channelId: string;
  reason?: string;
}

/** Call this when Slack refuses a message for good. Pauses the things that it is about, or all in the channel. */
export type PauseRefused = (
  store: WorkspaceStore,
  refusal: Refusal,
  /** `toPerson`: the channel of the refused message is a person's id. */
  about: { pausable: Pausable; ids: readonly string[]; toPerson: boolean },
) => Promise<void>;
