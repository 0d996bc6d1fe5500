import { prospect } from '../../reference/prediction.ts';
import { portChangeText } from './diverted.ts';
import { baseline } from './evaluation/state.ts';
import { defineRule, flagRule, isStillNext, vesselEvent } from './rule.ts';

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
  event: vesselEvent('moved-on', { was: baseline, next: prospect, old: prospect.nullable() }),
  portChanged: ({ kind, imo, was, next, old }) =>
    kind === 'moved-on' ? [{ kind, imo, was, next, old }] : [],
  isCurrent: ({ next }, after) => isStillNext(next, after),
  view: (event, { now }) => portChangeText(event, now),
});
