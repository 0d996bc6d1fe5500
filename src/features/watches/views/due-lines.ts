import { percent } from '../../../messages/formatting/probability.ts';
import { vesselShort } from '../../../messages/formatting/vessel-label.ts';
import { joinWithin } from '../../../messages/limits.ts';
import { escaped } from '../../../messages/mrkdwn.ts';
import { canonicalPort } from '../../../reference/ports.ts';
import type { Prospect } from '../../../reference/stored-values.ts';
import type { DueDate } from '../rules/due.ts';
import { isOfOneVessel, type WatchWithFollowings } from '../store/watch-list.ts';
import { etaInWords, knownVessel, portText, timeAt } from './event-text.ts';
import type { WatchFrame } from './watch-events.ts';

const linesShown = 5;

/** Each due date of a watch, and whether the latest answer meets it. Mrkdwn. */
export function dueLines(watch: WatchWithFollowings, { nameOf }: WatchFrame, now: Date): string[] {
  const answers = watch.followings.flatMap(({ subject, latest }) =>
    subject.kind === 'port' ? [] : [...(latest ?? [])],
  );
  if (answers.length === 0) return [];
  const lines = watch.rules.due.map((due) => {
    const vessels = answers.map(([imo, ranked]) => ({
      name: escaped(vesselShort(knownVessel(imo, nameOf))),
      current: ranked.find(({ port }) => port === canonicalPort(due.port)),
    }));
    const verdict = isOfOneVessel(watch)
      ? verdictOfOne(due, vessels[0]?.current, now)
      : verdictOfSeveral(due, vessels, now);
    return `Due at ${portText(due)} ${timeAt(due.port, due.at, now)}: ${verdict}`;
  });
  const rest = lines.length - linesShown;
  return rest > 0 ? [...lines.slice(0, linesShown), `… and ${rest} more due dates`] : lines;
}

const isLate = ({ at }: DueDate, { eta }: Prospect): boolean => eta !== null && eta > at;

const unlikely = 0.5;

function verdictOfOne(due: DueDate, current: Prospect | undefined, now: Date): string {
  if (!current) return 'not predicted now';
  const unsure = current.probability < unlikely ? `, ${percent(current.probability)}` : '';
  if (!current.eta) return `ETA not given${unsure}`;
  return `${isLate(due, current) ? '⚠ *later than that*' : 'in time'}, ETA ${etaInWords(current, now)}${unsure}`;
}

function verdictOfSeveral(
  due: DueDate,
  vessels: readonly { name: string; current: Prospect | undefined }[],
  now: Date,
): string {
  const late = vessels.flatMap(({ name, current }) =>
    current && isLate(due, current) ? [`${name}, ETA ${etaInWords(current, now)}`] : [],
  );
  const inTime = vessels.filter(({ current }) => current?.eta && !isLate(due, current)).length;
  const rest = vessels.length - late.length - inTime;
  return [
    ...(late.length > 0 ? [`⚠ *later than that*: ${joinWithin(late, '; ', 400)}`] : []),
    ...(inTime > 0 ? [`${inTime} in time`] : []),
    ...(rest > 0 ? [`${rest} not predicted there, or without ETA`] : []),
  ].join(' · ');
}
