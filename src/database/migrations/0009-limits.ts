import type { Migration } from 'kysely/migration';
import { runStatements } from './0001-schema.ts';

/** What admins choose for the whole workspace: a limit of calls, and a pause of the background work. */
export const limits = (): Migration => ({
  up: (db) =>
    runStatements(db, [
      'alter table workspaces add column call_limit text',
      'alter table workspaces add column work_paused_at bigint',
      'alter table workspaces add column work_paused_until bigint',
      'alter table workspaces add column work_paused_by text',
    ]),
});
