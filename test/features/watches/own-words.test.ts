import { expect, test } from 'vitest';
import { ada, buttonsOf, ops, startBot, wordsOf } from '../../support/bot.ts';
import { useStarted } from '../../support/use-started.ts';

const bot = useStarted(() => startBot('http'));
/** Ada's next answer that says `part`. */
const say = (line: string, part: string) =>
  bot.say(ada, ops, line, {
    match: (message) => message.ephemeralTo === ada && wordsOf(message).includes(part),
  });
const offered = (message: Awaited<ReturnType<typeof say>>) =>
  buttonsOf(message).map(({ text }) => text?.text);

test('a wish changes nothing until its button is pressed: a promise, then the end of the watch', async () => {
  const promised = '/watch EVER GIVEN due NLRTM 24 dec 18:00';
  const wish = await say(
    '/watch EVER GIVEN due ROTTERDAM 24/12 1800, the customer insists',
    'Nothing has changed yet',
  );
  expect(wordsOf(wish)).toContain(promised);
  expect(offered(wish)).toEqual(['Yes, watch it']);
  await say('/watch stop EVER GIVEN', 'No watch here is for EVER GIVEN');
  await bot.click(ada, wish, 'Yes, watch it');
  await say(promised, 'already watched here');
  const end = await say('/watch stop EVER GIVEN, cargo is delivered', 'Nothing has changed yet');
  expect(wordsOf(end)).toContain('Do you want /watch stop EVER GIVEN?');
  expect(offered(end)[0]).toBe('Stop watching');
});

test('a reference with other words in it is offered without them, and not stored', async () => {
  const asked = await say('/vessel ref EVER GIVEN BK-4490 urgent', 'Nothing has changed yet');
  expect(wordsOf(asked)).toContain('/vessel ref EVER GIVEN add BK-4490');
  await say('/vessel ref EVER GIVEN', 'no references');
});

test('the schedule of a digest may be in two places', async () => {
  const asked = await say('/digest add daily lineup at 0630 here for Jebel Ali', 'Nothing has changed yet');
  expect(wordsOf(asked)).toContain('/digest add daily 06:30: portcalls AEJEA');
});
