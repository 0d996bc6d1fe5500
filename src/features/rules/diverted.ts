import { z } from 'zod';
import { percentPair } from '../../answers/formatting/words.ts';
import { isUndecided } from '../../predictions/next-port.ts';
import { portName } from '../../reference/ports.ts';
import { type Prospect, prospect } from '../../reference/prediction.ts';
import type { PortChange } from './evaluation/next-port.ts';
import { baseline } from './evaluation/state.ts';
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
export function portChangeText(change: PortChange, now: Date): EventText {
  const { kind, was, next } = change;
  const isNextLeg = kind === 'moved-on';
  const shown = percentPair(was.probability, next.probability);
  return {
    ...verdictOf(change),
    figures: [
      ...etaFigures(next, now),
      // The next leg's ETA hasn't moved.
      ...(isNextLeg ? [] : formerEta(was, next, now)),
      ...otherPort(change),
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
  const shown = percentPair(was.probability, next.probability);
  const headline = `${portName(was.port)} → ${port}, ${shown.now}`;
  if (change.kind === 'moved-on') return { headline: `Next leg: ${headline}`, what: `Next leg: ${port}` };
  const aside = `was ${shown.was}`;
  if (old && isTossUp(next, old))
    return {
      headline: `Undecided: ${portChance(next)} or ${portChance(old)}`,
      aside: `was ${portChance(was)}`,
      what: 'Undecided',
    };
  if (change.isSettled) return { headline: `Settled: ${headline}`, aside, what: `Settled: ${port}` };
  return { headline, aside, what: `Now ${port}` };
}

const isTossUp = (next: Prospect, old: Prospect): boolean => isUndecided(next.probability, old.probability);

function otherPort(change: PortChange): string[] {
  const { was, next, old } = change;
  if (old) return isTossUp(next, old) ? [] : [`${portChance(old)}${isPast(change) ? ', past its ETA' : ''}`];
  return [`${portName(was.port)} no longer predicted`];
}

const isPast = (change: PortChange): boolean => change.kind === 'diverted' && change.mayHaveCalled === true;
