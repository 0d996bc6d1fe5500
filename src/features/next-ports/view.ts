import type { Prediction } from '../../analytics/answers.ts';
import { sections } from '../../messages/blocks.ts';
import { bar, percent } from '../../messages/formatting/probability.ts';
import { untilEta } from '../../messages/formatting/times.ts';
import { vesselShort } from '../../messages/formatting/vessel-label.ts';
import type { Message, Reader } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import { dataTable } from '../../messages/rich-blocks.ts';
import { isUndecided } from '../../predictions/next-port.ts';
import type { Locode } from '../../reference/locode.ts';
import { portListed, portName, samePort } from '../../reference/ports.ts';
import { type PagedAnswer, pageOf } from '../paged-answer.ts';
import type { askNextPorts } from './answer.ts';
import { atPortVerdict } from './at-port.ts';
import { etaInWords, imoNote, portAndPercent, timeOf, zoneNotes } from './call-words.ts';
import { firstLine, verdictOf } from './verdict.ts';

export type NextPortsAnswer = PagedAnswer &
  Awaited<ReturnType<typeof askNextPorts>> & {
    /** The port that was asked about: `nextport 9755933 at Rotterdam`. */
    at?: Locode;
    /** Lists the improbable ports too: `nextport 9755933 all`. */
    showsAll?: true;
  };

/** Ports below this are counted, not listed. */
export const minListed = 0.05;

export function nextPortsView(answer: NextPortsAnswer, reader: Reader): Message {
  const [first, second] = answer.predictions;
  if (first === undefined) return noPrediction(answer, reader);
  const { vessel, predictions, at } = answer;
  const listed = answer.showsAll ? predictions : predictions.filter(isListed(first, at));
  const hidden = predictions.length - listed.length;
  const page = pageOf(answer, listed, { size: 20, reader });
  const ranked = page.items.map((prediction, index) => ({ prediction, rank: page.offset + index + 1 }));
  const verdict =
    at === undefined
      ? verdictOf(vessel, { first, second }, reader.now)
      : atPortVerdict({ vessel, predictions, at }, reader.now);
  const { text, mrkdwn } = firstLine(verdict, reader);
  const asked = at ?? first.port;
  const others = ranked.filter(({ prediction }) => !verdict.said.includes(prediction));
  return page.message({
    texts: [text, ...others.map(({ prediction }) => inWords(prediction, reader.now))],
    body: [
      ...sections([mrkdwn]),
      ...dataTable({
        caption: `Next ports of ${vesselShort(vessel)}`,
        columns,
        rows: ranked.map((row) => cells(row, reader.now)),
        lines: ranked.map((row) => line(row, reader.now)),
      }),
    ],
    firstNotes: hidden > 0 ? [`${hidden} more under ${percent(minListed)}`] : [],
    notes: [...notesOn(answer, asked), ...zoneNotes(page.items), ...page.shownNote],
    watch: `watch ${vessel.imo}`,
    runs: [
      whoIsComing(asked),
      ...(hidden > 0 ? [{ label: 'Show all', line: `nextport ${vessel.imo} all` }] : []),
    ],
    ...offerToName(answer),
    more: [
      { label: 'History', line: `nextport ${vessel.imo} history` },
      { label: 'Compare both views', line: `nextport ${vessel.imo} compare` },
      ...(answer.hasMap ? [{ label: 'Map', line: `nextport ${vessel.imo} map` }] : []),
      ...ranked
        .map(({ prediction: { port } }) => port)
        .filter((port) => !samePort(port, asked))
        .slice(0, 2)
        .map(whoIsComing),
    ],
  });
}

/** The port asked about, and those that may be the next one, are always listed. */
export const isListed =
  (first: Prediction, at?: Locode) =>
  ({ port, probability }: Prediction): boolean =>
    probability >= minListed ||
    isUndecided(first.probability, probability) ||
    (at !== undefined && samePort(port, at));

const whoIsComing = (port: Locode) => ({
  label: `Who is coming to ${portName(port)}`,
  line: `portcalls ${port}`,
});

const offerToName = ({ vessel: { imo, name } }: NextPortsAnswer) =>
  name === undefined ? { unnamed: imo } : {};

interface Ranked {
  prediction: Prediction;
  /** From 1. */
  rank: number;
}

const columns = [
  { header: '#' },
  { header: 'Port' },
  { header: 'Probability' },
  { header: 'ETA' },
  { header: 'In' },
] as const;

function cells({ prediction, rank }: Ranked, now: Date) {
  const { port, probability, eta } = prediction;
  const value = eta?.getTime();
  const byTime = (text: string) => (value === undefined ? text : { value, text });
  return [
    { value: rank, text: String(rank) },
    portListed(port),
    { value: probability, text: meter(probability) },
    byTime(etaInWords(prediction, now)),
    byTime(eta ? untilEta(eta, now) : '–'),
  ];
}

/** The figure stands first, because a phone may cut off the bar. Its padding is as wide as a digit. */
const meter = (probability: number): string =>
  `${percent(probability).padStart(3, '\u2007')}\u00a0${bar(probability)}`;

const line = ({ prediction, rank }: Ranked, now: Date): string =>
  [
    `${rank} ${escaped(portListed(prediction.port))}`,
    meter(prediction.probability),
    ...timeOf(prediction, now),
  ].join(' · ');

const inWords = (prediction: Prediction, now: Date): string =>
  `or ${portAndPercent(prediction)}, ${etaInWords(prediction, now)}`;

/** Small print about the vessel, the port and the service's view, escaped. */
export function notesOn({ endpoint, predictions, vessel }: NextPortsAnswer, asked: Locode): string[] {
  // 5% leaves room for rounding.
  const sum = predictions.reduce((total, { probability }) => total + probability, 0);
  return [
    imoNote(vessel),
    asked,
    endpoint === 'vessel' ? 'vessel view' : 'ship view (the vessel view has no prediction)',
    ...(sum > 1.05 ? [`the probabilities are as given; they add up to ${Math.round(sum * 100)}%`] : []),
  ];
}

export function noPrediction(answer: NextPortsAnswer, reader: Reader): Message {
  const { imo, name } = answer.vessel;
  const verdict = `No prediction for IMO ${imo}`;
  const known = name === undefined ? '' : ` (${escaped(vesselShort(answer.vessel))})`;
  return pageOf(answer, [], { size: 1, reader }).message({
    texts: [`${verdict}${known}. Fishing vessels, tugs and pilot boats are not covered`],
    body: sections([
      `*${verdict}*${known}`,
      'The service covers vessels with an IMO number; fishing vessels, tugs and pilot boats are not covered.',
    ]),
    notes: ['asked: vessel view and ship view'],
    watch: `watch ${imo}`,
    ...offerToName(answer),
  });
}
