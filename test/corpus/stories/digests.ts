import { privateDesk, shared } from '../../support/bot.ts';
import type { Story } from '../story.ts';
import { cypress, diana } from './vessels.ts';

/** Valid IMO numbers. */
const manyVessels = Array.from({ length: 600 }, (_, index) => 9_400_000 + index).filter(hasCheckDigit);

/** The last digit of an IMO number is that of a sum of the others. */
function hasCheckDigit(imo: number): boolean {
  const [last, ...others] = [...String(imo)].map(Number).toReversed();
  return others.reduce((sum, digit, index) => sum + digit * (index + 2), 0) % 10 === last;
}

/** Digests as they are sent, at their times. The first hours are few: each begins at 06:10 in Berlin. */
export const digests: readonly Story[] = [
  {
    title: 'A digest on two days: the first run, and what is new',
    async play({ ada, service, pass }) {
      service.predict(cypress, { NLRTM: [0.9, 60], BEANR: [0.06, 70] });
      service.expect('NLRTM', { [cypress]: [0.9, 60], [diana]: [0.7, 90] });
      await ada.says(
        '/digest add "Morning" daily 08:00: nextport 9461477; portcalls NLRTM next 7 days; usage',
      );
      await pass(2);
      service.predict(cypress, { BEANR: [0.85, 75], NLRTM: [0.1, 60] });
      service.expect('NLRTM', { [diana]: [0.7, 120], 9811000: [0.8, 100] });
      await pass(24, { everyHours: 1 });
      await pass(24, { everyHours: 1 });
    },
  },
  {
    title: 'Only news: nothing is sent if nothing is new',
    async play({ ada, service, pass }) {
      service.predict(cypress, { NLRTM: [0.9, 90] });
      await ada.says('/digest add "News" daily 07:30 only news: nextport 9461477');
      await pass(26, { everyHours: 1 });
      service.predict(cypress, { NLRTM: [0.9, 120] });
      await pass(24, { everyHours: 1 });
    },
  },
  {
    title: 'A digest to oneself, with what changed for the watches',
    async play({ ada, service, pass }) {
      service.predict(cypress, { NLRTM: [0.9, 60] });
      await ada.says('/watch 9461477 to me');
      await ada.says('/digest add "Mine" daily 06:30, 18:00 to me: watch changes; nextport watched');
      await pass(2);
      service.predict(cypress, { DEHAM: [0.9, 80] });
      await pass(11, { everyHours: 1 });
    },
  },
  {
    title: 'A line fails: the service does not answer',
    async play({ ada, service, pass }) {
      service.predict(cypress, { NLRTM: [0.9, 90] });
      await ada.says('/digest add "Morning" daily 08:00: nextport 9461477; lane Singapore Xiamen');
      await pass(2);
      const recover = service.fail();
      await pass(24, { everyHours: 1 });
      recover();
      await pass(24, { everyHours: 1 });
    },
  },
  {
    title: 'The budget of the day is used up',
    env: { ANALYTICS_DAILY_CALLS: '3' },
    async play({ ada, pass }) {
      await ada.says(
        '/digest add "Morning" daily 08:00 UTC: portcalls NLRTM tomorrow; portcalls DEHAM tomorrow',
      );
      for (const port of ['NLRTM', 'SGSIN', 'BEANR']) await ada.says(`/portcalls ${port} tomorrow`);
      await pass(3);
    },
  },
  {
    title: 'A dry run, saved; run now; paused, resumed and removed in the message',
    async play({ ada, ben, pass }) {
      await ada.says(
        '/digest add "Week" mon 07:00: lane Singapore Xiamen last month; nextport 9461477 dry run',
      );
      await ada.presses('Save it');
      await ada.presses('Run now');
      await pass(0.25);
      await ben.presses('Pause', 'Week');
      await ben.presses('Resume');
      await ben.says('/digest list');
    },
  },
  {
    title: 'More news than fit into one message',
    async play({ ada, service, pass }) {
      service.expect('NLRTM', { [cypress]: [0.9, 60] });
      await ada.says('/digest add "Morning" daily 08:00: portcalls NLRTM next 7 days all');
      await pass(2);
      service.expect('NLRTM', Object.fromEntries(manyVessels.map((imo, index) => [imo, [0.9, 50 + index]])));
      await pass(24, { everyHours: 6 });
    },
  },
  {
    title: 'Runs that were missed, since the workspace was paused',
    async play({ bot, ada, service, pass }) {
      service.predict(cypress, { NLRTM: [0.9, 90] });
      await ada.says('/digest add "Morning" daily 08:00: nextport 9461477');
      await pass(2);
      bot.advance(3 * 24 * 3_600_000);
      await pass(1);
    },
  },
  {
    title: 'A channel with people of another organisation',
    async play({ ada, pass }) {
      await ada.says('/digest add daily 08:00: nextport 9461477; usage', { channelId: shared });
      await ada.says('/digest add daily 08:00: nextport 9461477; portcalls NLRTM tomorrow', {
        channelId: shared,
      });
      await ada.presses('Post it here');
      await pass(2);
    },
  },
  {
    title: 'A channel that Landfall is not in, and one that it is removed from',
    async play({ bot, ada, step, pass }) {
      await ada.says('/digest add daily 08:00: usage', { channelId: privateDesk });
      await ada.says('/digest add "Morning" daily 08:00: usage');
      await step('Landfall is removed from #ops', async () => {
        await bot.playground.controls.removeMember('C0OPS00001');
        return [];
      });
      await pass(2);
    },
  },
  {
    title: 'Every kind of answer in one digest',
    async play({ ada, pass }) {
      await ada.says(
        '/digest add "All" daily 07:00: nextport 9461477, 9755933; nextport 9461477 compare; portcalls Rotterdam, Antwerp tomorrow; portcalls Rotterdam next week by day; lane Singapore Xiamen versus previous',
      );
      await ada.says(
        '/digest add "More" daily 08:00: nextport list:FEEDERS; nextport 9755933 map; watch stability; vessel list',
      );
      // At hours of their own: they count the requests of lines that run beside them.
      await ada.says('/digest add "Usage" daily 09:00: usage');
      await ada.says('/digest add "Bot" daily 10:00: usage bot');
      await pass(5);
    },
  },
];
