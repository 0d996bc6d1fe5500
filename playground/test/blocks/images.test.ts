import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPlayground, type Playground } from '../../src/index.ts';
import { playgroundClient } from '../support/client.ts';

const OPS = 'C0OPS00001';
const ADA = 'U0ADA0001';
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const answers: Record<string, { status: number; type: string; body: Buffer; location?: string }> = {
  '/map.png': { status: 200, type: 'image/png', body: PNG },
  '/gone.png': { status: 404, type: 'image/png', body: PNG },
  '/page.html': { status: 200, type: 'text/html', body: PNG },
  '/empty.png': { status: 200, type: 'image/png', body: Buffer.alloc(0) },
  '/elsewhere.png': { status: 302, type: 'image/png', body: PNG, location: '/map.png' },
};

describe('images are downloaded while a message is posted', () => {
  let server: Server;
  let base = '';
  let requested: string[] = [];
  let slack: Playground;

  beforeAll(async () => {
    server = createServer((request, response) => {
      requested.push(request.url ?? '');
      const answer = answers[request.url ?? ''];
      if (!answer) return request.socket.destroy();
      const { status, type, location } = answer;
      response.writeHead(status, { 'content-type': type, ...(location !== undefined && { location }) });
      return response.end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // A TCP server has such an address once it listens.
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
  });
  beforeEach(async () => {
    requested = [];
    slack = await createPlayground({ mode: 'socket' });
  });
  afterEach(() => slack.close());

  const image = (path: string) => ({ type: 'image' as const, image_url: base + path, alt_text: 'Rotterdam' });
  const post = (...blocks: object[]) =>
    playgroundClient(slack).chat.postMessage({
      channel: OPS,
      text: 'a map',
      // Blocks of any shape: some are newer than the client's types.
      blocks: blocks as ReturnType<typeof image>[],
    });
  const refusedAt = (pointer: string) => ({
    data: { error: 'invalid_blocks', errors: [`downloading image failed [json-pointer:${pointer}]`] },
  });

  test('one that can be fetched is posted', async () => {
    expect(await post(image('/map.png'))).toMatchObject({ ok: true });
    expect(requested).toEqual(['/map.png']);
    expect(slack.messages(OPS)).toHaveLength(1);
  });

  test.each([
    '/gone.png',
    '/page.html',
    '/empty.png',
    '/cut.png',
  ])('%s is refused, and nothing is posted', async (path) => {
    await expect(post(image(path))).rejects.toMatchObject(refusedAt('/blocks/0/image_url'));
    expect(slack.messages(OPS)).toEqual([]);
  });

  test('a redirect, which could lead to another machine, is not followed', async () => {
    await expect(post(image('/elsewhere.png'))).rejects.toMatchObject(refusedAt('/blocks/0/image_url'));
    expect(requested).toEqual(['/elsewhere.png']);
  });

  test('images in accessories, cards and containers count, each fetched once', async () => {
    const section = { type: 'section', text: { type: 'mrkdwn', text: 'x' }, accessory: image('/gone.png') };
    await expect(post(section)).rejects.toMatchObject(refusedAt('/blocks/0/accessory/image_url'));
    const card = { type: 'card', hero_image: image('/gone.png') };
    await expect(post(card)).rejects.toMatchObject(refusedAt('/blocks/0/hero_image/image_url'));
    requested = [];
    const box = {
      type: 'container',
      title: { type: 'plain_text', text: 'Maps' },
      child_blocks: [image('/map.png'), image('/map.png'), image('/gone.png')],
    };
    await expect(post(box)).rejects.toMatchObject(refusedAt('/blocks/0/child_blocks/2/image_url'));
    expect(requested.toSorted()).toEqual(['/gone.png', '/map.png']);
  });

  test('an image that works again is accepted again', async () => {
    answers['/late.png'] = { status: 503, type: 'image/png', body: PNG };
    await expect(post(image('/late.png'))).rejects.toMatchObject(refusedAt('/blocks/0/image_url'));
    answers['/late.png'] = { status: 200, type: 'image/png', body: PNG };
    expect(await post(image('/late.png'))).toMatchObject({ ok: true });
  });

  test('updates and Home are checked too', async () => {
    const client = playgroundClient(slack);
    const { ts = '' } = await post(image('/map.png'));
    const blocks = [image('/gone.png')];
    await expect(client.chat.update({ channel: OPS, ts, text: 'x', blocks })).rejects.toMatchObject(
      refusedAt('/blocks/0/image_url'),
    );
    const home = { type: 'home' as const, blocks };
    await expect(client.views.publish({ user_id: ADA, view: home })).rejects.toMatchObject({
      data: {
        error: 'invalid_arguments',
        response_metadata: {
          messages: ['[ERROR] downloading image failed [json-pointer:/view/blocks/0/image_url]'],
        },
      },
    });
  });

  test('images elsewhere are not fetched, but can be refused for a test', async () => {
    const far = { ...image(''), image_url: 'https://maps.example/a.png' };
    expect(await post(far)).toMatchObject({ ok: true });
    slack.faults.refuseImages(true);
    await expect(post(far)).rejects.toMatchObject(refusedAt('/blocks/0/image_url'));
    await expect(post(image('/map.png'))).rejects.toMatchObject(refusedAt('/blocks/0/image_url'));
    slack.faults.refuseImages(false);
    expect(await post(far, image('/map.png'))).toMatchObject({ ok: true });
  });
});
