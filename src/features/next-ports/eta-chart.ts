import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import type { Prediction } from '../../analytics/answers.ts';
import type { LinesSection } from '../../answers/answer.ts';
import { portTimeInColumn } from '../../answers/formatting/times.ts';
import { percent } from '../../answers/formatting/words.ts';
import { clip } from '../../answers/message.ts';
import { rankProspects } from '../../predictions/next-port.ts';
import type { Locode } from '../../reference/codes.ts';
import { portName } from '../../reference/ports.ts';

export interface PolledPredictions {
  at: Date;
  predictions: readonly Prediction[];
}

/** How the ETAs of the candidate ports moved during one call. */
interface EtaChart {
  /** The likeliest port, whose latest ETA is the zero of the chart. */
  port: Locode;
  /** Of the sampled polls. */
  times: readonly Date[];
  /** The likeliest first. `shiftsMs`: one for each time, from the latest ETA of `port`; later ones are positive. */
  lines: readonly { port: Locode; shiftsMs: readonly number[] }[];
  /** Ports without a line, because they weren't predicted all the time. */
  others: readonly Candidate[];
}

interface Candidate {
  port: Locode;
  from: Date;
  until: Date;
  /** Its highest probability. */
  peak: number;
}

/** A phone has room for as many. Slack allows 20. */
const maxTimes = 12;
const maxLines = 4;
const maxOthers = 3;
const minPeak = 0.1;

/**
 * Undefined without two polls of the same call. Slack draws a line only if it has a value at each time, so a port has
 * one if it was predicted, with an ETA, in each part of the time since the likeliest port was first predicted.
 */
export function etaChart(polls: readonly PolledPredictions[]): EtaChart | undefined {
  const ranked = polls.map(({ at, predictions }) => ({ at, prospects: rankProspects(predictions) }));
  const last = ranked.findLast(({ prospects }) => prospects.length > 0);
  const [top] = last?.prospects ?? [];
  if (!top?.eta) return undefined;
  const zeroMs = top.eta.getTime();
  const since = ranked.slice(
    ranked.findIndex(({ prospects }) => prospects.some(({ port, eta }) => port === top.port && eta)),
  );
  const slots = slotsOf(since);
  const peaks = candidatesOf(ranked);
  // A port that was never likely may be a week away, and would flatten the other lines.
  const likely = new Set(peaks.filter(({ peak }) => peak >= minPeak).map(({ port }) => port));
  const ports = (last?.prospects ?? []).flatMap(({ port }) =>
    port === top.port || likely.has(port) ? [port] : [],
  );
  const lines = ports.flatMap((port) => {
    const shiftsMs = slots.flatMap((slot) => {
      const etas = slot.flatMap(({ prospects }) => prospects.find((each) => each.port === port)?.eta ?? []);
      const eta = etas.at(-1);
      return eta ? [eta.getTime() - zeroMs] : [];
    });
    return shiftsMs.length === slots.length ? [{ port, shiftsMs }] : [];
  });
  const drawn = lines.slice(0, maxLines);
  if (slots.length < 2 || drawn[0]?.port !== top.port) return undefined;
  const isDrawn = (port: Locode) => drawn.some((line) => line.port === port);
  return {
    port: top.port,
    times: slots.flatMap((slot) => slot.at(-1)?.at ?? []),
    lines: drawn,
    others: peaks.filter(({ port }) => !isDrawn(port) && likely.has(port)).slice(0, maxOthers),
  };
}

interface Ranked {
  at: Date;
  prospects: ReturnType<typeof rankProspects>;
}

/** The polls in equal parts of the time, without the parts that have none. */
function slotsOf(polls: readonly Ranked[]): Ranked[][] {
  const [first, last] = [polls[0], polls.at(-1)];
  if (!first || !last) return [];
  const spanMs = Math.max(1, last.at.getTime() - first.at.getTime());
  const slotOf = ({ at }: Ranked) =>
    Math.min(maxTimes - 1, Math.floor(((at.getTime() - first.at.getTime()) / spanMs) * maxTimes));
  return [...Map.groupBy(polls, slotOf).values()];
}

/** The likeliest at any time come first. */
function candidatesOf(polls: readonly Ranked[]): Candidate[] {
  const candidates = new Map<Locode, Candidate>();
  for (const { at, prospects } of polls) {
    for (const { port, probability } of prospects) {
      const before = candidates.get(port);
      const peak = Math.max(before?.peak ?? 0, probability);
      candidates.set(port, { port, from: before?.from ?? at, until: at, peak });
    }
  }
  return [...candidates.values()].sort((one, other) => other.peak - one.peak);
}

/** In hours, or in days if that is more than a few. */
const maxHours = 96;

export function etaChartSection({ port, times, lines }: EtaChart, now: Date): LinesSection {
  const largestMs = Math.max(...lines.flatMap(({ shiftsMs }) => shiftsMs.map(Math.abs)));
  const isInHours = largestMs <= maxHours * millisecondsInHour;
  const unitMs = isInHours ? millisecondsInHour : millisecondsInDay;
  const unit = isInHours ? 'hours' : 'days';
  return {
    kind: 'lines',
    title: `ETA at ${clip(portName(port), 20)}: ${unit} from the latest`,
    yLabel: `${unit} from the latest ETA of ${portName(port)}`,
    labels: times.map((time) => portTimeInColumn(time, 'UTC', now)),
    lines: lines.map((line) => ({
      name: portName(line.port),
      values: line.shiftsMs.map((shiftMs) => Math.round((shiftMs / unitMs) * 10) / 10),
    })),
  };
}

/** What the chart doesn't say. */
export const etaChartNotes = ({ port, others }: EtaChart, now: Date): string[] => [
  `chart: 0 is the latest ETA of ${portName(port)}, above it is later; times in UTC`,
  ...others.map((other) => {
    const [from, until] = [other.from, other.until].map((time) => portTimeInColumn(time, 'UTC', now));
    const when = from === until ? from : `${from} to ${until}`;
    return `${portName(other.port)} (up to ${percent(other.peak)}) was predicted ${when}`;
  }),
];
