import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Schema } from '../../src/database/schema.ts';
import { storeOf, type WorkspaceStore } from '../../src/database/workspace-store.ts';
import { pausableDigests as digests } from '../../src/features/digests/digests.ts';
import { markUnavailable, type PauseCtx, pauseRefused } from '../../src/features/owned/pausing.ts';
import type { Pausable, PauseRefused } from '../../src/features/services.ts';
import { pausableWatches } from '../../src/features/watches/index.ts';
import type { Refusal } from '../../src/outbox/outgoing-message.ts';
import { workspaceId } from './store-engines.ts';

const resume = async () => undefined;
const handOver = resume;
const watches: Pausable = { ...pausableWatches, resume, handOver, end: resume };
export const pausables = [watches, digests];

/** Pauses watches and digests after a permanent refusal by Slack, as the bot does. */
export function pausingOf(
  db: Kysely<Schema>,
  newId = () => `given-up-${randomUUID()}`,
  ofWorkspace = workspaceId,
) {
  const services = { store: storeOf(db, ofWorkspace), botUserId: 'UBOT', newId };
  const ctx: PauseCtx = { services, registry: { pausables } };
  return {
    pauseRefused: ((...refused) => pauseRefused(...refused, ctx)) satisfies PauseRefused,
    markUnavailable: (channel: Parameters<typeof markUnavailable>[0]) => markUnavailable(channel, ctx),
  };
}

type NewId = () => string;

export const pauseWatches = (
  transaction: WorkspaceStore,
  refusal: Refusal,
  ids: readonly string[],
  newId?: NewId,
): Promise<void> =>
  pausingOf(transaction.allWorkspaces, newId).pauseRefused(transaction, refusal, {
    pausable: watches,
    ids,
    toPerson: false,
  });
