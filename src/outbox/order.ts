import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Kinds, OutgoingMessage } from './outgoing-message.ts';

/** Returns a function that makes an SQL condition: the row with this alias is of a kind that `matches`. */
export const createIsKind =
  ({ all }: Kinds) =>
  (alias: 'due' | 'other' | 'outbox', matches: (kind: OutgoingMessage) => boolean): RawBuilder<SqlBool> => {
    const matching = all.filter(matches).map(({ kind }) => kind);
    return matching.length === 0
      ? sql<SqlBool>`false`
      : sql<SqlBool>`${sql.ref(`${alias}.kind`)} in (${sql.join(matching)})`;
  };

/** An SQL condition: the row waits for no other, neither in its thread nor because of `after`. */
export function createIsNext(kinds: Kinds): RawBuilder<SqlBool> {
  const isKind = createIsKind(kinds);
  const isReply = (alias: 'due' | 'other') => isKind(alias, ({ inThread }) => inThread === 'reply');
  const isOpener = (alias: 'due' | 'other') => isKind(alias, ({ inThread }) => inThread === 'opener');
  const postsOpener = (alias: 'due' | 'other') =>
    isKind(alias, ({ inThread, operation }) => inThread === 'opener' && operation === 'post');
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
        select 1 from outbox as earlier
        where due.payload -> ${sql.lit(after)} ? earlier.id and earlier.status in ('pending', 'sending')
      ))`,
  );
  const all = [isFirst('watch_id'), isFirst('digest_id'), ...waitsForNone];
  return sql<SqlBool>`status in ('pending', 'sending') and ${sql.join(all, sql` and `)}`;
}
