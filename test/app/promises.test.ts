import type { PageMessage } from 'bolt-playground';
import { expect, test } from 'vitest';
import { ada, ops } from '../support/bot.ts';
import { blockLines } from '../support/message-text.ts';
import { useBot } from '../support/use-bot.ts';

/** The first cells of the table's rows. */
const bookingsIn = ({ blocks }: PageMessage): string[] =>
  (blocks ?? []).flatMap(blockLines).flatMap((line) => /^\| (BK-\d+) at /.exec(line.trim())?.slice(1) ?? []);

test('the promises at risk come first, also if they are due last; and those of a vessel or a port alone', async () => {
  const bot = await useBot();
  const promise = (booking: number, due: string, imo = 9461477) =>
    bot.say(ada, ops, `/vessel ref ${imo} BK-${booking} due ${due}`);
  for (let booking = 101; booking <= 120; booking += 1)
    await promise(booking, `Southampton ${booking - 100} dec 18:00`);
  await promise(900, 'Rotterdam 30 dec 18:00 min 99%', 9755933);

  const first = await bot.say(ada, ops, '/watch promises');
  expect(first.text).toMatch(/^1 of 21 promises at risk/);
  expect(bookingsIn(first).slice(0, 2)).toEqual(['BK-900', 'BK-101']);
  expect(bookingsIn(await bot.say(ada, ops, '/watch promises page 2'))).toEqual(['BK-120']);
  const risky = await bot.say(ada, ops, '/watch promises at risk');
  expect(risky.text).toMatch(/^1 of 21 promises at risk/);
  expect(bookingsIn(risky)).toEqual(['BK-900']);

  const of = async (subject: string) => bookingsIn(await bot.say(ada, ops, `/watch promises ${subject}`));
  expect(await of('MSC DIANA')).toEqual(['BK-900']);
  expect((await of('for BK-120')).length).toBe(20);
  expect(await of('at Rotterdam at risk')).toEqual(['BK-900']);
  expect((await bot.say(ada, ops, '/watch promises EVER GIVEN')).text).toMatch(
    /^No promises here of EVER GIVEN\./,
  );
});
