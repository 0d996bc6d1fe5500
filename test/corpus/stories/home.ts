import type { Story } from '../story.ts';
import { cypress } from './vessels.ts';

export const home: readonly Story[] = [
  {
    title: 'Empty, of an admin, a member, a guest and somebody of another organisation',
    async play({ ada, ben, eve, dora }) {
      await ada.opensHome();
      await ben.opensHome();
      await eve.opensHome();
      await dora.opensHome();
    },
  },
  {
    title: 'With watches, a digest and an open alert',
    async play({ ada, ben, eve, service, pass }) {
      service.predict(cypress, { NLRTM: [0.9, 60] });
      await ada.says('/watch 9461477');
      await ada.says('/watch 9755933 to me');
      await ada.says('/watch port Rotterdam');
      await ada.says('/watch list:FEEDERS');
      await ada.says('/digest add "Morning" daily 08:00: nextport 9461477');
      await pass(1);
      service.predict(cypress, { BEANR: [0.9, 80] });
      await pass(3);
      await ada.opensHome();
      await ben.opensHome();
      await eve.opensHome();
      await ada.pressesAtHome('Digests 1');
      await ada.pressesAtHome('Pause', 'Morning');
      await ada.pressesAtHome('Vessel names 115');
      await ada.pressesAtHome('Next 12');
      await ada.pressesAtHome('Watches 4');
      await ada.pressesAtHome('Only mine');
      await ada.pressesAtHome('Snooze 1 hour', 'MSC DIANA');
      await ada.pressesAtHome('Stop …', 'MSC DIANA');
      await ada.pressesAtHome('Acknowledge', 'DS CYPRESS');
    },
  },
  {
    title: 'While the service does not answer',
    async play({ ada, service }) {
      service.fail();
      await ada.says('/nextport 9461477');
      await ada.opensHome();
    },
  },
  {
    title: 'Guests are not served',
    async play({ ada, eve }) {
      await ada.says('/landfall settings guests none');
      await eve.opensHome();
    },
  },
];
