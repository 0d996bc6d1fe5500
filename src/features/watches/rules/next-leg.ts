import { movedOn } from '../evaluation/next-port.ts';
import { portChangeText } from '../views/port-change-text.ts';
import { defineRule } from './rule.ts';
import { flagRule } from './rule-parts.ts';

/** A port is no longer predicted at about its ETA: the card shows the next leg, and only who asked for it is notified. */
export const nextLeg = defineRule({
  key: 'nextLeg',
  appliesTo: 'vessels',
  ...flagRule({
    typed: 'next leg',
    pattern: 'next legs?|moved on',
    when: 'the next leg begins',
    isOff: true,
  }),
  help: 'the port is no longer predicted at about its ETA: the ordinary next leg (off unless typed)',
  event: movedOn,
  portChanged: (change) => (change.kind === 'moved-on' ? [change] : []),
  view: (event, { now }) => portChangeText(event, now),
});
