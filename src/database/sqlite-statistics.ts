/**
 * Rows of an index, then rows that share its first column, its first two, and so on. Without these, SQLite expects ten
 * rows in a workspace, and would read them all instead of a few by their ids. Fixed numbers keep the plans the same in
 * every store, see query-plans.test.ts. Tables have more rows than SQLite expects of a list of values (a million).
 */
const rowsOf: Record<string, Record<string, string>> = {
  subjects: {
    sqlite_autoindex_subjects_1: '10000000 1',
    sqlite_autoindex_subjects_2: '10000000 10000 5000 1',
    subjects_by_due: '10000000 10000 2 1',
  },
  watches: {
    sqlite_autoindex_watches_1: '10000000 1',
    watches_by_channel: '10000000 10000 50',
    watches_by_owner: '10000000 10000 100',
    watches_by_fleet: '1000000 1000 5 1',
  },
  followings: {
    sqlite_autoindex_followings_1: '10000000 2 1',
    followings_by_subject: '10000000 5',
  },
  alerts: {
    sqlite_autoindex_alerts_1: '10000000 1',
    alerts_by_watch: '10000000 20 10 2',
    alerts_by_message: '10000000 1',
    alerts_by_edit_key: '100000 2 1',
    alerts_by_age: '10000000 2',
    alerts_by_assignee: '1000 100 5 1',
    alerts_by_due: '1000 100 2 1',
  },
  history: {
    sqlite_autoindex_history_1: '10000000 1000000 500000 1000 1',
    history_by_age: '10000000 5',
  },
  finished_calls: {
    sqlite_autoindex_finished_calls_1: '10000000 100000 100 50 1',
    finished_calls_by_age: '10000000 2',
  },
  watched_times: {
    sqlite_autoindex_watched_times_1: '10000000 10000 5000 5 2 1',
    watched_times_by_watch: '10000000 10000 5',
    watched_times_by_age: '5000000 2',
  },
  digests: {
    sqlite_autoindex_digests_1: '10000000 1',
    sqlite_autoindex_digests_2: '10000000 1000 5 1',
    digests_by_due: '10000 1000 5 1',
    digests_by_owner: '10000000 1000 20',
    digests_by_removal: '100 2',
  },
  outbox: {
    sqlite_autoindex_outbox_1: '10000000 1',
    outbox_by_due: '1000 500 2 1',
    outbox_by_thread: '10000000 20 20 1',
    outbox_by_next: '100 2',
    outbox_replies_by_thread: '500 300 5',
    outbox_replies_by_channel: '500 300 20',
    outbox_one_card_update: '500 1',
    outbox_one_reply_update: '500 1',
    outbox_in_channel: '100000 10000 100 1',
    outbox_by_age: '10000000 2',
    outbox_unsent: '2000 500 2',
    outbox_by_channel: '10000000 100000 30000 300',
  },
  audit: {
    sqlite_autoindex_audit_1: '10000000 1',
    audit_by_time: '10000000 100000 2',
    audit_by_channel: '10000000 100000 1000 2',
    audit_by_actor: '10000000 100000 1000 2',
    audit_by_age: '10000000 2',
  },
};

const rows = Object.entries(rowsOf).flatMap(([table, indexes]) =>
  Object.entries(indexes).map(([index, counts]) => `('${table}', '${index}', '${counts}')`),
);

/** The first statement creates SQLite's table of statistics, the last one makes this connection read it. */
export const sqliteStatistics: readonly string[] = [
  'analyze',
  'delete from sqlite_stat1',
  `insert into sqlite_stat1 (tbl, idx, stat) values ${rows.join(', ')}`,
  'analyze sqlite_schema',
];
