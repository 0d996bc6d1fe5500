import { percentUnder } from '../../../messages/formatting/probability.ts';
import { vesselShort } from '../../../messages/formatting/vessel-label.ts';
import { joinWithin } from '../../../messages/limits.ts';
import { portName } from '../../../reference/ports.ts';
import type { Prospect } from '../../../reference/stored-values.ts';
import { knownVessel } from '../../run-context.ts';
import { damping } from '../evaluation/damping.ts';
import { type DueDate, isLate, prospectFor } from '../rules/due.ts';
import { isOfOneVessel, isOfPort, type WatchWithSubjects } from '../store/watch-list.ts';
import { etaInWords, timeAt } from './event-text.ts';
import type { WatchNames } from './event-words.ts';

const maxLines = 5;

/** Each due date ahead, and whether the latest answer meets it. Not escaped. */
export function dueLines(
  watch: WatchWithSubjects,
  names: Pick<WatchNames, 'nameOf'>,
  now: Date,
): { lines: string[]; isLate: boolean } {
  const answers = isOfPort(watch) ? [] : watch.followedSubjects.flatMap(({ latest }) => [...(latest ?? [])]);
  const ahead = answers.length === 0 ? [] : watch.rules.due.filter(({ at }) => at > now);
  const lines = ahead.map((due) => {
    const vessels = answers.map(([imo, ranked]) => ({
      name: vesselShort(knownVessel(imo, names)),
      current: prospectFor(due, ranked),
    }));
    const late = vessels.filter(({ current }) => current && isLate(due, current));
    const verdict = isOfOneVessel(watch)
      ? verdictOf(due, vessels[0]?.current, now)
      : verdictOfSeveral(due, vessels, now);
    const marker = late.length > 0 ? '🟠 ' : '';
    const line = `${marker}Due ${portName(due.port)} ${timeAt(due.port, due.at, now)}: ${verdict}`;
    return { line, isLate: late.length > 0 };
  });
  const rest = lines.length - maxLines;
  return {
    lines: [
      ...lines.slice(0, maxLines).map(({ line }) => line),
      ...(rest > 0 ? [`… and ${rest} more due dates`] : []),
    ],
    isLate: lines.some((one) => one.isLate),
  };
}

function verdictOf(due: DueDate, current: Prospect | undefined, now: Date): string {
  if (!current) return 'not predicted now';
  const unsure =
    current.probability < damping.likely ? `, ${percentUnder(current.probability, damping.likely)}` : '';
  if (!current.eta) return `ETA not given${unsure}`;
  return `${isLate(due, current) ? 'later than that' : 'in time'}, ETA ${etaInWords(current, now)}${unsure}`;
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
    ...(late.length > 0 ? [`later than that: ${joinWithin(late, '; ', 400)}`] : []),
    ...(inTime > 0 ? [`${inTime} in time`] : []),
    ...(rest > 0 ? [`${rest} not predicted there, or without ETA`] : []),
  ].join(' · ');
}
