import { isJsonObject, type JsonObject, parseJson } from '../json.ts';
import { isLoopback } from './loopback.ts';

/** Slack downloads the images of blocks before it posts them, and refuses the blocks if one of them fails. */
export interface Images {
  /** Downloads the images in the blocks or the view of a call, for the checks that follow. Never rejects. */
  download(args: JsonObject): Promise<void>;
  /** True if the image can't be downloaded. */
  isRefused(url: string): boolean;
  /** From now on, no image can be downloaded; `false` ends this. */
  refuseAll(refused: boolean): void;
  /** The image itself, for the page, which can't reach the app where ports are mapped. Undefined: it isn't there. */
  load(url: string): Promise<Image | undefined>;
}

interface Image {
  type: string;
  bytes: ArrayBuffer;
}

/** As Slack documents them for image blocks. */
const TYPES = ['image/png', 'image/jpeg', 'image/gif'];
/** Failed addresses are forgotten in the order of their failure. */
const MAX_FAILED = 1000;

/** A local Slack fetches from its own machine only, where the app is; other addresses are taken as they are. */
export function createImages(fetchImage: typeof fetch, { timeoutMs = 5000 } = {}): Images {
  const failed = new Set<string>();
  let refusesAll = false;

  async function check(url: string): Promise<void> {
    const image = await load(url);
    failed.delete(url);
    if (image) return;
    failed.add(url);
    const [oldest] = failed;
    if (failed.size > MAX_FAILED && oldest) failed.delete(oldest);
  }

  async function load(url: string): Promise<Image | undefined> {
    if (!isLoopback(url)) return undefined;
    try {
      const response = await fetchImage(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
      const type = response.headers.get('content-type')?.split(';')[0]?.trim() ?? '';
      const bytes = await response.arrayBuffer();
      return response.ok && TYPES.includes(type) && bytes.byteLength > 0 ? { type, bytes } : undefined;
    } catch {
      return undefined;
    }
  }

  return {
    async download({ blocks, view }) {
      const urls = [blocks, view].flatMap(parsed).flatMap(imageUrls).filter(isLoopback);
      await Promise.all([...new Set(urls)].map(check));
    },
    isRefused: (url) => refusesAll || failed.has(url),
    refuseAll(refused) {
      refusesAll = refused;
    },
    load,
  };
}

/** Forms carry blocks and views as JSON. */
const parsed = (value: unknown): unknown => (typeof value === 'string' ? parseJson(value) : value);

/** The address of every image in a value, with the path to it. */
export function imagesIn(value: unknown, path = ''): { url: string; path: string }[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => imagesIn(item, `${path}/${index}`));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === 'image_url' && typeof item === 'string'
      ? [{ url: item, path: `${path}/${key}` }]
      : imagesIn(item, `${path}/${key}`),
  );
}

const imageUrls = (value: unknown): string[] => imagesIn(value).map(({ url }) => url);
