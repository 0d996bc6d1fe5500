import { sql } from 'kysely';
import { pausableRows } from '../owned/store.ts';
import type { Pausable } from '../pausable.ts';

/**
 * Pausing drops the messages that wait, because an old digest helps nobody. It also drops the baseline, because nobody
 * has read those messages; the first digest after `resume` is compared with nothing.
 */
export const pausableDigests: Omit<Pausable, 'resume'> = {
  noun: { singular: 'digest', plural: 'digests' },
  effectOfPause: 'Then they run again at their next time.',
  resumeChecksChannel: true,
  ...pausableRows({
    table: 'digests',
    noticeKind: 'digest-notice',
    exists: sql`removed_at is null`,
    reset: { baseline: null, lease_until: null, lease_token: null },
    messages: (error) => ({ status: 'failed', error }),
    noticeOf: ({ id: digestId, number, title, destination }) => ({
      threadKey: digestId,
      message: { kind: 'digest-notice', digestId, number, title, destination },
    }),
  }),
};
