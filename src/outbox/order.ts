import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Kinds, OutgoingMessage } from './outgoing-message.ts';

/** Of the outbox under this name, whether its kind is one of those. */
type IsKind = (
  table: 'due' | 'other' | 'outbox',
  matches: (one: OutgoingMessage) => boolean,
) => RawBuilder<SqlBool>;

export const createIsKind =
  (kinds: Kinds): IsKind =>
  (table, matches) => {
    const matching = kinds.where(matches);
    return matching.length === 0
      ? sql<SqlBool>`false`
      : sql<SqlBool>`${sql.ref(`${table}.kind`)} in (${sql.join(matching)})`;
  };

/** Whether a row waits for no other: in order within a thread, and after what it speaks of. */
export function createIsNext(kinds: Kinds): RawBuilder<SqlBool> {
  const isKind = createIsKind(kinds);
  const isReply = (table: 'due' | 'other') => isKind(table, ({ inThread }) => inThread === 'reply');
  const isOpener = (table: 'due' | 'other') => isKind(table, ({ inThread }) => inThread === 'opener');
  const postsOpener = (table: 'due' | 'other') =>
    isKind(table, ({ inThread, does }) => inThread === 'opener' && does === 'post');
  const otherFirst = sql<SqlBool>`case
    when ${isOpener('due')} then
      ${isOpener('other')} and other.sequence < due.sequence
      or ${postsOpener('due')} and ${isReply('other')} and other.status = 'sending'
    else
      ${isReply('other')} and other.sequence < due.sequence
      or due.status = 'pending' and ${postsOpener('other')}
    end`;
  const isInOrder = isKind('due', ({ inThread }) => inThread !== undefined);
  const isFirst = (thread: 'watch_id' | 'digest_id') => sql<SqlBool>`(
    ${sql.ref(`due.${thread}`)} is null or not ${isInOrder} or not exists (
      select 1 from outbox as other
      where ${sql.ref(`other.${thread}`)} = ${sql.ref(`due.${thread}`)}
        and other.status in ('pending', 'sending') and ${otherFirst}
    ))`;
  const waitsForNone = kinds.all.flatMap(({ kind, after }) =>
    after === undefined
      ? []
      : sql<SqlBool>`(kind <> ${kind} or not exists (
        select 1 from outbox as member
        where due.payload -> ${sql.lit(after)} ? member.id and member.status in ('pending', 'sending')
      ))`,
  );
  const all = [isFirst('watch_id'), isFirst('digest_id'), ...waitsForNone];
  return sql<SqlBool>`status in ('pending', 'sending') and ${sql.join(all, sql` and `)}`;
}
