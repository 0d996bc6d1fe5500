import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { capitalised } from '../../answers/formatting/words.ts';
import { storedDestination } from '../../answers/message.ts';
import { inChunks } from '../../database/batches.ts';
import type { Schema } from '../../database/schema.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import type { VesselDirectory } from '../../grammar/vessel-directory.ts';
import { pendingMessage, type QueueContext } from '../../outbox/outgoing-message.ts';
import { dueKey, type VesselDue } from '../../predictions/promises.ts';
import type { Imo, PortOrGroup } from '../../reference/codes.ts';
import { portLabel } from '../../reference/ports.ts';
import type { OwnedThing } from '../owned/index.ts';
import type { StoredPromise } from '../promises/index.ts';
import {
  type PortCondition,
  portCondition,
  type Rules,
  type Snooze,
  snooze,
  watchRules,
} from '../rules/index.ts';

/** `title`: `DS CYPRESS`, `fleet NORTH`. It is stored with the vessels' names of that time; `withTitle` renews them. */
export interface Watch extends OwnedThing {
  /** The key of the fleet whose members it follows; see `fleetKey`. */
  fleet: string | null;
  /** The name of the group whose ports it follows. */
  portGroup: string | null;
  /** Limits it to the calls of some vessels at one port, or at each port of its group. */
  condition: PortCondition | null;
  /** Its due dates are the watch's own promises. */
  rules: Rules;
  /** All that apply to its vessels, its own included; empty until `withPromises` adds them. */
  promises: readonly VesselDue[];
  snooze: Snooze | null;
  /** `paused`: Slack refuses its messages; `ended`: by its rule “until next port”. */
  status: (typeof watchStatuses)[number];
  /** Slack's error code. */
  pauseReason: string | null;
  /** The Slack timestamp of the card; null if the card was deleted. */
  cardTs: string | null;
  createdAt: Date;
}

export const watchStatuses = ['active', 'paused', 'ended'] as const;

/** The buttons of a watch. Their value is the watch's id unless it says otherwise. */
export const watchActionIds = {
  /** The value comes from add-line.ts. */
  add: 'watch:add',
  acknowledge: 'watch:acknowledge',
  /** Under alerts. The value is the outbox id of their message. */
  acknowledgeMessage: 'watch:acknowledge-message',
  /** In a reminder and on the Home tab. The value is the alert's id. */
  acknowledgeAlert: 'watch:acknowledge-alert',
  /** A menu; the value of each option is `<choice> <watch id>`. */
  snooze: 'watch:snooze',
  refresh: 'watch:refresh',
  /** Under a notice, and on cards of before: there, Slack's own dialog asks first. */
  stop: 'watch:stop',
  /** For menus: the bot asks in a window, since Slack has no dialog for a single option. */
  askToStop: 'watch:ask-to-stop',
  /** The answer to that question. */
  stopAsked: 'watch:stop-asked',
  resume: 'watch:resume',
  /** The value is the watch's id and the name of a list. */
  asList: 'watch:as-list',
  /** Its value and that of `undo` come from button-values.ts. */
  confirmChange: 'watch:confirm-change',
  undo: 'watch:undo',
} as const;

/** `date` opens a form; `wake` ends the snooze. */
export type SnoozeChoice = '1h' | 'eta' | 'next-port' | 'date' | 'wake';

export type Names = Pick<VesselDirectory, 'nameOf'>;

const maxNamed = 3;

/** `DS CYPRESS`; `DS CYPRESS, MSC DIANA, IMO 9811000 and 2 more`. */
export function vesselsTitle(imos: readonly Imo[], { nameOf }: Names): string {
  const named = imos.map((imo) => nameOf(imo) ?? `IMO ${imo}`);
  const rest = named.length - maxNamed;
  return rest > 0 ? `${named.slice(0, maxNamed).join(', ')} and ${rest} more` : named.join(', ');
}

/** `fleet NORTH at Rotterdam (NLRTM)`. */
export const withPort = (title: string, port: PortOrGroup | undefined): string =>
  port === undefined ? title : `${title} at ${portLabel(port)}`;

/** A title that begins a line: `Fleet NORTH`. Names of vessels stay as they are. */
export const titleAtStart = (title: string): string =>
  title.replace(/^(?:fleet|list|group|port) /, capitalised);

/** Who changes a watch, and when. */
export interface ChangedBy {
  actorId: string;
  /** The domain clock. */
  now: Date;
  /** The real clock. */
  realNow: Date;
  /** The watch's current title, for the audit log and notices. Omitted: its stored title. */
  title?: string;
}

/** Promises have rows of their own. */
export const storedRules = ({ due: _, ...rules }: Rules): string => JSON.stringify(rules);

/**
 * The watch with the promises of these vessels. Those of references, which the whole workspace sees, are left out where
 * people of other organisations may read.
 */
export function withPromises<W extends Watch>(
  watch: W,
  imos: ReadonlySet<Imo>,
  stored: readonly StoredPromise[],
): W {
  const own = stored.filter(({ watchId }) => watchId === watch.id);
  const mayShare = watch.outsidersAllowedBy === null && watch.condition === null;
  const shared = stored.filter(({ watchId }) => watchId === null && mayShare);
  const due = [...new Map(own.map((promise) => [dueKey(promise.due), promise.due])).values()];
  const promises = [...own, ...shared].filter(({ imo }) => imos.has(imo));
  return {
    ...watch,
    rules: { ...watch.rules, due },
    promises: promises.map(({ imo, due }) => ({ imo, due })),
  };
}

/** Without promises: see `withPromises`. */
export function readWatch(row: Selectable<Schema['watches']>): Watch {
  return {
    id: row.id,
    channelId: row.channel_id,
    destination: storedDestination.parse(row.destination),
    ownerId: row.owner_id,
    title: row.title,
    fleet: row.fleet,
    portGroup: row.port_group,
    condition: portCondition.nullable().parse(row.condition),
    rules: watchRules.rules.parse(row.rules),
    promises: [],
    snooze: snooze.nullable().parse(row.snooze),
    status: z.enum(watchStatuses).parse(row.status),
    pauseReason: row.pause_reason,
    outsidersAllowedBy: row.outsiders_allowed_by,
    cardTs: row.card_ts,
    createdAt: row.created_at,
  };
}

/** About how long Refresh must wait for its poll. */
export const pollTakesMs = 2_500;

/** Queues an update of each card, unless an update is waiting already, since it will show the card's newest state. */
export async function queueCardUpdates(
  store: WorkspaceStore,
  watches: readonly Pick<Watch, 'id' | 'channelId'>[],
  { newId, now, realNow, dueAt = realNow }: QueueContext & { dueAt?: Date },
): Promise<void> {
  const message = { kind: 'card-update' };
  const rows = watches.map(({ id: threadKey, channelId }) =>
    pendingMessage({ id: newId(), threadKey, channelId, message, now, dueAt }),
  );
  for (const chunk of inChunks(rows)) {
    await store
      .insertInto('outbox', chunk)
      .onConflict((conflict) =>
        conflict
          .column('thread_key')
          .where(sql<boolean>`kind = 'card-update' and status = 'pending'`)
          .doNothing(),
      )
      .execute();
  }
}

/** Makes the updates due that wait for the poll of a Refresh. Updates that Slack has delayed keep waiting. */
export async function expediteCardUpdates(
  store: WorkspaceStore,
  { watchIds, realNow }: { watchIds: readonly string[]; realNow: Date },
): Promise<void> {
  if (watchIds.length === 0) return;
  const latest = new Date(realNow.getTime() + pollTakesMs);
  const waiting = store
    .selectFrom('outbox')
    .select('id')
    .where('kind', '=', 'card-update')
    .where('status', '=', 'pending')
    .where('error', 'is', null)
    .where('thread_key', 'in', watchIds)
    .where('due_at', '>', realNow)
    .where('due_at', '<=', latest)
    .orderBy('id')
    .forUpdate()
    .skipLocked();
  await store.updateTable('outbox').set({ due_at: realNow }).where('id', 'in', waiting).execute();
}
