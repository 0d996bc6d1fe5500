import { shared } from '../../support/bot.ts';
import type { Story } from '../story.ts';
import { cypress } from './vessels.ts';

const cypressLink = 'https://www.vesselfinder.com/vessels/details/9461477';

/** Ways to ask and be answered beside lines: buttons, links, files, workflow steps; and what fails. */
export const elsewhere: readonly Story[] = [
  {
    title: 'Buttons and menus under an answer',
    async play({ ada, pass }) {
      await ada.says('/nextport 9461477');
      await ada.presses('Refresh');
      await pass(0.25);
      await ada.presses('Refresh');
      await ada.presses('Show all');
      await ada.presses('Who is coming to Southampton');
      await ada.says('/nextport 9461477');
      await ada.presses('Map');
      await ada.says('/nextport 9461477');
      await ada.presses('Share');
      await ada.presses('Watch');
      await ada.presses('Undo', 'Watching DS CYPRESS');
      await ada.says('/nextport 9461478');
      await ada.presses('DS CYPRESS (9461477)');
    },
  },
  {
    title: 'Shared with people of another organisation',
    async play({ ada, dora }) {
      await ada.says('/nextport 9461477', { channelId: shared });
      await ada.presses('Share');
      await ada.presses('Share here');
      await dora.presses('Refresh');
      await ada.says('/vessel ref 9461477 BK123', { channelId: shared });
      await ada.says('/nextport 9461477 public', { channelId: shared });
    },
  },
  {
    title: 'Links to vessels',
    async play({ ada, ben, dora, pass }) {
      await ben.says(`Have you seen ${cypressLink}?`);
      await ada.says('/landfall settings links on');
      await ben.says(`Have you seen ${cypressLink}?`);
      await pass(1, { everyHours: 1 });
      await ben.presses('Refresh');
      await dora.says(`Have you seen ${cypressLink}?`, { channelId: shared });
      await ada.says('/landfall settings links composer');
      await ben.composes(`Look at ${cypressLink}`);
    },
  },
  {
    title: 'A file of names',
    async play({ ada, eve }) {
      const names =
        'imo,name,fleet,reference,colour\n9811000,OUR GREEN ONE,NORTH,BK1,green\n9461478,WRONG DIGIT,,,\n,NOBODY,,,\n';
      await ada.shares('names.csv', names);
      await ada.shares('picture.png', 'not a table');
      await ada.shares('empty.csv', 'colour\n');
      await eve.shares('names.csv', names);
      await ada.writes('vessel export');
    },
  },
  {
    title: 'A step of a workflow',
    async play({ ada, eve }) {
      await ada.runsStep('ask_landfall', { line: 'nextport 9461477', person: ada.userId });
      await ada.runsStep('ask_landfall', { line: 'Where is EVER GIVEN?', person: ada.userId });
      await ada.runsStep('ask_landfall', { line: 'portcalls Rotterdam tomorrow', person: ada.userId });
      await ada.runsStep('ask_landfall', { line: 'watch 9461477', person: ada.userId });
      await ada.runsStep('ask_landfall', { line: 'nextport 9461478', person: ada.userId });
      await ada.runsStep('ask_landfall', { line: 'usage', person: eve.userId });
      await ada.runsStep('ask_landfall', { line: 'nextport 9461477' });
    },
  },
  {
    title: 'The service fails in each of its ways',
    async play({ bot, ada, service }) {
      const { faults } = bot.sandbox;
      // Logs in.
      await ada.says('/usage');
      for (const status of [400, 429, 500, 422, 404]) {
        const recover = service.fail(status);
        await ada.says('/nextport 9461477');
        recover();
      }
      for (const body of ['html', 'truncated'] as const) {
        const { remove } = faults.malformed(body);
        await ada.says('/portcalls Rotterdam tomorrow');
        remove();
      }
      const { remove } = faults.cut('before');
      await ada.says('/lane Singapore Xiamen');
      remove();
      faults.status(401, { endpoint: '/authentication/login' });
      faults.revokeTokens();
      await ada.says('/usage last month');
      await ada.says('/landfall status');
    },
  },
  {
    title: 'An answer from before the service failed',
    async play({ ada, service, pass }) {
      await ada.says('/nextport 9461477');
      await ada.says('/portcalls Rotterdam tomorrow');
      await pass(1);
      service.fail();
      await ada.says('/nextport 9461477');
      await ada.says('/portcalls Rotterdam tomorrow');
      await ada.says('/nextport 9461477, 9755933');
    },
  },
  {
    title: 'What the service may send: no ETA, equal ports, a percent scale, records that cannot be read',
    async play({ bot, ada, service, pass }) {
      service.predict(cypress, { NLRTM: [0.45, 60], BEANR: [0.44], DEHAM: [0.11, 0] });
      await ada.says('/nextport 9461477');
      // Answers are cached for some minutes.
      await pass(1, { everyHours: 1 });
      service.predict(cypress, { NLRTM: [90, 60], ZZZZZ: [10, 61] });
      await ada.says('/nextport 9461477 all');
      await pass(1, { everyHours: 1 });
      service.predict(cypress, { NLRTM: [0.9, -5] });
      await ada.says('/nextport 9461477 map');
      bot.sandbox.faults.add(
        { kind: 'status', status: 200, headers: {}, body: { predictions: [{ probability: 'high' }] } },
        { endpoint: '/nextport/vessel/9755933/predictions' },
      );
      await ada.says('/nextport 9755933');
    },
  },
  {
    title: 'Slow: “Working on it”, and a deadline',
    timing: { workingMs: 1 },
    async play({ bot, ada, step }) {
      const { remove } = bot.sandbox.faults.hold();
      await step('ada: /nextport 9461477', async () => {
        const { userId } = ada;
        await bot.say(userId, 'C0OPS00001', '/nextport 9461477');
        remove();
        return [];
      });
    },
  },
  {
    title: 'Slack refuses an answer, a picture, and a file',
    async play({ bot, ada }) {
      const { faults } = bot.playground;
      faults.refuseImages(true);
      await ada.says('/nextport 9461477 map');
      faults.refuseImages(false);
      faults.next('files.getUploadURLExternal', { error: 'missing_scope' });
      await ada.says('/nextport 9461477 as csv');
      faults.next('chat.postMessage', { error: 'restricted_action' });
      await ada.says('@landfall nextport 9461477');
      faults.next('views.open', { error: 'expired_trigger_id' });
      await ada.says('/landfall settings');
      await ada.presses('Change …');
    },
  },
  {
    title: 'Only admins see the usage',
    env: { USAGE_FOR: 'admins' },
    async play({ ada, ben }) {
      await ada.says('/usage');
      await ben.says('/usage');
      await ben.says('/usage bot');
    },
  },
  {
    title: 'An account without the trade lanes',
    hasOwnService: true,
    async play({ ada }) {
      await ada.says('/landfall account');
      await ada.presses('Connect your account');
      await ada.fills('API key', 'sandbox-api-key');
      await ada.fills('User id', 'u2');
      await ada.fills('Password', 'sandbox-password-2');
      await ada.submits();
      await ada.says('/lane Singapore Xiamen');
    },
  },
];
