import { expect, test } from 'vitest';
import { ada, ben, buttonsOf, dmOf, ops, startBot } from '../../support/bot.ts';
import { addWatch } from '../../support/bot-watch.ts';
import { useStarted } from '../../support/use-started.ts';

const bot = useStarted(() => startBot('http'));

test('others are shown what of their own they can pause', async () => {
  for (const line of ['pause', 'resume']) {
    const answer = await bot.say(ben, dmOf(ben), line);
    expect(answer.text).toContain(`Only workspace admins can ${line} everything. Nothing was changed.`);
    expect(buttonsOf(answer).map(({ text }) => text?.text)).toEqual(['List my watches', 'List my digests']);
  }
});

test.each([
  ['pause until monday', /will be paused until 29 Nov 2026 23:00 UTC\./],
  ['pause for 3 days', /will be paused until 26 Nov 2026 05:1\d UTC\./],
  [
    'pause from 24 dec until 27 dec',
    /will be paused from 23 Dec 2026 23:00 UTC until 26 Dec 2026 23:00 UTC\./,
  ],
  ['pause 24-27 dec', /will be paused from 23 Dec 2026 23:00 UTC until 26 Dec 2026 23:00 UTC\./],
  [
    'pause between 24 dec and 2 jan',
    /will be paused from 23 Dec 2026 23:00 UTC until 1 Jan 2027 23:00 UTC\./,
  ],
  ['pause for 3 days from friday', /will be paused from 26 Nov 2026 23:00 UTC until 29 Nov 2026 23:00 UTC\./],
  [
    'pause from tomorrow 07:00 until tomorrow 22:00',
    /will be paused from 24 Nov 2026 06:00 UTC until 24 Nov 2026 21:00 UTC\./,
  ],
  ['please pause everything from friday', /will be paused from 26 Nov 2026 23:00 UTC on\./],
  ['pause from 24 dec 2026 until 23 dec 2026', /^2026-12-23 is not after its beginning\./],
  ['pause over christmas', /Write “from 24 dec until 27 dec”/],
  ['please pause all watches and digests', /^Pause everything in this workspace\?/],
  ['stop polling', /^Pause everything in this workspace\?/],
  ['how do I pause everything?', /^Pause everything in this workspace\?/],
  ['pause for 200 days', /a pause lasts from 5 minutes to 90 days/],
  ['pause until 1 Nov 2026', /^1 nov 2026 is in the past|is in the past\./i],
  ['pause EVER GIVEN', /^How long should it be snoozed\?/],
  ['can you resume everything?', /^Resume\? Watches are polled again, and digests and reminders are sent\./],
  ['resume', /^Nothing is paused here: /],
  ['resume?', /^Nothing has changed yet\. Do you want \/landfall resume\?/],
  ['resume at 8', /^I can't plan “(?:resume )?at 8”: “resume” ends the pause at once\./],
  ['resume everything on monday', /: “resume” ends the pause at once\./],
  ['are we paused?', /^(?!I can't answer)/],
])('“%s” by an admin', async (line, answer) => {
  expect((await bot.say(ada, dmOf(ada), line)).text).toMatch(answer);
});

test('a planned pause is shown before it begins, and can be cancelled', async () => {
  const asked = await bot.say(ada, dmOf(ada), '/landfall pause from 24 dec until 27 dec');
  const planned = await bot.click(ada, asked, 'Pause everything');
  expect(planned.text).toBe(
    'Everything will be paused from 23 Dec 2026 23:00 UTC until 26 Dec 2026 23:00 UTC. Until then everything runs as usual. It lasts 3 d.',
  );
  expect((await bot.say(ada, dmOf(ada), '/landfall status')).text).toContain(
    'All watches and digests will be paused from 23 Dec 2026 23:00 UTC until 26 Dec 2026 23:00 UTC',
  );
  const again = await bot.say(ada, dmOf(ada), '/landfall pause until monday');
  expect(again.text).toContain('Pause everything until 29 Nov 2026 23:00 UTC instead?');
  expect((await bot.click(ada, again, 'Cancel the pause')).text).toMatch(
    /^The pause from 23 Dec 2026 23:00 UTC on is cancelled: /,
  );
  expect((await bot.say(ada, dmOf(ada), '/landfall audit')).text).toMatch(
    /cancelled the pause of all watches and digests.* planned a pause of all watches and digests, from: 23 Dec/s,
  );
});

test('in the thread of a card, and before a vessel, “resume” is about a watch', async () => {
  const { card } = await addWatch(bot);
  expect((await bot.say(ada, ops, '@landfall resume', { threadTs: card().ts })).text).toContain(
    'Resumed: DS CYPRESS',
  );
  expect((await bot.say(ada, ops, '/landfall resume DS CYPRESS')).text).toContain('Resumed: DS CYPRESS');
});
