import { z } from 'zod';
import { percentPair, portsInWords } from '../../answers/formatting/words.ts';
import { isUndecided } from '../../predictions/next-port.ts';
import { portName } from '../../reference/ports.ts';
import { type Prospect, prospect } from '../../reference/prediction.ts';
import { baseline, type PortChange } from './evaluation/state.ts';
import { type EventText, etaFigures, etaInWords, formerEta, portChance } from './event-text.ts';
import { defineRule, flagRule, isStillNext, vesselEvent } from './rule.ts';

const event = vesselEvent('diverted', {
  was: baseline,
  next: prospect,
  old: prospect.nullable(),
  isSettled: z.exactOptional(z.boolean()),
  mayHaveCalled: z.exactOptional(z.boolean()),
});

/** Another port takes the lead, or the port is no longer predicted well before its ETA. */
export const diverted = defineRule({
  key: 'diverted',
  appliesTo: 'vessels',
  ...flagRule({
    typed: 'diverted',
    pattern: 'diverted|diversions?|next port(?: changes?)?|port changes?|no longer (?:listed|predicted)',
    when: 'another port becomes the likeliest before the call',
  }),
  help: 'another port becomes the likeliest, or the port is no longer predicted well before its ETA',
  event,
  isCritical: ({ mayHaveCalled = false }) => !mayHaveCalled,
  portChanged: ({ kind, ...change }) => (kind === 'diverted' ? [{ kind, ...change }] : []),
  isCurrent: ({ next }, after) => isStillNext(next, after),
  view: (event, { now }) => portChangeText(event, now),
});

/** Another port is the next one. */
function portChangeText(change: PortChange, now: Date): EventText {
  const { kind, was, next } = change;
  const isNextLeg = kind === 'moved-on';
  const shown = percentPair(was.probability, next.probability);
  return {
    ...verdictOf(change),
    figures: [
      ...etaFigures(next, now),
      // The next leg's ETA hasn't moved.
      ...(isNextLeg ? [] : formerEta(was, next, now)),
    ],
    change: `${portName(was.port)} ${shown.was} → ${portName(next.port)} ${shown.now}`,
    eta: etaInWords(next, now),
    // On its next leg the vessel does what everybody expected.
    isRoutine: isNextLeg,
  };
}

function verdictOf(change: PortChange): Pick<EventText, 'headline' | 'aside' | 'what'> {
  const { was, next, old } = change;
  const port = portName(next.port);
  const headline = [`${portName(was.port)} → ${portChance(next)}`, ...otherPort(change)].join(', ');
  if (change.kind === 'moved-on') return { headline: `Next leg: ${headline}`, what: `Next leg: ${port}` };
  if (old && isEven(next, old))
    return {
      headline: portsInWords([next, old]),
      aside: `was ${portChance(was)}`,
      what: 'Undecided',
    };
  if (change.isSettled) return { headline: `Settled: ${headline}`, what: `Settled: ${port}` };
  return { headline, what: `Now ${port}` };
}

const isEven = (next: Prospect, old: Prospect): boolean => isUndecided(next.probability, old.probability);

/** `Rotterdam 39%`, or why it has no figure. */
function otherPort(change: PortChange): string[] {
  const { was, old } = change;
  const isPast = change.kind === 'diverted' && change.mayHaveCalled === true;
  if (old) return [`${portChance(old)}${isPast ? ' past its ETA' : ''}`];
  return change.kind === 'moved-on' ? [] : [`${portName(was.port)} no longer predicted`];
}

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
