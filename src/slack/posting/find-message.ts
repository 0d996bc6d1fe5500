import type { WebClient } from '@slack/web-api';

const eventType = 'landfall_message';
const pages = 5;
const perPage = 200;
/** How far our clock may have been ahead of Slack's at the first attempt. */
const skewMs = 2 * 3_600_000;

/** Hidden in every message of the outbox, so that it can be found again. */
export function metadataOf(id: string) {
  return { event_type: eventType, event_payload: { id } };
}

/**
 * Searches a channel or a thread for the message with this id, from shortly before `attemptedAt` (real clock).
 * `refused`: there are more messages than it searches. Throws Slack's errors.
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
