import { isUndecided, percent, percentUnder } from '../../../messages/formatting/probability.ts';
import { portName } from '../../../reference/ports.ts';
import type { DisputeEvent } from '../rules/dispute-event.ts';
import { type EventText, etaFigures, etaInWords, portChance, stamp } from './event-text.ts';

/** A dispute as it stands: its alert is edited in place until it ends. */
export function disputeText(event: DisputeEvent, now: Date): EventText {
  const { now: current, other, end } = event;
  return {
    ...verdictOf(event, now),
    figures: end?.kind === 'over' ? [] : [...etaFigures(current, now), ...(other ? [portChance(other)] : [])],
    change: [current, ...(other ? [other] : [])].map(portChance).join(', '),
    eta: etaInWords(current, now),
    ...(end && { isRoutine: true }),
  };
}

function verdictOf(
  { kind, was, now: current, other, since, below = 0, end }: DisputeEvent,
  now: Date,
): Pick<EventText, 'headline' | 'aside' | 'what'> {
  const port = portName(current.port);
  const began = `since ${stamp(since, now)}`;
  if (end?.kind === 'settled')
    return {
      headline: `Settled: ${portChance(current)}`,
      aside: `undecided ${began}`,
      what: `Settled: ${port}`,
    };
  if (end) {
    const ports = [was, ...(other && other.port !== was.port ? [other] : [current])];
    const names = [...new Set(ports.map((one) => portName(one.port)))].join(' and ');
    return {
      headline: `No longer undecided: ${names}`,
      aside: `from ${stamp(since, now)} to ${stamp(end.at, now)}`,
      what: 'No longer undecided',
    };
  }
  const isTossUp = other && isUndecided(current.probability, other.probability);
  if (kind === 'back-and-forth' && !isTossUp && current.port !== was.port) {
    const headline = `Back to ${port}, ${percent(current.probability)}`;
    return { headline, aside: `was ${portChance(was)}`, what: `Back to ${port}` };
  }
  if (other && (kind !== 'unlikely' || isTossUp)) {
    const ports = `${port} and ${portName(other.port)}`;
    return { headline: `Toss-up between ${ports} ${began}`, what: 'Toss-up' };
  }
  const isUnder = kind === 'unlikely' && current.probability < below;
  const probability = isUnder ? percentUnder(current.probability, below) : percent(current.probability);
  const threshold = isUnder ? ` under ${percent(below)}` : '';
  return {
    headline: `${port}${threshold}: now ${probability}`,
    aside: `was ${percent(was.probability)}`,
    what: isUnder ? `Under ${percent(below)}` : 'Unlikely',
  };
}
