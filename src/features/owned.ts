import { type Expression, expressionBuilder, type SqlBool } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { WorkspaceStore } from '../database/workspace-store.ts';
import { UserError } from '../errors.ts';
import type { AuditEntry, Change } from '../workspaces/audit.ts';
import type { Access, Actor } from '../workspaces/permissions.ts';
import { actorIn, placeIn, type RunContext } from './run-context.ts';

/** A watch or a digest. `channelId`: a direct message for a personal watch, the owner's id for a personal digest. */
interface OwnedThing {
  channelId: string;
  ownerId: string;
  title: string;
}

/** `channel`: all in the actor's channel. `mine`: the actor's own. `all`: their own, and all in their channels. */
export type Scope = 'channel' | 'mine' | 'all';

/** What an answer may draw on: things in this scope of this person. */
export interface ActorsScope {
  scope: Scope;
  actor: Actor;
}

/**
 * In a channel, where others may read the answer, what is in that channel. In a direct message or on the Home tab, all
 * that the person may list.
 */
export function scopeHere(context: RunContext): ActorsScope {
  const { destination, isShared } = placeIn(context);
  return { scope: destination === 'channel' || isShared ? 'channel' : 'all', actor: actorIn(context) };
}

/** The filter of that scope. */
export async function filterHere(context: RunContext): Promise<ScopeFilter> {
  const { scope, actor } = scopeHere(context);
  return await filterByScope(scope, actor, context.services.access);
}

/** With `anyOf`, rows match if they have that owner or are in one of the channels. */
export interface ScopeFilter {
  channelId?: string;
  ownerId?: string;
  anyOf?: { ownerId: string; channelIds: readonly string[] };
}

/** Limits a list to what the actor may see. People who have left the channel see only their own things there. */
export async function filterByScope(
  scope: Scope,
  actor: Actor,
  { getJoinedChannels, mayUse }: Access,
): Promise<ScopeFilter> {
  const { userId: ownerId, channelId } = actor;
  if (scope === 'mine') return { ownerId };
  const isMember = await mayUse(channelId, actor);
  if (scope === 'channel') return isMember ? { channelId } : { channelId, ownerId };
  const channels = new Set(await getJoinedChannels(ownerId));
  if (isMember) channels.add(channelId);
  return { anyOf: { ownerId, channelIds: [...channels] } };
}

/** The condition for rows of watches, of digests, or of the times when watches followed something. */
export function matchesScope({ channelId, ownerId, anyOf }: ScopeFilter): Expression<SqlBool> {
  const where = expressionBuilder<Schema, 'watches' | 'digests' | 'watched_times'>();
  return where.and([
    ...(channelId === undefined ? [] : [where('channel_id', '=', channelId)]),
    ...(ownerId === undefined ? [] : [where('owner_id', '=', ownerId)]),
    // SQL has no empty list, so the list begins with an id that no channel has.
    ...(anyOf
      ? [
          where.or([
            where('owner_id', '=', anyOf.ownerId),
            where('channel_id', 'in', ['', ...anyOf.channelIds]),
          ]),
        ]
      : []),
  ]);
}

/** The same for one thing. */
export const isInScope = (
  { channelId, ownerId, anyOf }: ScopeFilter,
  thing: Pick<OwnedThing, 'channelId' | 'ownerId'>,
): boolean =>
  (channelId === undefined || thing.channelId === channelId) &&
  (ownerId === undefined || thing.ownerId === ownerId) &&
  (!anyOf || thing.ownerId === anyOf.ownerId || anyOf.channelIds.includes(thing.channelId));

/** Throws UserError if the channel already has `max` watches or digests. */
export async function checkChannelLimit(
  store: WorkspaceStore,
  { channelId }: Pick<OwnedThing, 'channelId'>,
  { table, max, hint }: { table: 'watches' | 'digests'; max: number; hint: string },
): Promise<void> {
  let query = store
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('channel_id', '=', channelId);
  if (table === 'digests') query = query.where('removed_at', 'is', null);
  const { count } = await query.executeTakeFirstOrThrow();
  if (count < max) return;
  throw new UserError({
    code: 'not-allowed',
    message: `This channel already has ${count} ${table}; at most ${max} are allowed.`,
    hint,
    choices: [{ label: `List the ${table}`, line: table === 'watches' ? 'watch list' : 'digest list' }],
  });
}

/** Returns a function that makes the audit entry of one change. */
export const auditEntries =
  (newId: () => string) =>
  (
    { channelId, ownerId, title: subject }: OwnedThing,
    action: string,
    { actorId, now: at }: Change,
    values: Partial<AuditEntry> = {},
  ): AuditEntry => ({
    id: newId(),
    at,
    actorId,
    action,
    subject,
    channelId,
    ownerIds: [ownerId],
    ...values,
  });
