import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { createPausing } from '../../src/app/pausing.ts';
import type { Schema } from '../../src/database/schema.ts';

/** What the bot does about what Slack refuses for good. */
export const pausingOf = (db: Kysely<Schema>) =>
  createPausing({ db, actorId: 'UBOT', newId: () => `given-up-${randomUUID()}` });
