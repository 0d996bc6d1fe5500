import { expect, onTestFinished, test, vi } from 'vitest';
import { blocksOf } from '../../../src/answers/message.ts';
import { image } from '../../../src/answers/slack/rich-blocks.ts';
import { createResponseUrl } from '../../../src/slack/posting/deliver.ts';
import { serve } from '../../support/local-server.ts';

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
  const origin = await serve(async (request, response) => {
    const content = Buffer.concat(await request.toArray()).toString();
    const hasPicture = content.includes('"image_url"');
    if (hasPicture) passTime(pictureWaitMs);
    else taken.push(content);
    response.end(hasPicture ? 'invalid_blocks' : 'ok');
  });
  const blocks = [image({ url: 'https://a.example/1.png', alt: 'Rotterdam 82%' })];
  await createResponseUrl(origin).send({ text: 'map', ...blocksOf(blocks) }, {});
  expect(taken).toEqual([expect.stringContaining('Rotterdam 82%')]);
});
