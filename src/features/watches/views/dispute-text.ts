import { percent, percentPair } from '../../../answers/formatting/probability.ts';
import { isUndecided } from '../../../predictions/next-port.ts';
import { portName } from '../../../reference/ports.ts';
import { damping } from '../evaluation/damping.ts';
import type { DisputeEvent } from '../evaluation/dispute.ts';
import { type EventText, etaFigures, etaInWords, portChance, stamp } from './event-text.ts';

/** A dispute as it stands: its alert is edited in place until it ends. */
export function disputeText(event: DisputeEvent, now: Date): EventText {
  const { now: current, other, end } = event;
  const ports = [current, ...(other ? [other] : [])];
  return {
    ...verdictOf(event, now),
    figures: end?.kind === 'over' ? [] : figuresOf(event, now),
    ...(!end && namesBoth(event) && { isLinePerFigure: true }),
    change: ports.map(portChance).join(', '),
    eta: etaInWords(current, now),
    ...(end && { isRoutine: true }),
  };
}

/** Of two ports that the headline names without figures: `Rotterdam 46%, Mon 23 Nov 15:05 LT` and the same of the other. */
function figuresOf(event: DisputeEvent, now: Date): string[] {
  const { now: current, other, end } = event;
  if (!other) return etaFigures(current, now);
  if (end || !namesBoth(event)) return [...etaFigures(current, now), portChance(other)];
  return [current, other].map((one) => `${portChance(one)}, ${etaInWords(one, now)}`);
}

/** The headline says that it is open between two ports. */
function namesBoth({ kind, was, now: current, other }: DisputeEvent): boolean {
  if (!other) return false;
  if (isUndecided(current.probability, other.probability)) return true;
  return kind !== 'unlikely' && !(kind === 'back-and-forth' && current.port !== was.port);
}

function verdictOf(event: DisputeEvent, now: Date): Pick<EventText, 'headline' | 'aside' | 'what'> {
  const { kind, was, now: current, other, since, below = 0, end } = event;
  const port = portName(current.port);
  const isEven = other !== undefined && isUndecided(current.probability, other.probability);
  const began = `since ${stamp(since, now)}`;
  if (end && kind === 'unlikely') return endOfUnlikely(event, end, now);
  if (end?.kind === 'settled') {
    const headline = isEven
      ? `${portChance(current)}: ahead for ${damping.settledHours} h`
      : `Settled: ${portChance(current)}`;
    return { headline, aside: `undecided ${began}`, what: isEven ? `${port} ahead` : `Settled: ${port}` };
  }
  if (end) {
    const ports = [was, ...(other && other.port !== was.port ? [other] : [current])];
    const names = [...new Set(ports.map((one) => portName(one.port)))].join(' and ');
    return {
      headline: `No longer undecided: ${names}`,
      aside: `from ${stamp(since, now)} to ${stamp(end.at, now)}`,
      what: 'No longer undecided',
    };
  }
  if (other && namesBoth(event)) {
    return { headline: `Undecided between ${port} and ${portName(other.port)} ${began}`, what: 'Undecided' };
  }
  if (kind === 'back-and-forth' && current.port !== was.port) {
    const headline = `Back to ${port}, ${percent(current.probability)}`;
    return { headline, aside: `was ${portChance(was)}`, what: `Back to ${port}` };
  }
  const isUnder = kind === 'unlikely' && current.probability < below;
  const shown = percentPair(was.probability, current.probability, isUnder ? below : 0);
  const threshold = isUnder ? ` under ${percent(below)}` : '';
  return {
    headline: `${port}${threshold}: now ${shown.now}`,
    aside: `was ${shown.was}`,
    what: isUnder ? `Under ${percent(below)}` : 'Unlikely',
  };
}

/** The port had only become unlikely: it never was undecided. */
function endOfUnlikely(
  { was, now: current, since, below = 0 }: DisputeEvent,
  end: NonNullable<DisputeEvent['end']>,
  now: Date,
): Pick<EventText, 'headline' | 'aside' | 'what'> {
  const threshold = `under ${percent(below)}`;
  if (end.kind === 'settled') {
    const headline = `${portChance(current)}, no longer ${threshold}`;
    return { headline, aside: `fell ${threshold} on ${stamp(since, now)}`, what: `No longer ${threshold}` };
  }
  const aside = `from ${stamp(since, now)} to ${stamp(end.at, now)}`;
  return {
    headline: `No longer current: ${portName(was.port)} ${threshold}`,
    aside,
    what: 'No longer current',
  };
}
