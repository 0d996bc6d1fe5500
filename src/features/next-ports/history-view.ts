import { actionIds } from '../../messages/action-ids.ts';
import { actions, button, sections } from '../../messages/blocks.ts';
import { percent } from '../../messages/formatting/probability.ts';
import { duration, portTime } from '../../messages/formatting/times.ts';
import { vesselHeading, vesselShort } from '../../messages/formatting/vessel-label.ts';
import { counted } from '../../messages/formatting/words.ts';
import { answerActions, lineButtons } from '../../messages/frame/answer-actions.ts';
import { inventedSuffix } from '../../messages/frame/answer-message.ts';
import { pageButtons, shownNote } from '../../messages/frame/paging.ts';
import { inventedNotes, smallPrint } from '../../messages/frame/small-print.ts';
import { joinText, joinWithin, paged } from '../../messages/limits.ts';
import type { Message, Reader } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import { portLabel, portOf } from '../../reference/ports.ts';
import { type HistoryPoint, type HistorySpell, historyDays, type VesselHistory } from './history.ts';

export interface VesselHistoryAnswer extends VesselHistory {
  line: string;
  page: number;
}

const spellsPerPage = 5;
const maxPointsShown = 8;

/** Shows how long each port was the most probable, then how its ETA changed, the newest spell first. */
export function vesselHistoryView(answer: VesselHistoryAnswer, reader: Reader): Message {
  const { line, vessel, polls, since, until, spells } = answer;
  const name = escaped(vesselShort(vessel));
  if (!since || !until || spells.length === 0) return noHistory(answer, reader);
  const page = paged(spells.toReversed(), answer.page, spellsPerPage);
  const shares = sharesOf(spells);
  const notes = [
    `${counted(polls, 'poll')} in the past ${historyDays} days, ${utc(since, reader.now)} to ${utc(until, reader.now)}`,
    ...shownNote(page, spellsPerPage),
    'Predicted, not reported',
    ...inventedNotes(reader),
  ];
  const runs = [
    ...pageButtons(line, page, spellsPerPage),
    { label: 'Next ports now', line: `nextport ${vessel.imo}` },
  ];
  const summary = [
    `${name}: most probable ${shares[0]}`,
    ...shares.slice(1),
    ...page.items.map((spell) => etaDrift(spell, reader.now)),
  ];
  return {
    text: `${joinText(summary)}${inventedSuffix(reader)}`,
    blocks: [
      ...sections([
        `${vesselHeading(vessel)} · prediction history`,
        `Most probable: ${joinWithin(shares, ' · ', 1_000)}`,
      ]),
      ...page.items.flatMap((spell) => sections([spellLines(spell, reader.now).join('\n')])),
      ...smallPrint(notes),
      ...answerActions({ line, runs }),
    ],
  };
}

function noHistory({ vessel, line }: VesselHistoryAnswer, reader: Reader): Message {
  const heading = `No history for ${escaped(vesselShort(vessel))} yet`;
  const why = 'Predictions are stored while a vessel is watched.';
  return {
    text: `${heading}. ${why} For example: /watch ${vessel.imo}${inventedSuffix(reader)}`,
    blocks: [
      ...sections([`*${heading}*`, why]),
      ...smallPrint(inventedNotes(reader)),
      ...actions([
        ...lineButtons([{ label: 'Watch it', line: `watch ${vessel.imo}` }]),
        button({ id: actionIds.refresh, label: 'Refresh', value: line }),
      ]),
    ],
  };
}

/** `Rotterdam (NLRTM) 3 d 4 h (62%)`, the longest first. */
function sharesOf(spells: readonly HistorySpell[]): string[] {
  const sum = (summed: readonly HistorySpell[]) =>
    summed.reduce((minutes, spell) => minutes + minutesOf(spell), 0);
  const total = sum(spells);
  return [...Map.groupBy(spells, labelOf)]
    .map(([label, sameLabel]) => ({ label, minutes: sum(sameLabel) }))
    .sort((first, second) => second.minutes - first.minutes)
    .map(({ label, minutes }) => {
      const share = total > 0 ? ` (${percent(minutes / total)})` : '';
      return `${label} ${duration(minutes)}${share}`;
    });
}

const minutesOf = ({ from, until }: HistorySpell): number => minutesBetween(from, until);

const minutesBetween = (from: Date, to: Date): number => Math.round((to.getTime() - from.getTime()) / 60_000);

const labelOf = ({ port }: HistorySpell): string => (port ? escaped(portLabel(port)) : 'no prediction');

/** `Rotterdam (NLRTM): ETA drifted 14 h later`: from the first to the last ETA of the spell. */
function etaDrift(spell: HistorySpell, now: Date): string {
  const { port, points } = spell;
  const etas = points.flatMap(({ eta }) => eta ?? []);
  const [first, last] = [etas[0], etas.at(-1)];
  const label = labelOf(spell);
  if (!port) return label;
  if (!first || !last) return `${label}: ETA not given`;
  const minutes = minutesBetween(first, last);
  const when = portTime(last, portOf(port)?.zone, now);
  if (Math.abs(minutes) < 60) return `${label}: ETA steady, ${when}`;
  return `${label}: ETA drifted ${duration(Math.abs(minutes))} ${minutes > 0 ? 'later' : 'earlier'}, to ${when}`;
}

function spellLines(spell: HistorySpell, now: Date): string[] {
  const { port, from, until, points } = spell;
  const zone = port ? portOf(port)?.zone : undefined;
  const lines = points.map((point, index) => pointLine(point, { zone, before: points[index - 1], now }));
  const hidden = lines.length - maxPointsShown;
  if (hidden > 0) lines.splice(1, hidden, `… ${counted(hidden, 'step')} not shown`);
  const span = `${utc(from, now)} to ${utc(until, now)}, ${duration(minutesOf(spell))}`;
  return [`*${etaDrift(spell, now)}*`, span, ...lines];
}

/** `before`: the point before this one, with which the ETA is compared. */
function pointLine(
  { at, eta, probability }: HistoryPoint,
  { zone, before, now }: { zone: string | undefined; before: HistoryPoint | undefined; now: Date },
): string {
  const when = eta ? `ETA ${portTime(eta, zone, now)}` : 'ETA not given';
  const minutes = eta && before?.eta ? minutesBetween(before.eta, eta) : 0;
  const step = minutes === 0 ? '' : ` (${minutes > 0 ? '+' : '−'}${duration(Math.abs(minutes))})`;
  return `• ${utc(at, now)}: ${when}${step}, ${percent(probability)}`;
}

const utc = (time: Date, now: Date): string => portTime(time, undefined, now);
