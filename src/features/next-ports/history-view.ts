import { millisecondsInDay } from 'date-fns/constants';
import { actionIds } from '../../messages/action-ids.ts';
import { actions, button, sections } from '../../messages/blocks.ts';
import { percent } from '../../messages/formatting/probability.ts';
import {
  portTime,
  portTimeInColumn,
  roundedDuration,
  unbroken,
  zonedTime,
} from '../../messages/formatting/times.ts';
import { vesselShort } from '../../messages/formatting/vessel-label.ts';
import { counted } from '../../messages/formatting/words.ts';
import { answerActions, lineButtons } from '../../messages/frame/answer-actions.ts';
import { inventedSuffix } from '../../messages/frame/answer-message.ts';
import { pageButtons, shownNote } from '../../messages/frame/paging.ts';
import { inventedNotes, smallPrint } from '../../messages/frame/small-print.ts';
import { joinText, joinWithin, paged } from '../../messages/limits.ts';
import { blocksOf, type Message, type Reader } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import { type Cell, dataTable } from '../../messages/rich-blocks.ts';
import type { Locode } from '../../reference/locode.ts';
import { portListed, portName, portOf } from '../../reference/ports.ts';
import { movedInWords, stayedInWords } from '../watches/index.ts';
import { imoNote } from './call-words.ts';
import { etaChartBlocks, etaChartNotes } from './eta-chart.ts';
import { type HistorySpell, historyDays, type VesselHistory } from './history.ts';

export interface VesselHistoryAnswer extends VesselHistory {
  line: string;
  page: number;
}

export const stepsPerPage = 20;

/** How long each port has been the most probable, then each change of the port or its ETA, the newest first. */
export function vesselHistoryView(answer: VesselHistoryAnswer, reader: Reader): Message {
  const { line, vessel, since, until, spells, chart, isOfChannel } = answer;
  const { now } = reader;
  const last = spells.at(-1);
  if (!since || !until || !last) return noHistory(answer, reader);
  const page = paged(stepsOf(spells).reverse(), answer.page, stepsPerPage);
  const verdict = `${escaped(vesselShort(vessel))}: ${portInWords(last.port)}${last.port ? ' most probable' : ''} ${spanOf(last, now)}`;
  const shares = sharesOf(spells);
  const notes = [
    `${isOfChannel ? 'Watched here' : 'Watched by you or in your channels'}, of the past ${historyDays} days: ${utc(since, now)} to ${utc(until, now)}`,
    imoNote(vessel),
    ...(chart ? etaChartNotes(chart, now).map(escaped) : []),
    ...shownNote(page, stepsPerPage),
    ...inventedNotes(reader),
  ];
  const stayed = stabilityLine(answer);
  const runs = [
    ...pageButtons(line, page, stepsPerPage),
    { label: 'Next ports now', line: `nextport ${vessel.imo}` },
    ...(stayed.length > 0 ? [{ label: 'Stability', line: `watch stability ${vessel.imo}` }] : []),
  ];
  const rows = page.items.map((step) => row(step, now));
  const lines = page.items.map((step) => stepLine(step, now));
  const texts = [[verdict, ...drift(last, now)].join(' · '), ...shares, ...stayed, ...lines];
  return {
    text: `${joinText(texts)}${inventedSuffix(reader)}`,
    ...blocksOf([
      ...sections([
        [`*${verdict}*`, ...drift(last, now)].join(' · '),
        ...(shares.length > 1 ? [`Most probable: ${joinWithin(shares, ' · ', 1_000)}`] : []),
        ...stayed,
      ]),
      ...(chart ? etaChartBlocks(chart, now) : []),
      ...dataTable({
        caption: `Changes of the prediction for ${vesselShort(vessel)}`,
        columns,
        rows,
        lines: lines.map((step) => `• ${step}`),
      }),
      ...smallPrint(notes),
      ...answerActions({ line, runs }),
    ]),
  };
}

/** Nothing before the first call has ended. */
const stabilityLine = ({ stability }: VesselHistoryAnswer): string[] =>
  stability.calls > 0
    ? [[`Stability: ${stayedInWords(stability)}`, ...movedInWords(stability)].join(' · ')]
    : [];

function noHistory({ vessel, line, isOfChannel }: VesselHistoryAnswer, reader: Reader): Message {
  const heading = `No history for ${escaped(vesselShort(vessel))} ${isOfChannel ? 'here ' : ''}yet`;
  const why = isOfChannel
    ? 'A channel sees what was predicted while the vessel was watched in it. In a direct message, you see all of your watches and channels.'
    : 'You see what was predicted while you or one of your channels watched the vessel.';
  return {
    text: `${heading}. ${why} For example: /watch ${vessel.imo}${inventedSuffix(reader)}`,
    blocks: [
      ...sections([`*${heading}*`, why]),
      ...smallPrint(inventedNotes(reader)),
      ...actions([
        ...lineButtons([{ label: 'Watch', line: `watch ${vessel.imo}` }]),
        button({ id: actionIds.refresh, label: 'Refresh', value: line }),
      ]),
    ],
  };
}

/** A poll that changed the most probable port, its ETA or its probability. */
interface Step {
  at: Date;
  port: Locode | null;
  eta: Date | null;
  /** Undefined if nothing was predicted. */
  probability?: number;
  /** `was Hamburg`, `none before`, `+14 h`, `−12 points`; nothing for the first poll. */
  change: readonly string[];
}

/** Oldest first. */
export function stepsOf(spells: readonly HistorySpell[]): Step[] {
  return spells.flatMap(({ port, from, points }, spellIndex): Step[] => {
    const before = spells[spellIndex - 1];
    const newPort = before ? [before.port ? `was ${portName(before.port)}` : 'none before'] : [];
    if (points.length === 0) return [{ at: from, port, eta: null, change: newPort }];
    return points.map((point, index) => {
      const last = points[index - 1];
      return { ...point, port, change: last ? changesOf(last, point) : newPort };
    });
  });
}

type Point = HistorySpell['points'][number];

function changesOf(from: Point, to: Point): string[] {
  const minutes = from.eta && to.eta ? minutesBetween(from.eta, to.eta) : 0;
  const points = Math.round((to.probability - from.probability) * 100);
  return [
    ...(minutes === 0 ? [] : [unbroken(`${sign(minutes)}${roundedDuration(Math.abs(minutes))}`)]),
    ...(Math.abs(points) < 10 ? [] : [`${sign(points)}${counted(Math.abs(points), 'point')}`]),
  ];
}

const sign = (change: number): string => (change > 0 ? '+' : '−');

/** The first two are all that a phone shows, so the port and its ETA share a column. */
const columns = [
  { header: 'Since (UTC)' },
  { header: 'Port, ETA (LT)' },
  { header: 'Change' },
  { header: '%' },
  { header: 'ETA (UTC)' },
] as const;

function row({ at, port, eta, probability, change }: Step, now: Date): Cell[] {
  const time = port && eta ? portTimeInColumn(eta, portOf(port)?.zone, now) : 'ETA not given';
  return [
    { value: at.getTime(), text: portTimeInColumn(at, 'UTC', now) },
    port ? `${portListed(port)} · ${time}` : 'no prediction',
    change.join(', '),
    probability === undefined ? '–' : { value: probability, text: percent(probability) },
    eta ? { value: eta.getTime(), text: zonedTime(eta, 'UTC', now) } : '–',
  ];
}

function stepLine({ at, port, eta, probability, change }: Step, now: Date): string {
  const time = eta ? portTime(eta, port ? portOf(port)?.zone : undefined, now) : 'ETA not given';
  const what = port
    ? [escaped(portListed(port)), ...(probability === undefined ? [] : [percent(probability)]), time]
    : ['no prediction'];
  return [utc(at, now), ...what, ...change.map(escaped)].join(' · ');
}

/** `since Thu 19 Nov 05:00 UTC`; with an end if the last poll is a day old. */
function spanOf({ from, until }: HistorySpell, now: Date): string {
  const isOver = now.getTime() - until.getTime() > millisecondsInDay;
  return isOver ? `${utc(from, now)} to ${utc(until, now)}` : `since ${utc(from, now)}`;
}

/**
 * From the first to the last ETA of the spell: `ETA 14 h later since then: Mon 23 Nov 15:05 LT (14:05 UTC)`. One poll
 * shows no move.
 */
function drift(spell: HistorySpell, now: Date): string[] {
  const { port, points } = spell;
  if (!port) return [];
  const etas = points.flatMap(({ eta }) => eta ?? []);
  const [first, last] = [etas[0], etas.at(-1)];
  if (!first || !last) return ['ETA not given'];
  const minutes = minutesBetween(first, last);
  const when = portTime(last, portOf(port)?.zone, now);
  if (spell.from.getTime() === spell.until.getTime()) return [`ETA ${when}`];
  if (Math.abs(minutes) < 60) return [`ETA steady: ${when}`];
  return [
    `ETA ${roundedDuration(Math.abs(minutes))} ${minutes > 0 ? 'later' : 'earlier'} since then: ${when}`,
  ];
}

/** `Rotterdam 62% of the time (3 d 4 h)`, the longest first, without a port that only the last poll had on top. */
function sharesOf(spells: readonly HistorySpell[]): string[] {
  const sum = (summed: readonly HistorySpell[]) =>
    summed.reduce((minutes, { from, until }) => minutes + minutesBetween(from, until), 0);
  const total = sum(spells);
  return [...Map.groupBy(spells, ({ port }) => portInWords(port))]
    .map(([name, ofPort]) => ({ name, minutes: sum(ofPort) }))
    .filter(({ minutes }) => minutes > 0)
    .sort((first, second) => second.minutes - first.minutes)
    .map(
      ({ name, minutes }) => `${name} ${percent(minutes / total)} of the time (${roundedDuration(minutes)})`,
    );
}

const portInWords = (port: Locode | null): string => (port ? escaped(portName(port)) : 'no prediction');

const minutesBetween = (from: Date, to: Date): number => Math.round((to.getTime() - from.getTime()) / 60_000);

const utc = (time: Date, now: Date): string => portTime(time, undefined, now);
