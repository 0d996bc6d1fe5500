import { UserError } from '../../errors.ts';
import type { SlackContext } from '../context.ts';
import { scopeAdvice } from '../install/scopes.ts';

/** A shared file, as Slack describes it. */
export interface SharedFile {
  name?: string | null | undefined;
  size?: number | undefined;
  url_private_download?: string | null | undefined;
  url_private?: string | null | undefined;
}

const timeoutMs = 10_000;
const megabyte = 1_000_000;

/**
 * Reads a shared file. The token is sent only to Slack's own hosts, and redirects are not followed. Throws UserError
 * for a file that is too large, or that Slack does not give to the bot.
 */
export async function downloadFile(
  file: SharedFile,
  slack: Pick<SlackContext, 'getToken' | 'apiUrl' | 'fetch' | 'installation'>,
  maxBytes = 5 * megabyte,
): Promise<Uint8Array> {
  const { getToken, apiUrl, fetch, installation } = slack;
  const { grantUrl } = installation;
  const url = URL.parse(file.url_private_download ?? file.url_private ?? '');
  if (!url || !isSlack(url, apiUrl)) throw unreadable(grantUrl);
  if ((file.size ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${await getToken()}` },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  // Without the scope files:read Slack sends a page or a redirect.
  const isPage = response.headers.get('content-type')?.startsWith('text/html');
  if (!response.ok || isPage || !response.body) {
    await response.body?.cancel();
    throw unreadable(grantUrl);
  }
  return await readBounded(response.body, maxBytes);
}

function isSlack(url: URL, apiUrl: string): boolean {
  if (url.origin === new URL(apiUrl).origin) return true;
  return url.protocol === 'https:' && url.port === '' && /^(?:[a-z0-9-]+\.)*slack\.com$/.test(url.hostname);
}

/** The size that Slack gave may be wrong. */
async function readBounded(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const unreadable = (grantUrl: string | undefined) =>
  badFile(
    "Slack doesn't give Landfall access to that file, so nothing was changed.",
    `Please share it again. If that fails too, the scope files:read may be missing. ${scopeAdvice('files:read', grantUrl)}`,
  );

const tooLarge = (maxBytes: number) =>
  badFile(
    `That file is larger than ${Math.floor(maxBytes / megabyte)} MB, so nothing was changed.`,
    'A list of vessel names is much smaller: two columns, the IMO number and the name.',
  );

const badFile = (message: string, hint: string) => new UserError({ code: 'bad-file', message, hint });
