import type { Story } from '../story.ts';
import { cypress } from './vessels.ts';

/** Each form: opened, with what is wrong in it, and submitted. */
export const forms: readonly Story[] = [
  {
    title: 'Watch a vessel',
    async play({ ada, pass }) {
      await ada.usesShortcut('watch_vessel');
      await ada.submits();
      await ada.fills('What to watch', '9461478');
      await ada.submits();
      await ada.fills('What to watch', 'DS CYPRESS');
      await ada.pressesInForm('Preview notifications');
      await ada.closes();
      await ada.fills('Channel', 'C0OPS00001');
      await ada.pressesInForm('Preview notifications');
      await ada.closes();
      await ada.pressesInForm('More settings');
      await ada.fills('The ETA moves by … hours', '0');
      await ada.fills('Quiet hours', '22');
      await ada.submits();
      await ada.fills('The ETA moves by … hours', '6');
      await ada.fills('Quiet hours', '22:00-06:00');
      await ada.submits();
      await pass(0.25);
    },
  },
  {
    title: 'Watch the vessel in a message, and name a vessel on the way',
    async play({ ada }) {
      await ada.says('/nextport 9461477 public');
      await ada.usesShortcut('watch_message', 'DS CYPRESS');
      await ada.pressesInForm('Name a vessel …');
      await ada.submits();
      await ada.fills('IMO number', '9461478');
      await ada.fills('Name', 'X');
      await ada.submits();
      await ada.closes();
    },
  },
  {
    title: 'Edit a watch',
    async play({ ada, ben, service, pass }) {
      service.predict(cypress, { NLRTM: [0.9, 90] });
      await ada.says('/watch 9461477 due NLRTM 27 Nov 18:00');
      await pass(0.25);
      await ada.presses('Edit the rules …');
      await ada.submits();
      await ada.closes();
      await ben.presses('Edit the rules …');
      await ben.closes();
    },
  },
  {
    title: 'Snooze until a date',
    async play({ ada, service, pass }) {
      service.predict(cypress, { NLRTM: [0.9, 90] });
      await ada.says('/watch 9461477');
      await pass(0.25);
      await ada.presses('Until a date …');
      await ada.fills('Day', '2026-11-20');
      await ada.submits();
      await ada.fills('Day', '2026-11-25');
      await ada.submits();
      await pass(0.25);
    },
  },
  {
    title: 'Assign an alert',
    async play({ ada, dora, service, pass }) {
      service.predict(cypress, { NLRTM: [0.9, 60] });
      await ada.says('/watch 9461477');
      await pass(1);
      service.predict(cypress, { BEANR: [0.9, 80] });
      await pass(3);
      await ada.presses('Assign …');
      await ada.submits();
      await ada.fills('Person', dora.userId);
      await ada.submits();
      await ada.fills('Person', ada.userId);
      await ada.submits();
    },
  },
  {
    title: 'Add a digest',
    async play({ ada, pass }) {
      await ada.opensHome();
      await ada.pressesAtHome('Add a digest …');
      await ada.submits();
      await ada.fills('Line 1', 'nextport 9461478');
      await ada.submits();
      await ada.fills('Line 1', 'nextport 9461477');
      await ada.pressesInForm('Add a line');
      await ada.fills('Line 2', 'usage 2026-10');
      await ada.pressesInForm('Preview');
      await ada.closes();
      await ada.fills('Times of day', '25:00');
      await ada.submits();
      await ada.fills('Times of day', '08:00');
      await ada.submits();
      await pass(0.25);
    },
  },
  {
    title: 'Edit a digest',
    async play({ ada }) {
      await ada.says('/digest add "Morning" mon 08:00: usage; nextport 9461477');
      await ada.says('/digest show 1');
      await ada.presses('Edit');
      await ada.fills('Title', 'Evening');
      await ada.submits();
    },
  },
  {
    title: 'Name a vessel',
    async play({ ada }) {
      await ada.opensHome();
      await ada.pressesAtHome('Name a vessel …');
      await ada.fills('IMO number', '9461478');
      await ada.fills('Name', 'CYPRESS II');
      await ada.submits();
      await ada.fills('IMO number', '9461477');
      await ada.fills('Add to fleets', 'NORTH');
      await ada.fills('Add references', 'BK123');
      await ada.submits();
    },
  },
  {
    title: 'Settings of a channel',
    async play({ ada }) {
      await ada.says('/landfall settings');
      await ada.presses('Change …');
      await ada.fills('Alerts of watches', 'thread');
      await ada.fills('Who sees answers here', 'public');
      await ada.submits();
      await ada.says('/nextport 9461477');
      await ada.says('/nextport 9461477 private');
      await ada.says('/landfall settings');
    },
  },
  {
    title: 'A token for an assistant, and its end',
    env: { PUBLIC_URL: 'https://landfall.example' },
    async play({ ada }) {
      await ada.says('/landfall assistants');
      await ada.presses('New token …');
      await ada.submits();
      await ada.fills('What is it for?', 'Desktop');
      await ada.submits();
      await ada.closes();
      await ada.says('/landfall assistants');
      await ada.presses('Revoke …');
    },
  },
  {
    title: 'The account of a workspace: connected, replaced and disconnected',
    hasOwnService: true,
    async play({ ada, ben, eve }) {
      await ada.says('/nextport 9461477');
      await ben.says('/nextport 9461477');
      await ada.opensHome();
      await ben.opensHome();
      await eve.opensHome();
      await ada.presses('Connect your account');
      await ada.submits();
      await ada.fills('API key', 'with spaces');
      await ada.fills('User id', 'u1');
      await ada.fills('Password', 'wrong');
      await ada.submits();
      await ada.fills('API key', 'sandbox-api-key');
      await ada.submits();
      await ada.fills('Password', 'sandbox-password');
      await ada.submits();
      await ada.closes();
      await ada.says('/nextport 9461477');
      await ada.says('/landfall account');
      await ada.presses('Disconnect …');
      await ada.says('/landfall account');
    },
  },
];
