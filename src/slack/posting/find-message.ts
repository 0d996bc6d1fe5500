import type { WebClient } from '@slack/web-api';

const eventType = 'landfall_message';
const pages = 5;
const perPage = 200;
/** Ours may have been so far ahead of Slack's at the first try, and have been set back since. */
const skewMs = 2 * 3_600_000;

/** Stands in every message of a watch, unseen, so that it can be found again. */
export function metadataOf(id: string) {
  return { event_type: eventType, event_payload: { id } };
}

/**
 * Looks through what stands in a channel, or a thread, since a little before `attemptedAt` (real clock)
 * for the message with this id; `refused`: there is more than it looks through. Throws what Slack answers.
 */
export async function findMessage(
  client: WebClient,
  search: { channel: string; threadTs?: string; id: string; attemptedAt: Date },
): Promise<{ ts: string } | 'absent' | 'refused'> {
  const { channel, threadTs, id, attemptedAt } = search;
  const oldest = String((attemptedAt.getTime() - skewMs) / 1000);
  const common = { channel, oldest, include_all_metadata: true, limit: perPage };
  let cursor = '';
  for (let page = 0; page < pages; page += 1) {
    const query = { ...common, ...(cursor && { cursor }) };
    const answer = threadTs
      ? await client.conversations.replies({ ...query, ts: threadTs })
      : await client.conversations.history(query);
    const found = (answer.messages ?? []).find((message) => idOf(message) === id);
    if (found?.ts) return { ts: found.ts };
    cursor = answer.response_metadata?.next_cursor ?? '';
    if (!cursor) return 'absent';
  }
  return 'refused';
}

function idOf({
  metadata,
}: {
  metadata?: { event_type?: string; event_payload?: object };
}): string | undefined {
  if (metadata?.event_type !== eventType) return undefined;
  const payload = metadata.event_payload ?? {};
  return 'id' in payload && typeof payload.id === 'string' ? payload.id : undefined;
}
