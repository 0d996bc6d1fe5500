import { type Expression, expressionBuilder, type SqlBool } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { Access, Actor } from '../workspaces/permissions.ts';
import { type AskCtx, actorIn, placeIn } from './ctx.ts';

/** `channel`: all in the actor's channel. `mine`: the actor's own. `all`: their own, and all in their channels. */
export type Scope = 'channel' | 'mine' | 'all';

/** What an answer may draw on: things in this scope of this person. */
interface ActorsScope {
  scope: Scope;
  actor: Actor;
}

/**
 * In a channel, where others may read the answer, what is in that channel. In a direct message or on the Home tab, all
 * that the person may list.
 */
export function scopeHere(context: AskCtx): ActorsScope {
  const { destination, isShared } = placeIn(context);
  return { scope: destination === 'channel' || isShared ? 'channel' : 'all', actor: actorIn(context) };
}

/** The filter of that scope. */
export async function filterHere(context: AskCtx): Promise<ScopeFilter> {
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

/** The condition for rows of watches, of digests, of promises, or of the times when watches followed something. */
export function matchesScope({ channelId, ownerId, anyOf }: ScopeFilter): Expression<SqlBool> {
  const where = expressionBuilder<Schema, 'watches' | 'digests' | 'watched_times' | 'promises'>();
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

/** How many of these watches the person may list: others may be private. */
export async function countListed(
  watches: readonly { channelId: string; ownerId: string }[],
  ctx: AskCtx,
): Promise<number> {
  if (watches.length === 0) return 0;
  const filter = await filterByScope('all', actorIn(ctx), ctx.services.access);
  return watches.filter((watch) => isInScope(filter, watch)).length;
}

/** Those that an answer to this person may name. */
export async function nameable<Thing extends { channelId: string; ownerId: string }>(
  things: readonly Thing[],
  ctx: AskCtx,
): Promise<Thing[]> {
  if (things.length === 0) return [];
  const scope = ctx.audience === 'private' ? 'all' : 'channel';
  const filter = await filterByScope(scope, actorIn(ctx), ctx.services.access);
  return things.filter((thing) => isInScope(filter, thing));
}

/** The same for one thing. */
export const isInScope = (
  { channelId, ownerId, anyOf }: ScopeFilter,
  thing: { channelId: string; ownerId: string },
): boolean =>
  (channelId === undefined || thing.channelId === channelId) &&
  (ownerId === undefined || thing.ownerId === ownerId) &&
  (!anyOf || thing.ownerId === anyOf.ownerId || anyOf.channelIds.includes(thing.channelId));
