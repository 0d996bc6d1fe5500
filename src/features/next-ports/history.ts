import { millisecondsInDay } from 'date-fns/constants';
import { type Answer, watchThese } from '../../answers/answer.ts';
import { portTime, portTimeInColumn, roundedDuration, unbroken } from '../../answers/formatting/times.ts';
import {
  counted,
  type KnownVessel,
  percent,
  portsInWords,
  vesselShort,
} from '../../answers/formatting/words.ts';
import { eta, instant, port, probability, shown, vessel } from '../../answers/kinds.ts';
import { joinWithin, paged } from '../../answers/message.ts';
import { table } from '../../answers/table.ts';
import { onlyInLine, onlyInTable } from '../../answers/text.ts';
import { changesBetween } from '../../predictions/changes.ts';
import { rankProspects } from '../../predictions/next-port.ts';
import { stabilityOf } from '../../predictions/stability.ts';
import { thresholds } from '../../predictions/thresholds.ts';
import type { Imo, Locode } from '../../reference/codes.ts';
import { portName, portOf } from '../../reference/ports.ts';
import type { Prospect } from '../../reference/prediction.ts';
import { type AskCtx, knownVessel } from '../ctx.ts';
import { readHistory } from '../history/index.ts';
import { filterHere, scopeHere } from '../scope.ts';
import { movedInWords, readFinishedCalls, stayedInWords } from '../stability/index.ts';
import { etaChart, etaChartNotes, etaChartSection, type PolledPredictions } from './eta-chart.ts';
import { after, portAndTime, utcTime, vesselNotes } from './predictions.ts';
import { formatVessel } from './words.ts';

export const historyDays = 30;

export type VesselHistory = Awaited<ReturnType<typeof askHistory>>;

/** The predictions of the past 30 days, from the polls of a vessel that is watched here. */
export async function askHistory(imo: Imo, ctx: AskCtx) {
  const from = new Date(ctx.now().getTime() - historyDays * millisecondsInDay);
  const { store } = ctx.services;
  const filter = await filterHere(ctx);
  const [polls, calls] = await Promise.all([
    readHistory(store, { subject: { kind: 'vessel', imo }, from, filter }),
    readFinishedCalls(store, { imos: [imo], filter }),
  ]);
  const [lastCall] = calls;
  const ofThisCall = lastCall ? polls.filter(({ at }) => at >= lastCall.endedAt) : polls;
  return {
    vessel: knownVessel(imo, ctx.vessels),
    isOfChannel: scopeHere(ctx).scope === 'channel',
    since: polls[0]?.at,
    until: polls.at(-1)?.at,
    spells: spellsOf(polls),
    chart: etaChart(ofThisCall),
    stability: stabilityOf(calls),
  };
}

/** A time when one port was the most probable. */
interface HistorySpell {
  /** Null if nothing was predicted. */
  port: Locode | null;
  from: Date;
  until: Date;
  /** The first poll, and each poll with a change. */
  points: HistoryPoint[];
}

interface HistoryPoint {
  at: Date;
  eta: Date | null;
  probability: number;
}

/** Oldest first. A spell lasts until the next one begins; the last spell, until the last poll. */
function spellsOf(polls: readonly PolledPredictions[]): HistorySpell[] {
  const spells: HistorySpell[] = [];
  for (const { at, predictions } of polls) {
    const [top] = rankProspects(predictions);
    const port = top?.port ?? null;
    const last = spells.at(-1);
    if (last) last.until = at;
    const spell = last?.port === port ? last : { port, from: at, until: at, points: [] };
    if (spell !== last) spells.push(spell);
    if (!top) continue;
    const lastPoint = spell.points.at(-1);
    const { eta, probability } = top;
    if (!lastPoint || hasChanged(lastPoint, top, at)) spell.points.push({ at, eta, probability });
  }
  return spells;
}

/** Of the same port. An ETA that is left out counts too. */
function hasChanged(last: HistoryPoint, top: Prospect, at: Date): boolean {
  const before = { at: last.at, ranked: [{ ...last, port: top.port }] };
  const changes = changesBetween(before, { at, ranked: [top] }, thresholds.history);
  return changes.length > 0 || (last.eta !== null && top.eta === null);
}

export const historyTable = table<Step & { vessel: KnownVessel }>({
  name: 'next-port-history',
  about:
    'A poll that changed the most probable port, moved its ETA by an hour or its probability by ten points; the newest first',
  isOfService: true,
  columns: {
    since: instant('Since (UTC)', 'when it was first predicted so, in UTC', ({ at }) => at, {
      words: ({ at }, { now }) => [portTimeInColumn(at, 'UTC', now), onlyInLine(' UTC')],
    }),
    vessel: vessel(null, ({ vessel }) => vessel),
    port: port('Port, ETA (LT)', 'port', ({ port }) => port ?? undefined, {
      words({ port, eta, probability }, { now }) {
        if (!port || probability === undefined) return 'no prediction';
        return portAndTime(portsInWords([{ port, probability }]), { port, eta }, now);
      },
    }),
    change: shown('Change', ({ change }) => change.join(', ')),
    probability: probability('%', 'from 0 to 1', (step) => step.probability, {
      words: (step) => (step.probability === undefined ? '' : onlyInTable(percent(step.probability))),
    }),
    eta: eta('ETA (UTC)', ({ port, eta }) => (port ? { port, eta } : undefined), {
      words: ({ eta }, { now }) => utcTime(eta, now),
    }),
  },
});

const stepsPerPage = 20;

/** How long each port has been the most probable, then each change of the port or its ETA, the newest first. */
export function historyAnswer(
  history: VesselHistory,
  { now, page: asked }: { now: Date; page: number },
): Answer {
  const { vessel: of, since, until, spells, chart, isOfChannel, stability } = history;
  const last = spells.at(-1);
  if (!since || !until || !last) return noHistory(history);
  const steps = stepsOf(spells)
    .map((step) => ({ ...step, vessel: of }))
    .reverse();
  const { items, ...page } = paged(steps, asked, stepsPerPage);
  const shares = sharesOf(spells);
  return {
    verdict: {
      strong: [
        `${vesselShort(of)}: ${portInWords(last.port)}${last.port ? ' most probable' : ''} ${spanOf(last, now)}`,
        ...last.points.slice(-1).map(({ probability: share }) => `, ${percent(share)}`),
      ],
      rest: after(drift(last, now)),
      lines: [
        ...(shares.length > 1 ? [`Most probable: ${joinWithin(shares, ' · ', 1_000)}`] : []),
        // Nothing before the first call has ended.
        ...(stability.calls > 0
          ? [[`Stability: ${stayedInWords(stability)}`, ...movedInWords(stability)].join(' · ')]
          : []),
      ],
    },
    sections: [
      ...(chart ? [etaChartSection(chart, now)] : []),
      historyTable.of({
        caption: `Changes of the prediction for ${vesselShort(of)}`,
        rows: steps,
        shown: items,
        subject: [String(of.imo)],
        fetchedAt: ({ at }) => at,
      }),
    ],
    notes: [
      `${isOfChannel ? 'Watched here' : 'Watched by you or in your channels'}, of the past ${historyDays} days: ${utc(since, now)} to ${utc(until, now)}`,
      ...vesselNotes(of),
      ...(chart ? etaChartNotes(chart, now) : []),
    ],
    isForecast: true,
    page: { ...page, size: stepsPerPage },
    actions: {
      about: vesselShort(of),
      runs: [
        { label: 'Next ports now', line: formatVessel({ imo: of.imo, page: 1 }) },
        ...(stability.calls > 0
          ? [{ label: 'Stability', intent: { kind: 'stability-of' as const, imo: of.imo } }]
          : []),
      ],
    },
  };
}

function noHistory({ vessel: of, isOfChannel }: VesselHistory): Answer {
  const why = isOfChannel
    ? 'A channel sees what was predicted while the vessel was watched in it. In a direct message, you see all of your watches and channels.'
    : 'You see what was predicted while you or one of your channels watched the vessel.';
  return {
    verdict: { strong: `No history for ${vesselShort(of)} ${isOfChannel ? 'here ' : ''}yet`, lines: [why] },
    sections: [
      historyTable.of({ caption: 'Changes of the prediction', rows: [], subject: [String(of.imo)] }),
    ],
    isForecast: true,
    actions: { about: vesselShort(of), watch: watchThese(of.imo) },
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
function stepsOf(spells: readonly HistorySpell[]): Step[] {
  return spells.flatMap((spell, spellIndex): Step[] => {
    const before = spells[spellIndex - 1];
    const newPort = before ? [before.port ? `was ${portName(before.port)}` : 'none before'] : [];
    const { points } = spell;
    if (points.length === 0) return [{ at: spell.from, port: spell.port, eta: null, change: newPort }];
    return points.map((point, index) => {
      const last = points[index - 1];
      return { ...point, port: spell.port, change: last ? changesOf(last, point) : newPort };
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
  const { points } = spell;
  if (!spell.port) return [];
  const etas = points.flatMap(({ eta }) => eta ?? []);
  const [first, last] = [etas[0], etas.at(-1)];
  if (!first || !last) return ['ETA not given'];
  const minutes = minutesBetween(first, last);
  const when = portTime(last, portOf(spell.port)?.zone, now);
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
  return [...Map.groupBy(spells, (spell) => portInWords(spell.port))]
    .map(([name, ofPort]) => ({ name, minutes: sum(ofPort) }))
    .filter(({ minutes }) => minutes > 0)
    .sort((first, second) => second.minutes - first.minutes)
    .map(
      ({ name, minutes }) => `${name} ${percent(minutes / total)} of the time (${roundedDuration(minutes)})`,
    );
}

const portInWords = (locode: Locode | null): string => (locode ? portName(locode) : 'no prediction');

const minutesBetween = (from: Date, to: Date): number => Math.round((to.getTime() - from.getTime()) / 60_000);

const utc = (time: Date, now: Date): string => portTime(time, undefined, now);
