import { sql } from 'kysely';
import { type Pausable, pausableRows } from '../../pausable.ts';

/** Active watches, and ended ones whose last replies have not been sent. A pause holds their waiting messages. */
export const pausableWatches: Omit<Pausable, 'resume' | 'getTitles'> = {
  noun: { singular: 'watch', plural: 'watches' },
  effectOfPause: 'Their messages wait until then, and they make no API calls meanwhile.',
  resumeChecksChannel: false,
  ...pausableRows({
    table: 'watches',
    noticeKind: 'notice',
    canPause: sql`(status = 'active' or status = 'ended' and exists (
      select 1 from outbox
      where outbox.workspace_id = watches.workspace_id and outbox.thread_key = watches.id and outbox.kind = 'reply' and outbox.status in ('pending', 'sending', 'held')
    ))`,
    messages: () => ({ status: 'held' }),
    noticeOf: ({ id: threadKey, title }) => ({ threadKey, message: { kind: 'notice', title } }),
  }),
};
