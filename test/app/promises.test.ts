import type { PageMessage } from 'bolt-playground';
import { expect, test } from 'vitest';
import { ada, buttonsOf, ops } from '../support/bot.ts';
import { blockLines } from '../support/message-text.ts';
import { useBot } from '../support/use-bot.ts';

/** The first cells of the table's rows. */
const bookingsIn = ({ blocks }: PageMessage): string[] =>
  (blocks ?? []).flatMap(blockLines).flatMap((line) => /^\| (BK-\d+) at /.exec(line.trim())?.slice(1) ?? []);

const linesOf = ({ blocks }: PageMessage): string[] =>
  (blocks ?? []).flatMap(blockLines).map((line) => line.trim());

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

test('a question about a date is answered for that date, not for the promise', async () => {
  const bot = await useBot();
  await bot.say(ada, ops, '/vessel ref MSC DIANA BK-4402 due Antwerp 20 dec');
  const asked = await bot.say(ada, ops, '/landfall will BK-4402 make it by 7 dec?');
  expect(asked.text).toMatch(
    /^BK-4402 · MSC DIANA at Antwerp by Mon 7 Dec 23:59 LT \(22:59 UTC\): 🔴 at risk, Rotterdam is likelier \(70%\)/,
  );
  const elsewhere = await bot.say(ada, ops, '/nextport MSC DIANA by 12 dec 14:00 UTC');
  expect(elsewhere.text).toMatch(
    /^MSC DIANA at Rotterdam by Sat 12 Dec 15:00 LT \(14:00 UTC\): in time, 4 d/,
  );
  const inSingapore = await bot.say(ada, ops, '/nextport MSC DIANA by 12 dec 14:00 Singapore time');
  expect(inSingapore.text).toMatch(/^MSC DIANA at Rotterdam by Sat 12 Dec 07:00 LT \(06:00 UTC\): in time/);
  expect((await bot.say(ada, ops, '/nextport MSC DIANA by 22 nov 2026')).text).toContain('is in the past');
});

test('the promises of two bookings each have a button that stays; a new date finds the port of the promise', async () => {
  const bot = await useBot();
  const say = (line: string) => bot.say(ada, ops, line);
  const offered = await say(
    '/vessel ref EVER GIVEN BK-1 due Rotterdam 7 dec, DS CYPRESS BK-2 due Southampton 9 dec',
  );
  for (const { text } of buttonsOf(offered)) await bot.click(ada, offered, text?.text ?? '');
  expect(bookingsIn(await say('/watch promises')).toSorted()).toEqual(['BK-1', 'BK-2']);

  const moved = await say('/landfall the deadline of BK-2 is now 22 dec 10:00');
  const changed = await bot.click(ada, moved, 'Yes, add it');
  expect(changed.text).toContain('BK-2 promised at Southampton by Tue 22 Dec 10:00 LT');
  expect(changed.text).toContain('Instead of BK-2 at Southampton by Wed 9 Dec 23:59 LT');

  expect((await say('/vessel ref BK-1 due Rotterdam 4 dec 14:00 Singapore time')).text).toContain(
    'BK-1 promised at Rotterdam by Fri 4 Dec 07:00 LT',
  );
  await say('/vessel ref BK-2 due Rotterdam 24 dec');
  const which = await say('/vessel ref BK-2 due 25 dec');
  expect(which.text).toContain('BK-2 is promised at several ports. Which date do you mean?');
  expect((await bot.click(ada, which, 'Rotterdam')).text).toContain(
    'Instead of BK-2 at Rotterdam by Thu 24 Dec',
  );
  const fresh = await say('/vessel ref 9461477 BK-3 due 22 dec');
  expect(fresh.text).toMatch(/^BK-3 isn't promised at any port yet\. Which port is it due at\? Southampton;/);
});

test('what is done to several references at once has one Undo, which gives each its own promises back', async () => {
  const bot = await useBot();
  const say = (line: string) => bot.say(ada, ops, line);
  const cypress = '/vessel ref 9461477';
  const dues = async () => linesOf(await say('/watch promises')).filter((line) => line.startsWith('| BK-'));

  await say(`${cypress} add BK-3`);
  const both = await say(`${cypress} BK-1 due Rotterdam 7 dec, BK-2 due Southampton 9 dec`);
  expect(both.text).toContain(
    'DS CYPRESS: BK-1 promised at Rotterdam by Mon 7 Dec 23:59 LT (22:59 UTC); BK-2 promised at Southampton by Wed 9 Dec 23:59 LT',
  );
  const promised = await dues();
  expect(promised).toHaveLength(2);

  const removed = await say(`${cypress} remove BK-1, BK-2, BK-3`);
  expect(await dues()).toEqual([]);
  const back = await bot.click(ada, removed, 'Undo');
  expect(back.text).toContain('added BK-3');
  expect(await dues()).toEqual(promised);
  expect((await say(cypress)).text).toContain('3 references');

  const moved = await say(`${cypress} add BK-1, BK-2 due Rotterdam 20 dec, due Southampton 22 dec`);
  expect((await bot.click(ada, moved, 'Undo')).text).toContain('no longer promised');
  expect(await dues()).toEqual(promised);

  const added = await say(`${cypress} add BK-8, BK-1 due Rotterdam 24 dec`);
  expect((await bot.click(ada, added, 'Undo')).text).toContain('removed BK-8');
  expect(await dues()).toEqual(promised);
});
