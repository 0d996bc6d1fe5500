import { isDeepStrictEqual } from 'node:util';
import { getDaysInMonth } from 'date-fns/getDaysInMonth';
import type { Updateable } from 'kysely';
import { z } from 'zod';
import { createReadCache } from '../cache.ts';
import type { Schema } from '../database/schema.ts';
import type { WorkspaceStore } from '../database/workspace-store.ts';
import { ownLines, UserError } from '../errors.ts';
import { type AuditedTransaction, createAuditedTransaction, lockWorkspace } from './audit.ts';

/**
 * Where a channel's alerts appear. `thread`: only under the watch's card; `broadcast-critical`: there, and critical
 * ones in the channel as well; `new-message`: each as a separate message.
 */
export const channelModes = ['thread', 'broadcast-critical', 'new-message'] as const;

/** Decides who sees the answer to a line that ends in neither `public` nor `private`. */
export const visibilities = ['private', 'public'] as const;

/** The people who may add and change watches and digests in a channel. `admins`: of the workspace. */
export const whoMayAddChoices = ['members', 'admins'] as const;

/** What guests may do: only ask questions, the same as members, or nothing. */
export const guestRights = ['ask', 'full', 'none'] as const;

/** Where a link to a vessel is followed by its next ports: nowhere, in messages, or also while a message is written. */
export const linkModes = ['off', 'on', 'composer'] as const;

// An unknown value in the database counts as the default: a later version may have written it.
const guestSetting = z.enum(guestRights).catch('ask');
const linkSetting = z.enum(linkModes).catch('off');
const channelSettings = z.object({
  mode: z.enum(channelModes).catch('broadcast-critical'),
  visibility: z.enum(visibilities).catch('private'),
  whoMayAdd: z.enum(whoMayAddChoices).catch('members'),
});

/** A limit of the requests for background work, as an admin has typed it. */
const storedLimit = z.object({
  calls: z.int().positive(),
  per: z.enum(['day', 'month']),
  /** Who set it, and when, on the domain clock. */
  by: z.string(),
  at: z.coerce.date(),
});
export const callLimit = storedLimit.nullable().catch(null);

export type CallLimit = z.infer<typeof storedLimit>;
export type GuestRights = z.infer<typeof guestSetting>;
export type LinkMode = z.infer<typeof linkSetting>;
export type ChannelSettings = z.infer<typeof channelSettings>;
export type ChannelMode = ChannelSettings['mode'];
export type Visibility = ChannelSettings['visibility'];
export type WhoMayAdd = ChannelSettings['whoMayAdd'];

/** Returns the default for an unknown mode. */
export const readChannelMode = (text: unknown): ChannelMode => channelSettings.shape.mode.parse(text);

interface SettingsOptions {
  store: WorkspaceStore;
  audited?: AuditedTransaction;
  realNow: () => number;
}

export type ChannelSettingsStore = ReturnType<typeof createChannelSettingsStore>;

/** The settings of one workspace's channels. */
export function createChannelSettingsStore(options: SettingsOptions) {
  const { store, audited = createAuditedTransaction(store), realNow } = options;
  const read = (channelId: string) => readChannelSettings(store, channelId);
  const cache = createReadCache({ read, realNow });
  return {
    get: read,
    /** At most a second old. */
    getCached: cache.get,
    /** Changes only the given settings; returns all of them. A change is audited under `id`. */
    async save(
      channelId: string,
      options: { change: Partial<ChannelSettings>; actorId: string; now: Date; id: string },
    ): Promise<ChannelSettings> {
      const { change, actorId, now, id } = options;
      const saved = await audited(async (transaction, record) => {
        await lockWorkspace(transaction);
        const before = await readChannelSettings(transaction, channelId);
        const after = { ...before, ...change };
        if (isDeepStrictEqual(before, after)) return after;
        const { mode, visibility, whoMayAdd } = after;
        const values = { mode, visibility, who_may_add: whoMayAdd, updated_at: now, updated_by: actorId };
        await transaction
          .insertInto('channels', { channel_id: channelId, ...values })
          .onConflict((conflict) => conflict.columns(['workspace_id', 'channel_id']).doUpdateSet(values))
          .execute();
        const entry = { id, at: now, actorId, channelId, before, after };
        await record({ ...entry, action: 'channel.settings', subject: 'the settings' });
        return after;
      });
      cache.invalidate(channelId);
      return saved;
    },
  };
}

export type GuestSetting = ReturnType<typeof createGuestSetting>;
export type LinkSetting = ReturnType<typeof createLinkSetting>;

/** What counts today. `isOperators`: the limit is that of the settings. */
export interface LimitToday {
  /** Requests for background work a day. */
  dailyCalls: number;
  isOperators: boolean;
}

export interface CallLimits {
  /** That of the admins; null for none. */
  get(): Promise<CallLimit | null>;
  getCached(): Promise<CallLimit | null>;
  change(limit: CallLimit | null, actor: { userId: string; isAdmin: boolean }): Promise<CallLimit | null>;
  operators: number | undefined;
  /** Up to a second old; undefined without a limit. */
  today(): Promise<LimitToday | undefined>;
}

type WorkspaceSettingOptions = SettingsOptions & { now: () => Date; newId: () => string };

/** What guests may do. */
export const createGuestSetting = (options: WorkspaceSettingOptions) =>
  createWorkspaceSetting(options, {
    column: 'guests',
    schema: guestSetting,
    columnsOf: (guests) => ({ guests }),
    refusal: 'Only workspace admins choose what guests may do. Nothing was saved.',
    example: ownLines.settings,
  });

/** Whether links to vessels show the next ports. */
export const createLinkSetting = (options: WorkspaceSettingOptions) =>
  createWorkspaceSetting(options, {
    column: 'links',
    schema: linkSetting,
    columnsOf: (links) => ({ links }),
    refusal: 'Only workspace admins choose whether links to vessels show the next ports. Nothing was saved.',
    example: ownLines.settings,
  });

/** `operators`: their limit of calls a day; undefined for none. Of the two, the lower one counts. */
export function createCallLimit(
  options: WorkspaceSettingOptions & { operators: number | undefined },
): CallLimits {
  const setting = createWorkspaceSetting(options, {
    column: 'call_limit',
    schema: callLimit,
    columnsOf: (limit) => ({ call_limit: limit && JSON.stringify(limit) }),
    audited: (limit) => ({ limit: limit && limitInWords(limit) }),
    refusal: 'Only workspace admins set a limit of API calls. Nothing was saved.',
    example: ownLines.limit,
  });
  const { operators, now } = options;
  return {
    ...setting,
    operators,
    today: async () => lowerLimit({ own: await setting.getCached(), operators, now: now() }),
  };
}

interface WorkspaceSetting<Value> {
  column: 'guests' | 'links' | 'call_limit';
  schema: z.ZodType<Value>;
  /** As the table stores it. */
  columnsOf: (value: Value) => Updateable<Schema['workspaces']>;
  /** As the audit log stores it: where that is the same, nothing has changed. Default: the columns. */
  audited?: (value: Value) => object;
  /** The message to people who aren't admins. */
  refusal: string;
  example: string;
}

/** A setting of the whole workspace. */
function createWorkspaceSetting<Value>(options: WorkspaceSettingOptions, setting: WorkspaceSetting<Value>) {
  const { column, schema, columnsOf, audited: inAudit = columnsOf, refusal, example } = setting;
  const { store, audited = createAuditedTransaction(store), now, newId, realNow } = options;
  const { workspaceId } = store;
  const read = async (from: WorkspaceStore): Promise<Value> =>
    schema.parse((await from.selectFrom('workspaces').select(column).executeTakeFirst())?.[column]);
  const cache = createReadCache({ read: () => read(store), realNow });
  return {
    get: () => read(store),
    /** At most a second old. */
    getCached: () => cache.get(workspaceId),
    /** Writes an audit row if anything changed; returns the former setting. Throws UserError unless the actor is an admin. */
    async change(
      value: Value,
      { userId: actorId, isAdmin }: { userId: string; isAdmin: boolean },
    ): Promise<Value> {
      if (!isAdmin) throw new UserError({ code: 'not-allowed', message: refusal, example });
      const entry = { actorId, at: now(), id: newId() };
      const former = await audited(async (transaction, record) => {
        await lockWorkspace(transaction);
        const former = await read(transaction);
        const [before, after] = [inAudit(former), inAudit(value)];
        if (isDeepStrictEqual(before, after)) return former;
        await transaction.updateTable('workspaces').set(columnsOf(value)).execute();
        const subject = "the workspace's settings";
        await record({ ...entry, action: 'workspace.settings', subject, before, after });
        return former;
      });
      cache.invalidate(workspaceId);
      return former;
    },
  };
}

/** As a person reads it: `60,000 a month`. */
export const limitInWords = ({ calls, per }: Pick<CallLimit, 'calls' | 'per'>): string =>
  `${calls.toLocaleString('en')} a ${per}`;

/** Calls a day. A limit for a month is spread over the days of the current one, in UTC, and rounded down. */
export const dailyCallsOf = ({ calls, per }: Pick<CallLimit, 'calls' | 'per'>, now: Date): number =>
  per === 'day'
    ? calls
    : Math.max(1, Math.floor(calls / getDaysInMonth(new Date(now.getUTCFullYear(), now.getUTCMonth()))));

/** Undefined if there is none. */
export function lowerLimit({
  own,
  operators,
  now,
}: {
  own: CallLimit | null;
  operators: number | undefined;
  now: Date;
}): LimitToday | undefined {
  const daily = own ? dailyCallsOf(own, now) : Number.POSITIVE_INFINITY;
  if (operators !== undefined && operators <= daily) return { dailyCalls: operators, isOperators: true };
  return own ? { dailyCalls: daily, isOperators: false } : undefined;
}

export async function readChannelSettings(
  store: WorkspaceStore,
  channelId: string,
): Promise<ChannelSettings> {
  const row = await store
    .selectFrom('channels')
    .select(['mode', 'visibility', 'who_may_add'])
    .where('channel_id', '=', channelId)
    .executeTakeFirst();
  return channelSettings.parse({ ...row, whoMayAdd: row?.who_may_add });
}
