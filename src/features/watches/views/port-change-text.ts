import { isUndecided, percent } from '../../../messages/formatting/probability.ts';
import type { Locode } from '../../../reference/locode.ts';
import { portName } from '../../../reference/ports.ts';
import type { Prospect } from '../../../reference/stored-values.ts';
import type { Baseline } from '../evaluation/state.ts';
import { type EventText, etaFigures, etaInWords, formerEta, portChance } from './event-text.ts';

interface PortChange {
  was: Baseline;
  next: Prospect;
  /** The old port as it is predicted now; null if it no longer is. */
  old: Prospect | null;
  /** The old port, if it isn't the baseline's. */
  rival?: Locode;
  settled?: boolean;
  nextLeg?: boolean | undefined;
}

/** Another port is the next one. */
export function portChangeText(change: PortChange, now: Date): EventText {
  const { was, next, old, nextLeg = false } = change;
  const former = percent(was.probability);
  return {
    ...verdictOf(change),
    figures: [
      ...etaFigures(next, now),
      // The next leg's ETA hasn't moved.
      ...(nextLeg ? [] : formerEta(was, next, now)),
      ...otherPort(change),
    ],
    change:
      was.port === next.port
        ? `${portName(next.port)} ${former} → ${percent(next.probability)}`
        : `${portChance(was)} → ${portChance(next)}`,
    eta: etaInWords(next, now),
    // On its next leg the vessel does what everybody expected.
    isRoutine: nextLeg && !isTossUp(next, old),
  };
}

function verdictOf({
  was,
  next,
  old,
  settled,
  nextLeg,
}: PortChange): Pick<EventText, 'headline' | 'aside' | 'what'> {
  const port = portName(next.port);
  const chance = percent(next.probability);
  const former = percent(was.probability);
  if (old && isTossUp(next, old)) {
    const headline = `Undecided: ${portChance(next)} or ${portChance(old)}`;
    return { headline, ...(was.port !== old.port && { aside: `was ${portChance(was)}` }), what: 'Undecided' };
  }
  if (settled || was.port === next.port) {
    const before = was.port === next.port ? former : portChance(was);
    return { headline: `Settled: ${port}, ${chance}`, aside: `was ${before}`, what: `Settled: ${port}` };
  }
  const headline = `${portName(was.port)} → ${port}, ${chance}`;
  if (nextLeg) return { headline: `Next leg: ${headline}`, what: `Next leg: ${port}` };
  return { headline, aside: `was ${former}`, what: `Now ${port}` };
}

const isTossUp = (next: Prospect, old: Prospect | null): boolean =>
  old !== null && isUndecided(next.probability, old.probability);

function otherPort({ was, next, old, rival = was.port }: PortChange): string[] {
  if (old) return isTossUp(next, old) ? [] : [portChance(old)];
  return rival === next.port ? [] : [`${portName(rival)} no longer predicted`];
}
