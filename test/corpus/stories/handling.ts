import { privateDesk, shared } from '../../support/bot.ts';
import type { Stage } from '../stage.ts';
import type { Story } from '../story.ts';
import { cypress, diana, given } from './vessels.ts';

/** What people do about alerts and watches. */
export const handling: readonly Story[] = [
  {
    title: 'An alert is acknowledged',
    async play(stage) {
      await divert(stage);
      await stage.ada.presses('Acknowledge');
      await stage.pass(1);
      await stage.ben.says('/watch acknowledge 9461477');
    },
  },
  {
    title: 'An alert is assigned, reminded of, and acknowledged in the reminder',
    async play(stage) {
      const { ada, ben, pass } = stage;
      await divert(stage);
      await ada.presses('Assign …');
      await ada.fills('Person', ben.userId);
      await ada.submits();
      await pass(6);
      await ben.opensHome();
      await ben.presses('Acknowledge', 'Not acknowledged yet');
      await pass(1);
    },
  },
  {
    title: 'Alerts are assigned in the thread, and to somebody who may not have them',
    async play(stage) {
      const { ada, pass } = stage;
      await divert(stage);
      await ada.says('@landfall assign @dora', { threadOf: 'DS CYPRESS' });
      await ada.says('@landfall assign @ben', { threadOf: 'DS CYPRESS' });
      await pass(1);
      await ada.says('@landfall where is it?', { threadOf: 'DS CYPRESS' });
      await ada.says('@landfall acknowledge', { threadOf: 'DS CYPRESS' });
      await pass(1);
    },
  },
  {
    title: 'A snooze of an hour, and what changed meanwhile',
    async play({ ada, service, pass }) {
      service.predict(cypress, { NLRTM: [0.9, 60] });
      await ada.says('/watch 9461477');
      await pass(1);
      await ada.presses('1 hour');
      service.predict(cypress, { BEANR: [0.9, 80] });
      await pass(3);
    },
  },
  {
    title: 'A snooze until 24 hours before the ETA, and one until the next port changes',
    async play({ ada, service, pass }) {
      service.predict(cypress, { NLRTM: [0.9, 30] });
      await ada.says('/watch 9461477');
      await pass(1);
      await ada.presses('Until 24 h before the ETA');
      await pass(8);
      await ada.presses('Until the next port changes');
      service.predict(cypress, { NLRTM: [0.9, 50] });
      await pass(4);
      service.predict(cypress, { BEANR: [0.9, 60] });
      await pass(4);
    },
  },
  {
    title: 'Quiet hours: what changed in the night comes in the morning',
    async play({ ada, service, pass }) {
      service.predict(cypress, { NLRTM: [0.9, 90] });
      await ada.says('/watch 9461477 quiet 20:00-07:00');
      await pass(15);
      service.predict(cypress, { BEANR: [0.9, 100] });
      await pass(5);
      service.predict(cypress, { BEANR: [0.9, 120] });
      await pass(8);
    },
  },
  {
    title: 'A watch is stopped, restored, and stopped by somebody else',
    async play({ ada, ben, service, pass }) {
      service.predict(cypress, { NLRTM: [0.9, 90] });
      await ada.says('/watch 9461477');
      await pass(1);
      await ada.presses('Stop …');
      await ada.pressesInForm('Stop it');
      await ada.pressesInForm('Undo');
      await ada.closes();
      await pass(1);
      await ben.says('/watch stop 9461477');
      await pass(1);
    },
  },
  {
    title: "Somebody changes the rules of another person's watch",
    async play({ ada, ben, service, pass }) {
      service.predict(cypress, { NLRTM: [0.9, 90] });
      await ada.says('/watch 9461477');
      await pass(1);
      await ben.says('/watch 9461477 only eta 24h');
      await ben.presses('Change it');
      await pass(1);
    },
  },
  {
    title: 'A watch is handed over, to a person and to a channel',
    async play({ ada, ben, service, pass }) {
      service.predict(cypress, { NLRTM: [0.9, 90] });
      await ada.says('/watch 9461477');
      await pass(1);
      await ada.says(`/watch hand over 9461477 to @ben`);
      await pass(1);
      await ben.says('/watch hand over in #ops');
      await ben.says('/watch list');
    },
  },
  {
    title: 'A watch for oneself',
    async play({ ada, service, pass }) {
      service.predict(cypress, { NLRTM: [0.9, 60] });
      await ada.writes('watch 9461477');
      await pass(1);
      service.predict(cypress, { BEANR: [0.9, 80] });
      await pass(4);
      await ada.writes('watch list');
    },
  },
  {
    title: 'A channel with people of another organisation',
    async play({ ada, dora, service, pass }) {
      service.predict(cypress, { NLRTM: [0.9, 60] });
      await ada.says('/watch 9461477', { channelId: shared });
      await ada.presses('Post it here');
      await pass(1);
      service.predict(cypress, { BEANR: [0.9, 80] });
      await pass(4);
      await dora.presses('Acknowledge');
      await ada.says('/nextport 9461477 public', { channelId: shared });
      await ada.says('/usage public', { channelId: shared });
    },
  },
  {
    title: 'A channel without Landfall',
    async play({ ada }) {
      await ada.says('/watch 9461477', { channelId: privateDesk });
      await ada.says('/nextport 9461477', { channelId: privateDesk });
    },
  },
  {
    title: 'Landfall is removed from the channel of a watch, and comes back',
    async play({ bot, ada, service, step, pass }) {
      service.predict(cypress, { NLRTM: [0.9, 60] });
      await ada.says('/watch 9461477');
      await pass(1);
      await step('Landfall is removed from #ops', async () => {
        await bot.playground.controls.removeMember('C0OPS00001');
        return [];
      });
      await pass(1);
      await step('Landfall is invited again', async () => {
        await bot.playground.controls.addMember('C0OPS00001');
        return [];
      });
      await ada.presses('Resume');
      await pass(1);
    },
  },
  {
    title: 'A channel with two watches and a digest is archived',
    async play({ bot, ada, step, pass }) {
      await ada.says('/watch 9461477');
      await ada.says('/watch 9755933');
      await ada.says('/digest add "Morning" daily 08:00: nextport 9461477');
      await pass(1);
      await step('#ops is archived', async () => {
        await bot.playground.controls.archive('C0OPS00001');
        return [];
      });
      await pass(1);
      await step('#ops is there again', async () => {
        await bot.playground.controls.unarchive('C0OPS00001');
        return [];
      });
      await ada.presses('Resume all');
      await pass(1);
    },
  },
  {
    title: 'Five vessels are diverted at once',
    async play({ ada, service, pass }) {
      const vessels = [cypress, diana, given, 1997705, 1996309];
      for (const imo of vessels) {
        service.predict(imo, { NLRTM: [0.9, 60] });
        await ada.says(`/watch ${imo}`);
      }
      await pass(2);
      for (const imo of vessels) service.predict(imo, { DEHAM: [0.9, 80] });
      await pass(6, { everyHours: 6 });
    },
  },
  {
    title: "A watch is stopped while Slack doesn't answer",
    async play({ bot, ada, service, pass }) {
      service.predict(cypress, { NLRTM: [0.9, 90] });
      await ada.says('/watch 9461477');
      await pass(1);
      bot.playground.faults.next('chat.update', { status: 503 }, 3);
      await ada.says('/watch stop 9461477');
      await pass(1);
    },
  },
  {
    title: 'The watches need more calls than the budget of a day',
    env: { ANALYTICS_DAILY_CALLS: '60' },
    async play({ ada, pass }) {
      await ada.says('/watch 9461477');
      await ada.says('/watch 9755933');
      await pass(26, { everyHours: 1 });
      await ada.says('/usage bot');
      await ada.says('/landfall status');
    },
  },
  {
    title: 'Slack refuses the first message of a watch, or never says what became of it',
    async play({ bot, ada, pass }) {
      bot.playground.faults.next('chat.postMessage', { error: 'restricted_action' });
      await ada.says('/watch 9461477');
      bot.playground.faults.next('chat.postMessage', { cut: true }, 5);
      await ada.says('/watch 9755933');
      await pass(1);
      await ada.says('/watch list');
    },
  },
  {
    title: 'Somebody deletes the card of a watch',
    async play({ bot, ada, service, pass }) {
      service.predict(cypress, { NLRTM: [0.9, 60] });
      await ada.says('/watch 9461477');
      await pass(1);
      bot.playground.faults.next('chat.update', { error: 'message_not_found' });
      service.predict(cypress, { NLRTM: [0.9, 84] });
      await pass(6);
    },
  },
  {
    title: 'After a restart',
    async play({ ada, service, pass }) {
      service.predict(cypress, { NLRTM: [0.9, 90] });
      await ada.says('/watch 9461477');
      await ada.says('/digest add "Morning" daily 08:00: nextport 9461477');
      await pass(1);
    },
    async playAfterRestart({ ada, service, pass }) {
      service.predict(cypress, { BEANR: [0.9, 100] });
      await pass(2);
      await ada.presses('Acknowledge');
      await ada.says('/watch list');
    },
  },
];

/** A watched vessel with an open alert. */
async function divert({ ada, service, pass }: Stage): Promise<void> {
  service.predict(cypress, { NLRTM: [0.8, 60], BEANR: [0.15, 70] });
  await ada.says('/watch 9461477');
  await pass(1);
  service.predict(cypress, { NLRTM: [0.1, 60], BEANR: [0.85, 70] });
  await pass(3);
}
