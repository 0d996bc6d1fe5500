import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { WorkspaceStore } from '../database/workspace-store.ts';
import type { Kinds, OutgoingMessage } from './outgoing-message.ts';

/** Returns a function that makes an SQL condition: the row is of a kind that `matches`. `due`: claimDue's alias. */
export const createIsKind =
  ({ all }: Kinds) =>
  (alias: 'due' | 'other' | 'outbox', matches: (kind: OutgoingMessage) => boolean): RawBuilder<SqlBool> => {
    const matching = all.filter(matches).map(({ kind }) => kind);
    return matching.length === 0
      ? sql<SqlBool>`false`
      : sql<SqlBool>`${sql.ref(`${alias}.kind`)} in (${sql.join(matching)})`;
  };

/** An SQL condition: the row `due` waits for no other, neither by its kind's `inThread` nor by their `goes_before`. */
export function createWaitsForNone(kinds: Kinds, store: WorkspaceStore): RawBuilder<SqlBool> {
  const isKind = createIsKind(kinds);
  const isReply = (alias: 'due' | 'other') => isKind(alias, ({ inThread }) => inThread === 'reply');
  const isOpener = (alias: 'due' | 'other') => isKind(alias, ({ inThread }) => inThread === 'opener');
  const isReplyUpdate = (alias: 'due' | 'other') =>
    isKind(alias, ({ inThread }) => inThread === 'reply-update');
  const postsOpener = (alias: 'due' | 'other') =>
    isKind(alias, ({ inThread, operation }) => inThread === 'opener' && operation === 'post');
  const otherGoesFirst = sql<SqlBool>`case
    when ${isOpener('due')} then
      ${isOpener('other')} and other.sequence < due.sequence
      or ${postsOpener('due')} and ${isReply('other')} and other.status = 'sending'
    when ${isReplyUpdate('due')} then
      (${isReply('other')} or ${isReplyUpdate('other')}) and other.sequence < due.sequence
    else
      ${isReply('other')} and other.sequence < due.sequence
      or due.status = 'pending' and ${postsOpener('other')}
    end`;
  // The update of a held reply must not come before the reply.
  const isUnsent = sql<SqlBool>`(other.status in ('pending', 'sending') or other.status = 'held' and ${isReplyUpdate('due')})`;
  const hasOrder = isKind('due', ({ inThread }) => inThread !== undefined);
  return sql<SqlBool>`(due.thread_key is null or not ${hasOrder} or not exists (
      select 1 from outbox as other
      where ${store.isOwn('other')} and other.thread_key = due.thread_key and ${isUnsent} and ${otherGoesFirst}
    ))
    and not exists (
      select 1 from outbox as earlier
      where ${store.isOwn('earlier')} and earlier.goes_before = due.id and earlier.status in ('pending', 'sending')
    )`;
}
