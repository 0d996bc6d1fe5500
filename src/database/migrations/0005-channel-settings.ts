import type { Migration } from 'kysely/migration';
import { runStatements } from './run-statements.ts';

/** Earlier versions wrote the channel into the subject's text: `DS CYPRESS in C024BE7LR`. */
export const channelSettings: Migration = {
  up: (db) =>
    runStatements(db, [
      "alter table channels add column visibility text not null default 'private'",
      "alter table channels add column who_may_add text not null default 'members'",
      'alter table audit add column channel_id text',
      `update audit set
        channel_id = substring(subject from ' in ([CDGUW][A-Z0-9]+)$'),
        subject = regexp_replace(subject, ' in [CDGUW][A-Z0-9]+$', '')
      where subject ~ ' in [CDGUW][A-Z0-9]+$'`,
      'create index on audit (workspace_id, channel_id, at desc)',
      'create index on audit (workspace_id, actor_id, at desc)',
    ]),
};
