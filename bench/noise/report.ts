import { portListed } from '../../src/reference/ports.ts';
import { table } from '../table.ts';
import { labelOf } from './alerts.ts';
import type { Noise, WatchedVessel } from './measure.ts';
import type { Diversion } from './oracle.ts';

const figure = (value: number): string => value.toFixed(2);

/** Alerts per vessel and week, by kind, as Markdown. */
export function noiseTable(now: Noise, old: Noise): string {
  const kinds = [...new Set([...Object.keys(now.byKind), ...Object.keys(old.byKind)])];
  const rows = kinds.map((kind) => [kind, figure(now.byKind[kind] ?? 0), figure(old.byKind[kind] ?? 0)]);
  return table(
    ['alerts per vessel and week', 'defaults of a fleet', 'former defaults'],
    [...rows, ['all', figure(now.perVesselWeek), figure(old.perVesselWeek)]],
  );
}

/** The verdict on diversions, as one sentence a line. */
export function diversionText({ diversions, missed, late, unfounded, coveredByDispute }: Noise): string {
  const { count, longestHours } = coveredByDispute;
  return [
    `${diversions} diversions shown in two polls running: ${missed} missed, ${late} late.`,
    `${count} of them were covered by an open dispute, for up to ${longestHours.toFixed(1)} h.`,
    `${unfounded} alerts reported a diversion that the answers do not show.`,
  ].join('\n');
}

/** Every alert and every diversion of a vessel, in the order of time. */
export function explain({ seed, name, imo, alerts, diversions, unfounded }: WatchedVessel): string {
  const lines = [
    ...alerts.map(({ at, event }) => ({ at, text: `alert      ${labelOf(event)}: ${ports(event)}` })),
    ...diversions.map((found) => ({ at: found.secondPollAt, text: `diversion  ${diversionLine(found)}` })),
    ...unfounded.map(({ at }) => ({ at, text: 'unfounded  the alert of this time' })),
  ];
  return lines
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .map(({ at, text }) => `seed ${seed}  ${name} ${imo}  ${minute(at)}  ${text}\n`)
    .join('');
}

const minute = (at: Date): string => `${at.toISOString().slice(0, 16)}Z`;
const percent = (probability: number | null): string =>
  probability === null ? 'not listed' : `${(probability * 100).toFixed(1)}%`;

type Event = WatchedVessel['alerts'][number]['event'];

/** The ports that an event names, with probabilities and ETAs. */
function ports(event: Event): string {
  return Object.entries(event)
    .flatMap(([key, value]) => (isProspect(value) ? [`${key} ${prospectText(value)}`] : []))
    .join(', ');
}

interface Prospect {
  port: Parameters<typeof portListed>[0];
  probability: number;
  eta: Date | null;
}

const isProspect = (value: unknown): value is Prospect =>
  typeof value === 'object' && value !== null && 'port' in value && 'probability' in value && 'eta' in value;

const prospectText = ({ port, probability, eta }: Prospect): string =>
  `${portListed(port)} ${percent(probability)}${eta ? ` ETA ${minute(eta)}` : ''}`;

function diversionLine({
  from,
  to,
  reason,
  probabilities,
  verdict,
  notifiedAt,
  ...found
}: Diversion): string {
  const change = `${portListed(from)} ${percent(probabilities.from)} to ${portListed(to)} ${percent(probabilities.to)}`;
  const how = found.coveredByDispute ? `, covered by a dispute for ${found.coveredHours.toFixed(1)} h` : '';
  return `${change}, ${reason}: ${verdict}${notifiedAt ? `, notified ${minute(notifiedAt)}` : ''}${how}`;
}
