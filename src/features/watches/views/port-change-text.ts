import { percentPair } from '../../../messages/formatting/probability.ts';
import { isUndecided } from '../../../predictions/next-port.ts';
import { portName } from '../../../reference/ports.ts';
import type { Prospect } from '../../../reference/stored-values.ts';
import type { PortChange } from '../evaluation/next-port.ts';
import { type EventText, etaFigures, etaInWords, formerEta, portChance } from './event-text.ts';

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
