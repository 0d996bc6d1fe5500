import type { Story } from '../story.ts';
import { cypress, diana } from './vessels.ts';

/** What a watch notifies of: each story is one way in which a prediction changes. */
export const alerts: readonly Story[] = [
  {
    title: 'The ETA moves by a day, and back again',
    async play({ ada, service, pass }) {
      service.predict(cypress, { NLRTM: [0.9, 60], BEANR: [0.06, 70] });
      await ada.says('/watch 9461477');
      await pass(2);
      service.predict(cypress, { NLRTM: [0.9, 84], BEANR: [0.06, 90] });
      await pass(4);
      service.predict(cypress, { NLRTM: [0.9, 60], BEANR: [0.06, 70] });
      await pass(4);
    },
  },
  {
    title: 'The ETA moves by little, which only the history shows',
    async play({ ada, service, pass }) {
      service.predict(cypress, { NLRTM: [0.9, 60] });
      await ada.says('/watch 9461477 eta 6h');
      await pass(2);
      service.predict(cypress, { NLRTM: [0.9, 63] });
      await pass(4);
      service.predict(cypress, { NLRTM: [0.88, 67] });
      await pass(4);
      await ada.says('/nextport 9461477 history');
      await ada.says('/watch changes');
      await ada.presses('History', 'Rotterdam');
    },
  },
  {
    title: 'A diversion: another port becomes the likeliest',
    async play({ ada, service, pass }) {
      service.predict(cypress, { NLRTM: [0.8, 60], BEANR: [0.15, 70] });
      await ada.says('/watch 9461477');
      await pass(2);
      service.predict(cypress, { NLRTM: [0.1, 60], BEANR: [0.85, 70] });
      await pass(6);
      await ada.says('/watch changes');
      await ada.says('/watch list');
    },
  },
  {
    title: 'A diversion without a word: the port is no longer predicted well before its ETA',
    async play({ ada, service, pass }) {
      service.predict(cypress, { NLRTM: [0.8, 60], BEANR: [0.15, 70] });
      await ada.says('/watch 9461477');
      await pass(2);
      service.predict(cypress, { DEHAM: [0.9, 80] });
      await pass(6);
    },
  },
  {
    title: 'A dispute: two ports take turns, until one wins',
    async play({ ada, service, pass }) {
      service.predict(cypress, { NLRTM: [0.7, 90], BEANR: [0.25, 96] });
      await ada.says('/watch 9461477');
      await pass(2);
      for (const [rotterdam, antwerp] of [
        [0.49, 0.47],
        [0.46, 0.5],
        [0.5, 0.46],
        [0.45, 0.51],
      ] as const) {
        service.predict(cypress, { NLRTM: [rotterdam, 90], BEANR: [antwerp, 96] });
        await pass(5);
      }
      service.predict(cypress, { NLRTM: [0.08, 90], BEANR: [0.9, 96] });
      await pass(12);
    },
  },
  {
    title: 'The probability falls under a limit',
    async play({ ada, service, pass }) {
      service.predict(cypress, { NLRTM: [0.8, 90], BEANR: [0.1, 96] });
      await ada.says('/watch 9461477 below 60%');
      await pass(2);
      service.predict(cypress, { NLRTM: [0.55, 90], BEANR: [0.2, 96] });
      await pass(6);
      service.predict(cypress, { NLRTM: [0.9, 90], BEANR: [0.05, 96] });
      await pass(6);
    },
  },
  {
    title: 'Arriving: 48 and 24 hours before the ETA',
    async play({ ada, service, pass }) {
      service.predict(cypress, { NLRTM: [0.95, 50] });
      await ada.says('/watch 9461477 arriving 48h,24h');
      await pass(28);
    },
  },
  {
    title: 'Overdue: the ETA passed, and the port is still predicted',
    async play({ ada, service, pass }) {
      service.predict(cypress, { NLRTM: [0.95, 5] });
      await ada.says('/watch 9461477 overdue 6h');
      await pass(14);
      service.predict(cypress, { NLRTM: [0.95, 20] });
      await pass(3);
    },
  },
  {
    title: 'The next leg: the port is no longer predicted at about its ETA',
    async play({ ada, service, pass }) {
      service.predict(cypress, { NLRTM: [0.95, 5], DEHAM: [0.03, 40] });
      await ada.says('/watch 9461477 next leg');
      await pass(5);
      service.predict(cypress, { DEHAM: [0.93, 40], NOOSL: [0.03, 60] });
      await pass(4);
      await ada.says('/nextport 9461477 history');
      await ada.says('/watch stability 9461477');
    },
  },
  {
    title: 'Predictions end, and begin again',
    async play({ ada, service, pass }) {
      service.predict(cypress, { NLRTM: [0.95, 60] });
      await ada.says('/watch 9461477');
      await pass(2);
      service.predict(cypress, {});
      await pass(30);
      service.predict(cypress, { NLRTM: [0.9, 64] });
      await pass(4);
    },
  },
  {
    title: 'An ETA that the service no longer gives',
    async play({ ada, service, pass }) {
      service.predict(cypress, { NLRTM: [0.95, 60] });
      await ada.says('/watch 9461477');
      await pass(2);
      service.predict(cypress, { NLRTM: [0.95] });
      await pass(6);
      await ada.says('/nextport 9461477');
    },
  },
  {
    title: "The service doesn't answer for two days",
    async play({ ada, service, pass }) {
      service.predict(cypress, { NLRTM: [0.95, 90] });
      await ada.says('/watch 9461477');
      await pass(2);
      const recover = service.fail();
      await pass(48, { everyHours: 1 });
      await ada.says('/nextport 9461477');
      await ada.says('/portcalls Rotterdam tomorrow');
      await ada.says('/landfall status');
      recover();
      await pass(6);
      await ada.says('/landfall status');
    },
  },
  {
    title: 'A due date: the ETA becomes later, and the port unlikely',
    async play({ ada, service, pass }) {
      service.predict(cypress, { NLRTM: [0.9, 80] });
      await ada.says('/watch 9461477 due NLRTM 27 Nov 18:00');
      await pass(2);
      service.predict(cypress, { NLRTM: [0.9, 130] });
      await pass(6);
      service.predict(cypress, { NLRTM: [0.1, 130], BEANR: [0.85, 120] });
      await pass(6);
    },
  },
  {
    title: 'Until the next port: the watch ends with the diversion',
    async play({ ada, service, pass }) {
      service.predict(cypress, { NLRTM: [0.9, 60] });
      await ada.says('/watch 9461477 until next port');
      await pass(2);
      service.predict(cypress, { BEANR: [0.9, 70] });
      await pass(6);
      await ada.says('/watch list');
    },
  },
  {
    title: 'A port: a vessel is newly expected, another no longer',
    async play({ ada, service, pass }) {
      service.expect('NLRTM', { [cypress]: [0.9, 40] });
      await ada.says('/watch port Rotterdam expected');
      await pass(2);
      service.expect('NLRTM', { [cypress]: [0.9, 40], [diana]: [0.8, 50] });
      await pass(6);
      service.expect('NLRTM', { [diana]: [0.8, 50] });
      await pass(6);
    },
  },
  {
    title: 'A fleet: changes of two vessels at once, and a vessel more',
    async play({ ada, ben, service, pass }) {
      service.predict(cypress, { NLRTM: [0.9, 60] });
      service.predict(diana, { BEANR: [0.9, 70] });
      await ada.says('/vessel fleet NORTH add 9461477, 9755933');
      await ada.says('/watch fleet:NORTH');
      await pass(2);
      service.predict(cypress, { DEHAM: [0.9, 80] });
      service.predict(diana, { NLRTM: [0.9, 75] });
      await pass(6);
      await ben.says('/vessel fleet NORTH add EVER GIVEN');
      await pass(2);
      await ben.says('/vessel fleet NORTH forget');
      await pass(2);
    },
  },
  {
    title: 'A fleet at a port',
    async play({ ada, service, pass }) {
      service.predict(cypress, { NLRTM: [0.1, 60], DEHAM: [0.8, 70] });
      service.predict(diana, { NLRTM: [0.9, 70] });
      service.expect('NLRTM', { [diana]: [0.9, 70] });
      await ada.says('/vessel fleet NORTH add 9461477, 9755933');
      await ada.says('/watch fleet:NORTH at Rotterdam');
      await pass(2);
      service.predict(cypress, { NLRTM: [0.9, 60] });
      service.expect('NLRTM', { [cypress]: [0.9, 60], [diana]: [0.9, 100] });
      await pass(8);
    },
  },
  {
    title: "A provider's list",
    async play({ ada, pass }) {
      await ada.says('/watch list:FEEDERS');
      await pass(24, { everyHours: 6 });
    },
  },
];
