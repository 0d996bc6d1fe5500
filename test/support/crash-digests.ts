import { WebClient } from '@slack/web-api';
import { storeOf } from '../../src/database/workspace-store.ts';
import type { Digest } from '../../src/features/digests/digest.ts';
import type { Imo } from '../../src/reference/codes.ts';
import type { CrashWorld } from './crash-world.ts';
import { createDigestStore } from './digest-fixture.ts';
import { direct } from './statements/direct.ts';

const vessels = [9461477, 9755933, 9811000, 9839430, 9074729, 9321483, 9454436, 9619907, 9703291, 9776171];

/** Makes the service answer with more vessels in the port than fit into a digest, and with unreadable usage. */
export function answerDigests(world: CrashWorld): void {
  const { answer } = world.service;
  for (const imo of vessels) world.ports.set(imo as Imo, 'NLRTM'); // real vessels' numbers
  world.service.answer = (request, response) =>
    /\/nextport\/port\//.test(request.path)
      ? { body: { predictions: vessels.map(predictionFor) } }
      : answer(request, response);
}

function predictionFor(imo: number) {
  return {
    un_location_code: 'NLRTM',
    eta_datetime: '2099-01-01T00:00:00.000+00:00',
    probability: 0.9,
    vessel_imo_number: imo,
  };
}

/** Two lines whose answers go to the thread, and a line that fails. */
export const lines = ['portcalls NLRTM', 'nextport 9461477', 'usage'];

export async function addDigests(
  { database: { db } }: CrashWorld,
  channelIds: readonly string[],
): Promise<Digest[]> {
  const { id: workspaceId } = await db.selectFrom('workspaces').select('id').executeTakeFirstOrThrow();
  const store = createDigestStore({ store: storeOf(db, workspaceId), newId: () => crypto.randomUUID() });
  const added: Digest[] = [];
  for (const channelId of channelIds) {
    const digest = {
      channelId,
      destination: 'channel',
      ownerId: 'U0ADA0001',
      title: 'crash',
      lines,
      schedule: { days: { kind: 'week', weekdays: [1, 2, 3, 4, 5, 6, 7] }, minutes: [0] },
      zone: 'UTC',
      onlyNews: false,
    } as const;
    added.push(await store.create(digest, { actorId: 'U0ADA0001', now: new Date() }));
  }
  return added;
}

/** Makes the digests due; returns the ids of the messages to be posted. */
export async function makeDue(
  { database: { db } }: CrashWorld,
  digests: readonly Digest[],
): Promise<string[]> {
  const at = new Date();
  const ids = digests.map(({ id }) => id);
  await direct(db).updateTable('digests').set({ due_at: at }).where('id', 'in', ids).execute();
  return ids.map((id) => `${id}@${at.toISOString()}`).flatMap((id) => [id, `${id}/1`, `${id}/2`]);
}

/** How many of these messages the outbox has sent. */
export async function sentCount({ database: { db } }: CrashWorld): Promise<number> {
  const rows = await direct(db)
    .selectFrom('outbox')
    .select('id')
    .where('thread_key', 'is not', null)
    .where('status', '=', 'sent')
    .execute();
  return rows.length;
}

/** The ids of all digest messages in Slack, sorted. Includes those in threads. */
export async function postedDigests(
  { playground }: CrashWorld,
  channelIds: readonly string[],
): Promise<string[]> {
  const client = new WebClient(playground.botToken, { slackApiUrl: playground.apiUrl });
  const options = { limit: 999, include_all_metadata: true } as const;
  const found: string[] = [];
  for (const channel of new Set(channelIds)) {
    const { messages = [] } = await client.conversations.history({ channel, ...options });
    for (const message of messages) {
      const id = idOf(message);
      if (!id?.includes('@')) continue;
      found.push(id);
      const thread = await client.conversations.replies({ channel, ts: message.ts ?? '', ...options });
      found.push(...(thread.messages ?? []).slice(1).map((reply) => idOf(reply) ?? 'without an id'));
    }
  }
  return found.sort();
}

function idOf({ metadata }: { metadata?: unknown }): string | undefined {
  const id: unknown = Object(Object(metadata).event_payload).id;
  return typeof id === 'string' ? id : undefined;
}
