import { isUndecided, percent } from '../../../messages/formatting/probability.ts';
import { duration, portTime, untilEta } from '../../../messages/formatting/times.ts';
import { vesselListed, vesselShort } from '../../../messages/formatting/vessel-label.ts';
import { escaped } from '../../../messages/mrkdwn.ts';
import type { Imo } from '../../../reference/imo.ts';
import { portLabel, portOf } from '../../../reference/ports.ts';
import type { WatchEvent } from '../evaluation/events.ts';

/** What a message of a watch knows beside its own data; names are not escaped. */
export interface WatchFrame {
  nameOf: (imo: Imo) => string | undefined;
  ownerName?: string;
  /** Who acknowledged. */
  acknowledgedBy?: string;
}

/** An event in words, escaped, without markup: what has happened, then what belongs to it. */
export interface EventWords {
  /** Undefined where it is about no vessel. */
  vessel: string | undefined;
  headline: string;
  /** Goes on after the headline, on its line: `; Rotterdam (NLRTM) 15 %.` */
  rest: string;
  details: string[];
}

type Of<Kind extends WatchEvent['kind']> = Extract<WatchEvent, { kind: Kind }>;
type Prospect = Of<'arriving'>['now'];
type Told = Of<'eta-slipped'>['was'];

/** `name: false` where the message stands in the thread of that one vessel. */
export function eventInWords(event: WatchEvent, { nameOf }: WatchFrame, now: Date): EventWords {
  const vessel = event.kind === 'stale' ? undefined : escaped(vesselShort(knownVessel(event.imo, nameOf)));
  const words = (headline: string, rest = '.', details: string[] = []): EventWords => ({
    vessel,
    headline,
    rest,
    details,
  });
  switch (event.kind) {
    case 'next-port-changed':
      return words(`${changeInWords(event)} ${chance(event.next)}`, otherPort(event), [
        `${eta(event.next, now)}. ${lastTold(event.was, now)}`,
      ]);
    case 'wavering':
      return words(
        `Wavering between ${port(event.was)} and ${port(event.next)}`,
        `: now ${chance(event.next)}${event.old ? `, ${chance(event.old)}` : ''}.`,
        [`${eta(event.next, now)}. You will be told again when one of them has led for 6 hours.`],
      );
    case 'no-longer-listed':
      return words(`${port(event.was)} is no longer listed`, `; next is ${chance(event.next)}.`, [
        `${eta(event.next, now)}. ${lastTold(event.was, now)}`,
      ]);
    case 'eta-slipped':
    case 'eta-advanced':
      return words(
        `ETA ${port(event.now)} is ${movedBy(event)} ${event.kind === 'eta-slipped' ? 'later' : 'earlier'}`,
        `, ${percent(event.now.probability)}.`,
        [`${eta(event.now, now)}. ${lastTold(event.was, now)}`],
      );
    case 'probability-fell':
      return words(
        `${port(event.now)} ${event.was.probability < event.below ? 'is again' : 'fell'} under ${percent(event.below)}`,
        `: now ${percent(event.now.probability)}${event.other ? `; ${rivalInWords(event.now, event.other)}` : ''}.`,
        [`${eta(event.now, now)}. ${lastTold(event.was, now)}`],
      );
    case 'prediction-lost':
      return words('No prediction any more', '.', [lastTold(event.was, now)]);
    case 'prediction-back':
      return words(`Predicted again: next port ${chance(event.next)}`, '.', [
        `${eta(event.next, now)}.${event.was ? ` ${lastTold(event.was, now)}` : ''}`,
      ]);
    case 'stale':
      return words(`The analytics service has not answered since ${stamp(event.since, now)}`, '.', [
        'What the card shows is older. Changes are told when it answers again.',
      ]);
    default:
      return callInWords(event, words, { nameOf, now });
  }
}

type Words = (headline: string, rest?: string, details?: string[]) => EventWords;

/** Events about one call, and those of a port's own vessels. */
function callInWords(
  event: Of<'arriving' | 'overdue' | 'due' | 'newly-expected' | 'no-longer-expected' | 'expected-eta-moved'>,
  words: Words,
  { nameOf, now }: { nameOf: WatchFrame['nameOf']; now: Date },
): EventWords {
  switch (event.kind) {
    case 'arriving':
      return words(
        `Less than ${event.hours} h to ${port(event.now)}`,
        `, ${percent(event.now.probability)}.`,
        [`${eta(event.now, now)}.`],
      );
    case 'overdue':
      return words(
        `Overdue at ${port(event.now)}`,
        `: the ETA passed ${event.hours} h ago or more, and it is still listed, ${percent(event.now.probability)}.`,
        [`${eta(event.now, now)}.`],
      );
    case 'due':
      return dueWords(event, words, now);
    case 'newly-expected':
      return words(`Newly expected: ${listed(event.imo, nameOf)}, ${percent(event.now.probability)}`, '.', [
        `${eta(event.now, now)}.`,
      ]);
    case 'no-longer-expected':
      return words(
        event.nearEta && !event.now
          ? `No longer listed, ${duration(minutesTo(event.nearEta, now))} before its ETA: ${listed(event.imo, nameOf)}`
          : `No longer expected: ${listed(event.imo, nameOf)}`,
        event.now
          ? `; ${percent(event.now.probability)} now.`
          : event.nearEta
            ? '.'
            : '; not listed any more.',
        [lastTold(event.was, now)],
      );
    case 'expected-eta-moved':
      return words(
        `${listed(event.imo, nameOf)}: ETA is ${movedBy(event)} ${isLater(event) ? 'later' : 'earlier'}`,
        `, ${percent(event.now.probability)}.`,
        [`${eta(event.now, now)}. ${lastTold(event.was, now)}`],
      );
  }
}

function dueWords({ due, now: current, reasons }: Of<'due'>, words: Words, now: Date): EventWords {
  const label = escaped(portLabel(due.port));
  const asked = `You asked for ${label} by ${portTime(due.at, portOf(due.port)?.zone, now)}.`;
  const isLate = reasons.includes('late');
  if (!current) return words(`Your due date is at risk: ${label} is not listed`, '.', [asked]);
  const headline = isLate
    ? `Later than your due date: ETA ${label}`
    : `Your due date is at risk: ${label} is unlikely`;
  const rest = isLate ? `, ${percent(current.probability)}.` : `, ${percent(current.probability)} now.`;
  return words(headline, rest, [`${eta(current, now)}. ${asked}`]);
}

const port = (prospect: Prospect): string => escaped(portLabel(prospect.port));

const chance = (prospect: Prospect): string => `${port(prospect)}, ${percent(prospect.probability)}`;

/** Two within 5 points are undecided, as everywhere. */
function changeInWords({ next, old, settled }: Of<'next-port-changed'>): string {
  if (old && isUndecided(next.probability, old.probability)) return 'Next port is undecided:';
  return settled ? 'Settled: next port is' : 'Next port is now';
}

function otherPort({ old, was, next, rival = was.port }: Of<'next-port-changed'>): string {
  if (old) return `; ${port(old)} ${percent(old.probability)}.`;
  return rival === next.port ? '.' : `; ${escaped(portLabel(rival))} is no longer listed.`;
}

function rivalInWords(current: Prospect, rival: Prospect): string {
  const said = `${port(rival)} ${percent(rival.probability)}`;
  return isUndecided(current.probability, rival.probability) ? `undecided, ${said}` : said;
}

const minutesTo = (time: Date, now: Date): number =>
  Math.max(0, Math.round((time.getTime() - now.getTime()) / 60_000));

/** `ETA Sun 22 Nov 08:05 LT (07:05 UTC), in 22 h`. */
function eta(prospect: Prospect, now: Date): string {
  if (!prospect.eta) return 'ETA not given';
  const when = untilEta(prospect.eta, now).replace(/^ETA /, '');
  return `ETA ${portTime(prospect.eta, portOf(prospect.port)?.zone, now)}, ${when}`;
}

/** `You were last told: Rotterdam (NLRTM), 82 %, Mon 23 Nov 15:05 LT (14:05 UTC).` */
function lastTold(was: Told, now: Date): string {
  const when = was.eta ? portTime(was.eta, portOf(was.port)?.zone, now) : 'ETA not given';
  return `You were last told: ${chance(was)}, ${when}.`;
}

function movedBy({ was, now }: { was: Told; now: Prospect }): string {
  const movedMs = was.eta && now.eta ? Math.abs(now.eta.getTime() - was.eta.getTime()) : 0;
  return duration(Math.round(movedMs / 60_000));
}

function isLater({ was, now }: { was: Told; now: Prospect }): boolean {
  return (now.eta?.getTime() ?? 0) > (was.eta?.getTime() ?? 0);
}

/** With its day: a message stands for longer than one. `Sat 21 Nov 09:05 UTC`. */
export const stamp = (time: Date, now: Date): string => portTime(time, undefined, now);

const listed = (imo: Imo, nameOf: WatchFrame['nameOf']): string =>
  escaped(vesselListed(knownVessel(imo, nameOf)));

export function knownVessel(imo: Imo, nameOf: WatchFrame['nameOf']) {
  const name = nameOf(imo);
  return name === undefined ? { imo } : { imo, name };
}
