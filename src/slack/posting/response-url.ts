import { type Rendering, SlackRefusal } from './deliver.ts';

interface ResponseUrlOptions {
  response_type?: 'ephemeral' | 'in_channel';
  replace_original?: boolean;
  delete_original?: boolean;
  thread_ts?: string;
}

export type PostToResponseUrl = (body: Partial<Rendering> & ResponseUrlOptions) => Promise<void>;

/**
 * Posts to the address that came with a click or a slash command. Bolt's `respond` hides why Slack refused (the
 * reason is in the body) and has no timeout.
 */
export function createResponseUrl(url: string, fetch: typeof globalThis.fetch): PostToResponseUrl {
  return async (body) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(5_000),
    });
    const answer = await response.text();
    const code = refusalIn(answer);
    if (!response.ok || code) throw new SlackRefusal(code ?? `http_${response.status}`);
  };
}

/** Slack answers `ok`, `{"ok":true}`, a bare word such as `invalid_blocks`, or `{"ok":false,"error":…}`. */
function refusalIn(answer: string): string | undefined {
  const json = /"error"\s*:\s*"([a-z_]+)"/.exec(answer)?.[1];
  if (json) return json;
  return /^[a-z_]{3,40}$/.test(answer) ? answer : undefined;
}
