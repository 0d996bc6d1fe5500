import { likelihoodMarker, percent } from '../../messages/formatting/probability.ts';
import { shortPortTime, shortTime, untilEta, utcOffset } from '../../messages/formatting/times.ts';
import { vesselListed, vesselShort } from '../../messages/formatting/vessel-label.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import type { Cell } from '../../messages/rich-blocks.ts';
import { hasValidCheckDigit } from '../../reference/imo.ts';
import { portOf } from '../../reference/ports.ts';
import type { PortCall } from './answer.ts';
import type { CallAtPort } from './several.ts';

/** ETA, vessel, probability, time left, IMO number. `place` follows the ETA. */
export function callRow(call: CallAtPort, now: Date, place?: string): [Cell, Cell, Cell, Cell, Cell] {
  const { vessel, probability, eta, etaZone, port } = call;
  const { imo } = vessel;
  const zone = portOf(port)?.zone;
  const time = eta && `${shortTime(eta, zone, now)}${zoneNote(etaZone)}`;
  return [
    eta && time !== undefined
      ? { value: eta.getTime(), text: [time, place].filter(Boolean).join(' ') }
      : ['not given', place].filter(Boolean).join(', '),
    `${markerOf(probability)}${vesselShort(vessel)}`,
    { value: Math.round(probability * 1000) / 10, text: percent(probability) },
    eta ? { value: minutesUntil(eta, now), text: untilEta(eta, now) } : '–',
    `${imo}${hasValidCheckDigit(imo) ? '' : ' (check digit wrong)'}`,
  ];
}

/** The same in one line of mrkdwn. */
export function callLine(call: CallAtPort, now: Date, place?: string): string {
  const { vessel, probability, eta, etaZone, port } = call;
  const time = eta && `${shortPortTime(eta, portOf(port)?.zone, now)}${zoneNote(etaZone)}`;
  return [
    `${markerOf(probability)}${time ?? 'ETA not given'}${place ? `${time ? '' : ','} ${escaped(place)}` : ''}`,
    escaped(vesselListed(vessel)),
    percent(probability),
    ...(eta ? [untilEta(eta, now)] : []),
  ].join(' · ');
}

const zoneNote = (etaZone: PortCall['etaZone']): string =>
  etaZone === 'assumed-utc' ? ' (zone assumed UTC)' : '';

const minutesUntil = (eta: Date, now: Date): number => Math.round((eta.getTime() - now.getTime()) / 60_000);

const markerOf = (probability: number): string => `${likelihoodMarker(probability)} `.trimStart();

/** What the markers mean that are shown. */
export function markerNotes(shown: readonly Pick<PortCall, 'probability'>[]): string[] {
  const marked = new Set(shown.map(({ probability }) => likelihoodMarker(probability)));
  return [...(marked.has('🟠') ? ['🟠 30–69%'] : []), ...(marked.has('⚪') ? ['⚪ under 30%'] : [])];
}

/** `LT is UTC+1`; both offsets if the clocks change before the last ETA. */
export function offsetNotes(zone: string, calls: readonly Pick<PortCall, 'eta'>[], now: Date): string[] {
  const times = calls.flatMap(({ eta }) => eta ?? []).toSorted((a, b) => a.getTime() - b.getTime());
  const offsets = [...new Set([now, ...times].map((time) => utcOffset(time, zone)))];
  return times.length === 0 ? [] : [`LT is ${offsets.join(', later ')}`];
}
