import { type SqlBool, sql } from 'kysely';

/**
 * Whether another message of its watch goes first. Replies are in order, and so are a card and its updates; a reply
 * waits for no update of the card, but for a card that is to be posted. That waits for replies that may have
 * gone out: they are looked for under the card before.
 */
const otherFirst = sql<SqlBool>`case
  when due.kind in ('card', 'card-update') then
    other.kind <> 'reply' and other.sequence < due.sequence
    or due.kind = 'card' and other.kind = 'reply' and other.status = 'sending'
  else
    other.kind = 'reply' and other.sequence < due.sequence
    or due.status = 'pending' and other.kind = 'card'
  end`;

/** In order within a watch or a digest; a summary after what it speaks of. */
export const isNext = sql<SqlBool>`
  status in ('pending', 'sending')
  and (watch_id is null or kind = 'notice' or not exists (
    select 1 from outbox as other
    where other.watch_id = due.watch_id and other.kind <> 'notice' and other.status in ('pending', 'sending')
      and ${otherFirst}
  ))
  and (digest_id is null or kind = 'digest-notice' or not exists (
    select 1 from outbox as earlier
    where earlier.digest_id = due.digest_id and earlier.sequence < due.sequence
      and earlier.kind <> 'digest-notice' and earlier.status in ('pending', 'sending')
  ))
  and (kind <> 'summary' or not exists (
    select 1 from outbox as member
    where due.payload -> 'members' ? member.id and member.status in ('pending', 'sending')
  ))`;
