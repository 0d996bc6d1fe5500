import { createReadCache } from '../cache.ts';
import type { Logger } from '../log.ts';
import { type Drawer, DrawerBusyError } from './drawer.ts';
import type { PictureAddresses, SignedPicture } from './map-picture.ts';

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
      const { map } = addresses.read(path) as SignedPicture; // it has been read below
      return Uint8Array.from(await drawer.draw(map));
    },
    ttlMs: 0,
    max: maxCacheBytes,
    sizeOf: ({ byteLength }) => byteLength,
    realNow: Date.now,
  });

  return async ({ method, url, headers }: Request): Promise<Response> => {
    if (method !== 'GET' && method !== 'HEAD') return refusal(405, { allow: 'GET, HEAD' });
    const path = new URL(url).pathname;
    const picture = addresses.read(path);
    if (!picture) return refusal(404);
    const etag = `"${picture.signature}"`;
    const caching = { etag, 'cache-control': 'public, max-age=31536000, immutable' };
    // An address always shows the same picture.
    if (headers.get('if-none-match')?.includes(etag))
      return new Response(null, { status: 304, headers: caching });
    try {
      const png = await drawn.get(path);
      const type = { ...typeHeaders, 'content-type': 'image/png', 'content-length': String(png.byteLength) };
      return new Response(method === 'GET' ? png : null, { headers: { ...caching, ...type } });
    } catch (error) {
      const isBusy = error instanceof DrawerBusyError;
      if (!isBusy) logger.warn({ err: error }, 'a picture could not be drawn');
      return isBusy ? refusal(503, { 'retry-after': '5' }) : refusal(500);
    }
  };
}

/** A browser that opens the address shows a picture, whatever it holds. */
const typeHeaders = { 'x-content-type-options': 'nosniff' };

const refusal = (status: number, headers: Record<string, string> = {}): Response =>
  new Response(null, { status, headers: { ...typeHeaders, 'cache-control': 'no-store', ...headers } });
