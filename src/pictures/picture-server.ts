import type { IncomingMessage, ServerResponse } from 'node:http';
import { createReadCache } from '../cache.ts';
import type { Logger } from '../log.ts';
import { type Drawer, DrawerBusyError } from './drawer.ts';
import { type PictureAddresses, picturesPath, type SignedPicture } from './map-picture.ts';

interface PictureRequest {
  method: string | undefined;
  path: string;
  /** The header If-None-Match. */
  ifNoneMatch: string | null | undefined;
}

interface PictureResponse {
  status: number;
  headers: Record<string, string>;
  body?: Png;
}

type Png = Uint8Array<ArrayBuffer>;

/** Serves the pictures at signed addresses, without a login: Slack fetches them for all who see the message. */
export function createPictureServer({
  addresses,
  drawer,
  logger,
  maxCacheBytes = 8 * 1024 * 1024,
}: {
  addresses: Pick<PictureAddresses, 'read'>;
  drawer: Pick<Drawer, 'draw'>;
  logger: Logger;
  maxCacheBytes?: number;
}) {
  // By their paths. Those who ask for the same picture meanwhile wait for one drawing.
  const drawn = createReadCache({
    async read(path): Promise<Png> {
      const { map } = addresses.read(path) as SignedPicture; // `respond` has read it before
      return Uint8Array.from(await drawer.draw(map));
    },
    ttlMs: 0,
    max: maxCacheBytes,
    sizeOf: ({ byteLength }) => byteLength,
    realNow: Date.now,
  });

  async function respond({ method, path, ifNoneMatch }: PictureRequest): Promise<PictureResponse> {
    if (method !== 'GET' && method !== 'HEAD') return refusal(405, { allow: 'GET, HEAD' });
    const picture = addresses.read(path);
    if (!picture) return refusal(404);
    const etag = `"${picture.signature}"`;
    const headers = { etag, 'cache-control': 'public, max-age=31536000, immutable' };
    // An address always shows the same picture.
    if (ifNoneMatch?.includes(etag)) return { status: 304, headers };
    try {
      const png = await drawn.get(path);
      const length = String(png.byteLength);
      const all = { ...headers, ...typeHeaders, 'content-type': 'image/png', 'content-length': length };
      return { status: 200, headers: all, ...(method === 'GET' && { body: png }) };
    } catch (error) {
      const isBusy = error instanceof DrawerBusyError;
      if (!isBusy) logger.warn({ err: error }, 'a picture could not be drawn');
      return isBusy ? refusal(503, { 'retry-after': '5' }) : refusal(500);
    }
  }

  return {
    /** For the bot's own server: true if the request was for a picture. */
    handle(request: IncomingMessage, response: ServerResponse): boolean {
      const [path = ''] = request.url?.split('?', 1) ?? [];
      if (!path.startsWith(picturesPath)) return false;
      const { method, headers } = request;
      respond({ method, path, ifNoneMatch: headers['if-none-match'] }).then(({ status, headers, body }) =>
        response.writeHead(status, headers).end(body),
      );
      return true;
    },
    /** For the playground's server. */
    async answer({ method, url, headers }: Request): Promise<Response> {
      const path = new URL(url).pathname;
      const reply = await respond({ method, path, ifNoneMatch: headers.get('if-none-match') });
      return new Response(reply.body ?? null, reply);
    },
  };
}

/** A browser that opens the address shows a picture, whatever it holds. */
const typeHeaders = { 'x-content-type-options': 'nosniff' };

const refusal = (status: number, headers: Record<string, string> = {}): PictureResponse => ({
  status,
  headers: { ...typeHeaders, 'cache-control': 'no-store', ...headers },
});
