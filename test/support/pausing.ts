import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Schema } from '../../src/database/schema.ts';
import { pausableDigests } from '../../src/features/digests/pausable-digests.ts';
import type { Pausable } from '../../src/features/pausable.ts';
import { createPauser } from '../../src/features/pausing/pause.ts';
import { pausableWatches } from '../../src/features/watches/store/pausable-watches.ts';
import type { Refusal } from '../../src/outbox/outgoing-message.ts';

const resume = async () => undefined;
const watches: Pausable = { ...pausableWatches, resume };
const digests: Pausable = { ...pausableDigests, resume };

/** Pauses watches and digests after a permanent refusal by Slack, as the bot does. */
export const pausingOf = (db: Kysely<Schema>) =>
  createPauser({
    db,
    botUserId: 'UBOT',
    newId: () => `given-up-${randomUUID()}`,
    pausables: () => [watches, digests],
  });

const pauses =
  (pausable: Pausable) =>
  (
    db: Kysely<Schema>,
    refusal: Refusal,
    about: { ids: readonly string[]; toPerson: boolean },
  ): Promise<void> =>
    pausingOf(db).pauseRefused(db, refusal, { pausable, ...about });
export const pauseWatches = (db: Kysely<Schema>, refusal: Refusal, ids: readonly string[]): Promise<void> =>
  pauses(watches)(db, refusal, { ids, toPerson: false });
export const pauseDigests = pauses(digests);
