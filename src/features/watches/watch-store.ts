import { isDeepStrictEqual } from 'node:util';
import { type SqlBool, sql } from 'kysely';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { deleteUnsent, pendingMessage } from '../../outbox/outgoing-message.ts';
import type { Subject } from '../../predictions/next-port.ts';
import type { AuditEntry } from '../../workspaces/audit.ts';
import { cancelCardCleanup, scheduleFinalCard, type WatchMessage } from '../cards/index.ts';
import { beginWatched, changeWatchedOwner, fromColumns, selectFollowed } from '../history/index.ts';
import { auditEntries, checkChannelLimit, type OwnedKind } from '../owned/index.ts';
import {
  type ChangedBy,
  deleteUnfollowed,
  follow,
  lockFleetMembers,
  lockGroupPorts,
  pollSoon,
  pollTakesMs,
  queueCardUpdates,
  readWatch,
  storedRules,
  unfollow,
  type Watch,
  type WatchTarget,
  watchActionIds,
  withMembers,
  withPorts,
  withPromises,
} from '../polling/index.ts';
import { changePromisesOwner, readOwnPromises, setOwnPromises } from '../promises/index.ts';
import type { Rules } from '../rules/index.ts';
import type { WorkspaceServices } from '../services.ts';
import { channelBusy } from './one-at-a-time.ts';

export const watchKind: OwnedKind = {
  noun: { singular: 'watch', plural: 'watches' },
  called: (title) => `the watch of ${title}`,
  end: {
    ...{ verb: 'Stop', done: 'stopped', action: watchActionIds.stopAsked },
    effect: 'Nobody will be notified any more; earlier alerts stay.',
  },
  lists: { here: 'watch list', mine: 'watch list mine' },
  howToMakeRoom: 'Stop some of them, or add the watch in another channel.',
};

/** `id` is set if a card was posted with this id in its buttons, after `scheduleCardRemoval`. */
type NewWatch = Pick<Watch, 'channelId' | 'destination' | 'ownerId' | 'title' | 'rules' | 'cardTs'> &
  Partial<Pick<Watch, 'id' | 'snooze' | 'outsidersAllowedBy'>> &
  WatchTarget;

export type WatchChange = Partial<Pick<Watch, 'ownerId' | 'rules' | 'snooze' | 'outsidersAllowedBy'>>;

/** What changes of watches and alerts use. */
export interface StoreCtx {
  services: Pick<WorkspaceServices, 'store' | 'audited' | 'newId'> & {
    settings: Pick<WorkspaceServices['settings'], 'maxWatchesPerChannel'>;
  };
}

/** A watch whose row is locked by the transaction. */
interface LockedWatch {
  watch: Watch;
  transaction: WorkspaceStore;
  /** Writes an entry about the watch into the audit log. */
  record(action: string, values?: Partial<AuditEntry>): Promise<void>;
}

/** Undefined if the watch is gone. */
export const withWatch = <T>(
  id: string,
  by: ChangedBy,
  { services: { audited, newId } }: StoreCtx,
  work: (locked: LockedWatch) => Promise<T>,
): Promise<T | undefined> =>
  audited(async (transaction, record) => {
    const row = await transaction
      .selectFrom('watches')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!row) return undefined;
    const own = await readOwnPromises(transaction, id);
    const watch = {
      ...withPromises(readWatch(row), new Set(own.map(({ imo }) => imo)), own),
      ...(by.title !== undefined && { title: by.title }),
    };
    return await work({
      watch,
      transaction,
      record: (action, values) => record(auditEntries(newId)(watch, action, by, values)),
    });
  });

/** Throws UserError if the channel is full. */
export const checkLimit = (
  { channelId }: { channelId: string },
  store: WorkspaceStore,
  { services: { settings } }: StoreCtx,
): Promise<void> => checkChannelLimit(watchKind, store, { channelId, max: settings.maxWatchesPerChannel });

/**
 * The subjects are polled at once; those of a fleet or a group are its current members. Throws UserError if the channel is
 * full, or the card is gone already.
 */
export const createWatch = (draft: NewWatch, by: ChangedBy, ctx: StoreCtx): Promise<Watch> =>
  ctx.services.audited(async (transaction, record) => {
    const { newId } = ctx.services;
    const newWatch = await withCurrentMembers(transaction, draft);
    const { id = newId(), subjects } = newWatch;
    await checkLimit(newWatch, transaction, ctx);
    if (newWatch.id !== undefined && !(await cancelCardCleanup(transaction, { id }))) throw channelBusy();
    const inserted = await insertWatch(transaction, newWatch, { id, now: by.now });
    await follow(transaction, [{ watchId: id, subjects }], { newId, now: by.now });
    const watch = { ...inserted, rules: newWatch.rules };
    await setDueDates(transaction, watch, { subjects, by, newId });
    const after = { rules: watch.rules, subjects, ...allowed(watch) };
    await record(auditEntries(newId)(watch, 'watch.add', by, { after }));
    return watch;
  });

/**
 * Deletes the watch with its rules' memory. Its messages stay in Slack. The outbox soon shows the final card, unless
 * `cancelCardCleanup` is called.
 */
export const deleteWatch = (id: string, by: ChangedBy, ctx: StoreCtx): Promise<Watch | undefined> =>
  withWatch(id, by, ctx, async ({ watch, transaction, record }) => {
    const { droppedIds } = await unfollow(transaction, { watch, kept: [], now: by.now });
    await transaction.deleteFrom('watches').where('id', '=', id).execute();
    await deleteUnsent(transaction, id);
    await scheduleFinalCard(transaction, watch, by);
    await deleteUnfollowed(transaction, droppedIds);
    await record('watch.stop', { before: { rules: watch.rules } });
    return watch;
  });

export const changeWatch = (
  id: string,
  change: WatchChange,
  by: ChangedBy,
  ctx: StoreCtx,
): Promise<Watch | undefined> =>
  withWatch(id, by, ctx, async ({ watch: before, transaction, record }) => {
    if (isDeepStrictEqual({ ...before, ...change }, before)) return before;
    const { newId } = ctx.services;
    const { ownerId, rules, snooze } = change;
    await transaction.updateTable('watches').set(columnsOf(change)).where('id', '=', id).execute();
    if (rules && !isDeepStrictEqual(rules.due, before.rules.due)) {
      const subjects = await subjectsOf(transaction, id);
      await setDueDates(transaction, { ...before, rules }, { subjects, by, newId });
    }
    if (ownerId !== undefined) {
      await changeWatchedOwner(transaction, { id, ownerId });
      await changePromisesOwner(transaction, { watchId: id, ownerId });
    }
    // That poll computes when the watch wakes: from its snooze, or from quiet hours, which are among the rules.
    if (snooze !== undefined || rules) await pollSoon(transaction, before, by.now);
    await queueCardUpdates(transaction, [before], { newId, ...by });
    // Object.keys returns strings; these are the keys of a WatchChange.
    const keys = Object.keys(change) as (keyof WatchChange)[];
    const old = Object.fromEntries(keys.map((key) => [key, before[key]]));
    const ownerIds = [before.ownerId, ...(ownerId === undefined ? [] : [ownerId])];
    await record('watch.change', { before: old, after: change, ownerIds });
    if (rules) await notifyOwner(transaction, before, { rules, id: newId(), by });
    return { ...before, ...change };
  });

/** Polls the subjects at once, and updates the card after that. */
export const pollNow = (id: string, by: ChangedBy, ctx: StoreCtx): Promise<Watch | undefined> =>
  withWatch(id, by, ctx, async ({ watch, transaction }) => {
    await pollSoon(transaction, watch, by.now);
    const dueAt = new Date(by.realNow.getTime() + pollTakesMs);
    await queueCardUpdates(transaction, [watch], { newId: ctx.services.newId, ...by, dueAt });
    return watch;
  });

/** Sends the messages that were held while the watch was paused. */
export const endPause = (id: string, by: ChangedBy, ctx: StoreCtx): Promise<Watch | undefined> =>
  withWatch(id, by, ctx, async ({ watch, transaction, record }) => {
    if (watch.status !== 'paused') return watch;
    await transaction
      .updateTable('watches')
      .set({ status: 'active', pause_reason: null })
      .where('id', '=', id)
      .execute();
    const subjects = await subjectsOf(transaction, id);
    await beginWatched(transaction, [{ watchId: id, subjects }], by.now);
    await releaseHeldMessages(transaction, watch, by.realNow);
    await pollSoon(transaction, watch, by.now);
    await queueCardUpdates(transaction, [watch], { newId: ctx.services.newId, ...by });
    await record('watch.resume');
    return { ...watch, status: 'active', pauseReason: null };
  });

async function subjectsOf(store: WorkspaceStore, watchId: string): Promise<Subject[]> {
  const followed = selectFollowed(store).select(['kind', 'key']);
  const rows = await followed.where('watch_id', '=', watchId).execute();
  return rows.flatMap((row) => fromColumns(row) ?? []);
}

/** Its due dates are promises of its vessel, or of each if it is older than promises. */
async function setDueDates(
  transaction: WorkspaceStore,
  { id: watchId, channelId, ownerId, rules }: Watch,
  { subjects, by, newId }: { subjects: readonly Subject[]; by: ChangedBy; newId: () => string },
): Promise<void> {
  const imos = subjects.flatMap((subject) => (subject.kind === 'vessel' ? [subject.imo] : []));
  await setOwnPromises(transaction, { watchId, channelId, imos, dates: rules.due }, { by, newId, ownerId });
}

const allowed = ({ outsidersAllowedBy }: Watch) =>
  outsidersAllowedBy === null ? {} : { outsidersAllowedBy };

async function withCurrentMembers(transaction: WorkspaceStore, draft: NewWatch): Promise<NewWatch> {
  const { fleet, portGroup } = draft;
  const imos = fleet === null ? [] : await lockFleetMembers(transaction, fleet);
  const ports = portGroup === null ? [] : await lockGroupPorts(transaction, portGroup);
  const withVessels = imos.length === 0 ? draft : withMembers(draft, imos);
  return ports.length === 0 ? withVessels : withPorts(withVessels, ports);
}

async function releaseHeldMessages(store: WorkspaceStore, { id }: Watch, realNow: Date): Promise<void> {
  const isHeld = sql<SqlBool>`thread_key = ${id} and status = 'held'`;
  // The caller queues one new update of the card, which replaces all held ones.
  await store.deleteFrom('outbox').where(isHeld).where('kind', '=', 'card-update').execute();
  // No two updates of a message wait at the same time.
  const waiting = sql`select payload from outbox
    where ${store.isOwn('outbox')} and thread_key = ${id} and kind = 'reply-update' and status = 'pending'`;
  await store.deleteFrom('outbox').where(isHeld).where(sql<SqlBool>`payload in (${waiting})`).execute();
  await store
    .updateTable('outbox')
    .set({
      // A message that may have been sent is looked up in Slack first.
      status: sql`case when attempted_at is null then 'pending' else 'sending' end`,
      due_at: realNow,
      attempts: 0,
      error: null,
    })
    .where(isHeld)
    .execute();
}

/** Sends the owner a notice if somebody else has changed the watch's rules. */
async function notifyOwner(
  transaction: WorkspaceStore,
  watch: Watch,
  { rules: after, id, by }: { rules: Rules; id: string; by: ChangedBy },
): Promise<void> {
  const { ownerId, id: watchId, title, condition, channelId, rules: before } = watch;
  const { actorId, now, realNow } = by;
  if (actorId === ownerId || isDeepStrictEqual(before, after)) return;
  const port = await selectFollowed(transaction)
    .select('kind')
    .where('watch_id', '=', watchId)
    .where('kind', '=', 'port')
    .executeTakeFirst();
  const change = {
    watchId,
    title,
    isPort: condition !== null || port !== undefined,
    channelId,
    actorId,
    before,
    after,
  };
  const message: WatchMessage = { kind: 'rules-notice', ...change };
  const row = pendingMessage({ id, channelId: ownerId, message, now, dueAt: realNow });
  await transaction.insertInto('outbox', row).execute();
}

async function insertWatch(
  store: WorkspaceStore,
  watch: NewWatch,
  { id, now }: { id: string; now: Date },
): Promise<Watch> {
  const row = await store
    .insertInto('watches', {
      id,
      channel_id: watch.channelId,
      destination: watch.destination,
      owner_id: watch.ownerId,
      title: watch.title,
      fleet: watch.fleet,
      port_group: watch.portGroup,
      condition: watch.condition ? JSON.stringify(watch.condition) : null,
      rules: storedRules(watch.rules),
      snooze: watch.snooze ? JSON.stringify(watch.snooze) : null,
      status: 'active',
      pause_reason: null,
      outsiders_allowed_by: watch.outsidersAllowedBy ?? null,
      card_ts: watch.cardTs,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return readWatch(row);
}

/** Kysely leaves out columns that are undefined. */
const columnsOf = ({ ownerId, rules, snooze, outsidersAllowedBy }: WatchChange) => ({
  owner_id: ownerId,
  rules: rules && storedRules(rules),
  snooze: snooze && JSON.stringify(snooze),
  outsiders_allowed_by: outsidersAllowedBy,
});
