import { createServer } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { blocksOf } from '../../../src/messages/message.ts';
import { image } from '../../../src/messages/rich-blocks.ts';
import { createResponseUrl } from '../../../src/slack/posting/response-url.ts';

/** How long a local Slack waits for a picture. */
const pictureWaitMs = 5_000;

test('an answer whose picture Slack waits for in vain goes out without it', async () => {
  const timeouts = new Map<AbortController, number>();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController();
    timeouts.set(controller, ms);
    return controller.signal;
  });
  onTestFinished(() => timeout.mockRestore());
  const passTime = (passedMs: number) => {
    for (const [controller, ms] of timeouts) if (ms <= passedMs) controller.abort();
  };
  const taken: string[] = [];
  const server = createServer(async (request, response) => {
    const content = Buffer.concat(await request.toArray()).toString();
    const hasPicture = content.includes('"image_url"');
    if (hasPicture) passTime(pictureWaitMs);
    else taken.push(content);
    response.end(hasPicture ? 'invalid_blocks' : 'ok');
  });
  onTestFinished(() => void server.close());
  const port = await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(Object(server.address()).port));
  });
  const blocks = [image({ url: 'https://a.example/1.png', alt: 'Rotterdam 82%' })];
  await createResponseUrl(`http://127.0.0.1:${port}`).send({ text: 'map', ...blocksOf(blocks) }, {});
  expect(taken).toEqual([expect.stringContaining('Rotterdam 82%')]);
});
