import { millisecondsInDay } from 'date-fns/constants';
import { untilEta, yourTime } from '../../messages/formatting/times.ts';
import { vesselShort } from '../../messages/formatting/vessel-label.ts';
import { counted } from '../../messages/formatting/words.ts';
import { clip } from '../../messages/limits.ts';
import type { Reader } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import { nextPorts } from '../../predictions/next-port.ts';
import { portOf } from '../../reference/ports.ts';
import type { FleetVessel } from './answer.ts';
import { etaInWords, portAndPercent } from './call-words.ts';

interface Fleet {
  list?: string;
  group?: string;
  /** By ETA. */
  vessels: readonly FleetVessel[];
}

/** `Fleet NORTH, 20 vessels`, not escaped. */
export function fleetSubject({ list, group, vessels }: Fleet): string {
  const name = group ?? (list === undefined ? undefined : `List ${list}`);
  return [...(name === undefined ? [] : [clip(name, 40)]), counted(vessels.length, 'vessel')].join(', ');
}

/**
 * The next call of several vessels, how long until then, and how many need a look, escaped. `next`: the vessel that
 * makes that call; if there is none, the counts are the verdict.
 */
export function fleetVerdict(fleet: Fleet, { now }: Pick<Reader, 'now'>) {
  const subject = escaped(fleetSubject(fleet));
  const next = fleet.vessels.find(({ top: [first] }) => first?.eta && first.eta >= now);
  const counts = countsOf(fleet.vessels, now);
  const eta = next?.top[0]?.eta;
  if (!next || !eta)
    return { verdict: [subject, counts.join(', ')].filter(Boolean).join(': '), until: [], counts: [] };
  return {
    verdict: `${subject}: next ${callInWords(next, now)}`,
    until: [untilEta(eta, now)],
    counts,
    next,
  };
}

/** The time of the next call in the reader's own zone, in mrkdwn. */
export function yourNextTime(next: FleetVessel | undefined, reader: Reader): string[] {
  const [first] = next?.top ?? [];
  return first?.eta ? yourTime(first.eta, portOf(first.port)?.zone, reader) : [];
}

/** `MSC DIANA → Singapore 48% or Port Klang 45%, Sun 22 Nov 09:00 LT (01:00 UTC)`, escaped. */
export function callInWords({ vessel, top, failed }: FleetVessel, now: Date): string {
  const name = escaped(vesselShort(vessel));
  const [first] = top;
  if (!first) return `${name}: ${failed ? 'no answer' : 'no prediction'}`;
  return `${name} → ${nextPorts(top).map(portAndPercent).join(' or ')}, ${etaInWords(first, now)}`;
}

function countsOf(vessels: readonly FleetVessel[], now: Date): string[] {
  const count = (isCounted: (vessel: FleetVessel) => boolean, words: string) => {
    const found = vessels.filter(isCounted).length;
    return found === 0 ? [] : [`${found} ${words}`];
  };
  /** How long until the ETA. */
  const msUntil = ({ top: [first] }: FleetVessel) => first?.eta && first.eta.getTime() - now.getTime();
  return [
    ...count((vessel) => isBetween(msUntil(vessel), 0, millisecondsInDay), 'within 24 h'),
    ...count((vessel) => isBetween(msUntil(vessel), Number.NEGATIVE_INFINITY, -1), 'past ETA'),
    ...count(({ top }) => nextPorts(top).length > 1, 'undecided'),
    ...count(({ top: [first] }) => first !== undefined && first.eta === undefined, 'without an ETA'),
    ...count(({ top, failed }) => !failed && top.length === 0, 'without a prediction'),
    ...count(({ failed }) => failed, 'without an answer'),
  ];
}

const isBetween = (value: number | undefined, min: number, max: number): boolean =>
  value !== undefined && value >= min && value <= max;
