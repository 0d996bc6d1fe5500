import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { DrawerBusyError, DrawingError } from '../../src/pictures/drawer.ts';
import { createPictureAddresses, type MapPicture, picturesPath } from '../../src/pictures/map-picture.ts';
import { createPictureServer } from '../../src/pictures/picture-server.ts';
import { serveRoutes } from '../../src/slack/receivers/http.ts';
import { serve } from '../support/local-server.ts';
import { waitUntil } from '../support/wait-until.ts';
import { picture, pictureOf, placeAt } from './pictures.ts';

const addresses = createPictureAddresses([Buffer.alloc(32, 1)]);
const path = addresses.pathOf(picture);
const pathTitled = (title: string) => addresses.pathOf(pictureOf([placeAt('NLRTM', 1)], { title }));

/** The server over HTTP, with a function in place of the drawing process. */
async function servePictures(
  draw: (map: MapPicture) => Promise<Uint8Array> = async ({ title }) => Buffer.from(`png of ${title}`),
  options: { maxCacheBytes?: number } = {},
) {
  const drawn: string[] = [];
  const log: unknown[] = [];
  const answer = createPictureServer({
    addresses,
    drawer: {
      draw(map) {
        drawn.push(map.title);
        return draw(map);
      },
    },
    logger: pino({}, { write: (line: string) => log.push(JSON.parse(line)) }),
    ...options,
  });
  const pages = serveRoutes({ [`${picturesPath}*`]: answer });
  const origin = await serve((request, response) => {
    if (!pages(request, response)) response.writeHead(418).end();
  });
  const get = (at: string, init: RequestInit = {}) => fetch(`${origin}${at}`, init);
  return { get, drawn, log };
}

describe('a signed address', () => {
  test('shows its picture to anybody, to be kept for ever', async () => {
    const { get } = await servePictures();
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('png of DS CYPRESS');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': '17',
      etag: expect.stringMatching(/^"[\w-]{43}"$/),
      'x-content-type-options': 'nosniff',
    });
  });

  test('is drawn once, also for those who ask at the same time', async () => {
    const { promise, resolve } = Promise.withResolvers<Uint8Array>();
    const { get, drawn } = await servePictures(() => promise);
    const asked = [get(path), get(path), get(path)];
    resolve(Buffer.from('png'));
    for (const response of await Promise.all(asked)) expect(await response.text()).toBe('png');
    expect(await (await get(path)).text()).toBe('png');
    expect(drawn).toEqual(['DS CYPRESS']);
  });

  test('is not drawn for those who have it', async () => {
    const { get, drawn } = await servePictures();
    const etag = (await get(path)).headers.get('etag') ?? '';
    const again = await get(path, { headers: { 'if-none-match': `W/"x", ${etag}` } });
    expect([again.status, await again.text(), drawn.length]).toEqual([304, '', 1]);
    const other = await get(path, { headers: { 'if-none-match': '"x"' } });
    expect(other.status).toBe(200);
  });

  test('answers HEAD without the picture, and nothing else', async () => {
    const { get, drawn } = await servePictures();
    const head = await get(path, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '17', '']);
    drawn.length = 0;
    const post = await get(path, { method: 'POST', body: 'x' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(drawn).toEqual([]);
  });

  test('is forgotten, the oldest first, when the pictures take too much memory', async () => {
    const { get, drawn } = await servePictures(async () => Buffer.alloc(400), { maxCacheBytes: 1_000 });
    for (const title of ['A', 'B', 'C', 'B', 'A']) expect((await get(pathTitled(title))).status).toBe(200);
    expect(drawn).toEqual(['A', 'B', 'C', 'A']);
  });
});

test('a picture that is being drawn is not forgotten', async () => {
  const { promise, resolve } = Promise.withResolvers<Uint8Array>();
  const draw = async ({ title }: MapPicture) => (title === 'slow' ? promise : Buffer.alloc(400));
  const { get, drawn } = await servePictures(draw, { maxCacheBytes: 1_000 });
  const slow = get(pathTitled('slow'));
  await waitUntil('the slow picture is being drawn', () => drawn.length === 1);
  for (const title of ['A', 'B', 'C', 'D']) expect((await get(pathTitled(title))).status).toBe(200);
  resolve(Buffer.from('png'));
  expect(await (await slow).text()).toBe('png');
});

describe('any other address', () => {
  test.each([
    ['a wrong signature', path.replace(/\.[\w-]{43}\./, `.${'A'.repeat(43)}.`)],
    ['another picture', `${pathTitled('X').split('.')[0]}.${path.split('.')[1]}.png`],
    ['no signature', '/pictures/x.png'],
    ['a path out of there', '/pictures/..%2f..%2fetc%2fpasswd'],
    ['nothing', '/pictures/'],
  ])('%s is not found at once, without drawing', async (_name, at) => {
    const { get, drawn } = await servePictures();
    const response = await get(at);
    expect([response.status, response.headers.get('cache-control'), await response.text()]).toEqual([
      404,
      'no-store',
      '',
    ]);
    expect(drawn).toEqual([]);
  });

  test('outside of /pictures/ is left to others', async () => {
    const { get } = await servePictures();
    expect((await get('/picturesque')).status).toBe(418);
    expect((await get('//pictures/')).status).toBe(418);
  });
});

describe('trouble', () => {
  test('is 503 while too many pictures are being drawn, and over when they are', async () => {
    let busy = true;
    const { get, log } = await servePictures(async () => {
      if (busy) throw new DrawerBusyError('8 pictures are waiting to be drawn');
      return Buffer.from('png');
    });
    const refused = await get(path);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(refused.headers.get('cache-control')).toBe('no-store');
    busy = false;
    expect((await get(path)).status).toBe(200);
    expect(log).toEqual([]);
  });

  test('with one picture is logged, and is not remembered', async () => {
    let fails = true;
    const { get, log } = await servePictures(async () => {
      if (fails) throw new DrawingError('the drawing process ended (SIGSEGV)');
      return Buffer.from('png');
    });
    expect((await get(path)).status).toBe(500);
    expect(log).toMatchObject([{ msg: 'a picture could not be drawn' }]);
    fails = false;
    expect((await get(path)).status).toBe(200);
  });
});
