import { sql } from 'kysely';
import { endWatched } from '../../history/index.ts';
import { pausableRows } from '../../owned/store.ts';
import type { Pausable } from '../../services.ts';

const rows = pausableRows({
  table: 'watches',
  noticeKind: 'notice',
  canPause: (store) => sql`(status = 'active' or status = 'ended' and exists (
    select 1 from outbox
    where ${store.isOwn('outbox')} and outbox.thread_key = watches.id and outbox.kind = 'reply' and outbox.status in ('pending', 'sending', 'held')
  ))`,
  messages: () => ({ status: 'held' }),
  noticeOf: ({ id: threadKey, title }) => ({ threadKey, message: { kind: 'notice', title } }),
});

/** Active watches, and ended ones whose last replies have not been sent. A pause holds their waiting messages. */
export const pausableWatches: Omit<Pausable, 'resume' | 'getTitles'> = {
  noun: { singular: 'watch', plural: 'watches' },
  effectOfPause: 'Their messages wait until then, and they make no API calls meanwhile.',
  resumeChecksChannel: false,
  ...rows,
  /** What is polled meanwhile is polled for others. */
  async pause(transaction, which) {
    const paused = await rows.pause(transaction, which);
    for (const { id } of paused) await endWatched(transaction, { watchId: id, now: which.now });
    return paused;
  },
};
