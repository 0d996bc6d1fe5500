import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { Refusal } from '../outbox/outgoing-message.ts';
import type { PendingMessage } from '../outbox/pending-message.ts';
import type { Actor } from '../workspaces/permissions.ts';

/** Things of a feature that post in a channel; they are paused where Slack takes no message from them any more. */
export interface Pausable {
  /** As in `3 watches`; `one` is in the audit log too, and is the command that lists them. */
  words: { one: string; several: string };
  /** What becomes of them meanwhile. */
  meanwhile: string;
  /** The kind of the notice about one of them alone. */
  noticeKind: string;
  /** Those that were active, and are paused now. In the caller's transaction. */
  pause(
    db: Kysely<Schema>,
    which: { workspaceId: string; code: string; of: { ids: readonly string[] } | { channelId: string } },
  ): Promise<PausedThing[]>;
  /** All that an owner has paused in one channel for one cause, notified or not. */
  paused(db: Kysely<Schema>, about: PauseCause & { ownerId: string }): Promise<PausedThing[]>;
  /** As they are called when their owner is notified; as they were called where left out. */
  titlesNow?(things: readonly { id: string; title: string }[]): Promise<string[]>;
  /** Resumes what a person owns and is paused in a channel; gives back how many. */
  resumeIn(channelId: string, actor: Actor): Promise<number>;
  /** `resumeIn` throws UserError where nothing can be posted: it goes first. */
  checksChannel: boolean;
}

export interface PausedThing {
  id: string;
  title: string;
  ownerId: string;
  /** To its owner, about it alone; channel and reason are added. */
  notice: Pick<PendingMessage, 'watchId' | 'digestId' | 'message'>;
}

/** `reason`: Slack's code. */
export interface PauseCause {
  workspaceId: string;
  channelId: string;
  reason: string;
}

/** What a message that Slack refuses for good does to the things that it is about, and to its channel. */
export type PauseRefused = (
  db: Kysely<Schema>,
  refusal: Refusal,
  /** `toPerson`: the row's channel is a person's id. */
  about: { part: Pausable; ids: readonly string[]; toPerson: boolean },
) => Promise<void>;
