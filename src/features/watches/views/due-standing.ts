import { percent } from '../../../messages/formatting/probability.ts';
import { portTime } from '../../../messages/formatting/times.ts';
import { vesselShort } from '../../../messages/formatting/vessel-label.ts';
import { joinWithin } from '../../../messages/limits.ts';
import { escaped } from '../../../messages/mrkdwn.ts';
import { canonicalPort, portLabel, portOf } from '../../../reference/ports.ts';
import type { DueDate } from '../rules/due.ts';
import type { WatchWithFollowings } from '../store/watch-list.ts';
import { knownVessel } from './event-text.ts';
import { etaInWords, type Figures } from './vessel-standing.ts';
import type { WatchFrame } from './watch-events.ts';

/** Each due date of a watch, and how the last answer stands to it: also where it was late from the start. Mrkdwn. */
export function dueLines(
  { rules, followings }: WatchWithFollowings,
  { nameOf }: WatchFrame,
  now: Date,
): string[] {
  const answers = followings.flatMap(({ subject, latest }) =>
    subject.kind === 'port' ? [] : [...(latest ?? [])],
  );
  const isSingle = followings.length === 1 && followings[0]?.subject.kind === 'vessel';
  const lines = rules.due.map((due) => {
    const standings = answers.map(([imo, ranked]) => ({
      name: escaped(vesselShort(knownVessel(imo, nameOf))),
      current: ranked.find(({ port }) => port === canonicalPort(due.port)),
    }));
    const [only] = standings;
    if (!only) return '';
    const how = isSingle ? standingInWords(due, only.current, now) : standingsInWords(due, standings, now);
    return `Due at ${dueInWords(due, now)}: ${how}`;
  });
  return shortened(lines.filter((line) => line !== ''));
}

const linesShown = 5;

const shortened = (lines: readonly string[]): string[] =>
  lines.length <= linesShown
    ? [...lines]
    : [...lines.slice(0, linesShown), `… and ${lines.length - linesShown} more due dates`];

/** `Antwerp (BEANR) Mon 23 Nov 01:30 LT (00:30 UTC)`, escaped. */
const dueInWords = ({ port, at }: DueDate, now: Date): string =>
  escaped(`${portLabel(port)} ${portTime(at, portOf(port)?.zone, now)}`);

const isLate = ({ at }: DueDate, current: Figures | undefined): boolean =>
  current?.eta != null && current.eta > at;

const unlikely = 0.5;

function standingInWords(due: DueDate, current: Figures | undefined, now: Date): string {
  if (!current) return 'not predicted now';
  const unsure = current.probability < unlikely ? `, ${percent(current.probability)}` : '';
  if (!current.eta) return `ETA not given${unsure}`;
  return `${isLate(due, current) ? '⚠ *later than that*' : 'in time'}, ETA ${etaInWords(current, now)}${unsure}`;
}

function standingsInWords(
  due: DueDate,
  standings: readonly { name: string; current: Figures | undefined }[],
  now: Date,
): string {
  const late = standings.flatMap(({ name, current }) =>
    current && isLate(due, current) ? [`${name}, ETA ${etaInWords(current, now)}`] : [],
  );
  const inTime = standings.filter(({ current }) => current?.eta && !isLate(due, current)).length;
  const rest = standings.length - late.length - inTime;
  return [
    ...(late.length > 0 ? [`⚠ *later than that*: ${joinWithin(late, '; ', 400)}`] : []),
    ...(inTime > 0 ? [`${inTime} in time`] : []),
    ...(rest > 0 ? [`${rest} not predicted there, or without ETA`] : []),
  ].join(' · ');
}
