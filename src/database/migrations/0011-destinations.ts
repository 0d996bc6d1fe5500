import type { Migration } from 'kysely/migration';
import { runStatements } from './run-statements.ts';

/** Stores whether a watch or a digest belongs to a channel, or to its owner's direct message. */
export const destinations: Migration = {
  up: (db) =>
    runStatements(db, [
      "alter table watches add column destination text not null default 'channel'",
      `update watches set destination = ${destinationOf('channel_id')}`,
      "alter table digests add column destination text not null default 'channel'",
      `update digests set destination = ${destinationOf('channel_id')}`,
      `update outbox set payload = payload || jsonb_build_object('destination', ${destinationOf('channel_id')})
        where kind = 'digest'`,
      `update outbox set payload = payload || jsonb_build_object('destination', ${destinationOf("payload->>'channelId'")})
        where kind = 'digest-notice'`,
    ]),
};

/** Slack's rule: the ids of direct messages begin with D, those of people with U or W, of all else with C or G. */
const destinationOf = (id: string): string =>
  `case when substr(${id}, 1, 1) in ('D', 'U', 'W') then 'direct-message' else 'channel' end`;
