import type { Prediction } from '../../analytics/answers.ts';
import { sections } from '../../messages/blocks.ts';
import { bar, isUndecided, percent } from '../../messages/formatting/probability.ts';
import { etaLine, portTime, yourTime } from '../../messages/formatting/times.ts';
import { type KnownVessel, vesselHeading, vesselShort } from '../../messages/formatting/vessel-label.ts';
import { counted } from '../../messages/formatting/words.ts';
import type { Message, Reader } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import type { Locode } from '../../reference/locode.ts';
import { portLabel, portOf } from '../../reference/ports.ts';
import { type PagedAnswer, pageOf } from '../paged-answer.ts';
import type { askNextPorts } from './answer.ts';
import { atPortVerdict } from './at-port.ts';

export type NextPortsAnswer = PagedAnswer &
  Awaited<ReturnType<typeof askNextPorts>> & {
    /** The port that was asked about: `nextport 9755933 at Rotterdam`. */
    at?: Locode;
  };

export function nextPortsView(answer: NextPortsAnswer, reader: Reader): Message {
  const [first] = answer.predictions;
  if (first === undefined) return noPrediction(answer, reader);
  const { vessel, predictions, at } = answer;
  const there = at && atPortVerdict({ vessel, predictions, at }, reader.now);
  const page = pageOf(answer, predictions, { size: 10, reader });
  const lines = page.items.map((prediction, index) =>
    candidateLine(prediction, page.offset + index + 1, reader),
  );
  return page.message({
    texts: there ? [there.verdict, there.rest].filter(Boolean) : summary(answer, first, reader),
    body: sections([
      ...(there ? [[`*${there.verdict}*`, there.rest].filter(Boolean).join(' · ')] : []),
      vesselHeading(vessel),
      ...undecidedLine(predictions),
      ...lines,
    ]),
    notes: [...notes(answer), ...page.shownNote],
    watch: `watch ${vessel.imo}`,
    ...offerToName(vessel),
    more: [
      { label: 'Compare vessel view and ship view', line: `nextport ${vessel.imo} compare` },
      { label: 'Prediction history', line: `nextport ${vessel.imo} history` },
      ...page.items.slice(0, 3).map(({ port }) => ({
        label: `Who is coming to ${portLabel(port)}`,
        line: `portcalls ${port}`,
      })),
    ],
  });
}

const offerToName = ({ imo, name }: KnownVessel) => (name === undefined ? { unnamed: imo } : {});

/** The time gets its own line: beside the bar it would wrap on most screens. */
function candidateLine(prediction: Prediction, rank: number, reader: Reader): string {
  const { port, probability, eta } = prediction;
  const label = escaped(portLabel(port));
  const time = [
    etaLine(prediction, reader.now),
    ...(eta === undefined ? [] : yourTime(eta, portOf(port)?.zone, reader)),
  ].join(' · ');
  // A no-break space keeps the figure beside its bar.
  const meter = `${bar(probability)}\u00a0${percent(probability)}`;
  return rank > 1 ? `${rank} ${label}  ${meter}\n${time}` : `*1 ${label}*  *${meter}*\n${time}`;
}

function undecidedLine(predictions: readonly Prediction[]): string[] {
  const [first, second] = predictions;
  if (!first || !second || !isUndecided(first.probability, second.probability)) return [];
  const points = Math.round((first.probability - second.probability) * 100);
  const apart = points === 0 ? 'level' : `${counted(points, 'point')} apart`;
  return [
    `*Undecided*: ${escaped(portLabel(first.port))} and ${escaped(portLabel(second.port))} are ${apart}`,
  ];
}

function summary({ vessel, predictions }: NextPortsAnswer, first: Prediction, { now }: Reader): string[] {
  const name = escaped(vesselShort(vessel));
  const [, second] = predictions;
  const eta = first.eta ? `ETA ${portTime(first.eta, portOf(first.port)?.zone, now)}` : 'ETA not given';
  const inWords = ({ port, probability }: Prediction) =>
    `${escaped(portLabel(port))} ${percent(probability)}`;
  const undecided = second !== undefined && isUndecided(first.probability, second.probability);
  const verdict = undecided
    ? `${name}: undecided, ${inWords(first)} or ${inWords(second)}, ${eta} for the first`
    : `${name}: ${inWords(first)}, ${eta}`;
  const others = predictions.slice(undecided ? 2 : 1).map((other) => `or ${inWords(other)}`);
  return [verdict, ...others];
}

function notes({ endpoint, predictions }: NextPortsAnswer): string[] {
  // 5% leaves room for rounding.
  const sum = predictions.reduce((total, { probability }) => total + probability, 0);
  return [
    'Predicted, not reported',
    endpoint === 'vessel' ? 'vessel view' : 'ship view (the vessel view has no prediction)',
    ...(sum > 1.05 ? [`the probabilities are as given; they add up to ${Math.round(sum * 100)}%`] : []),
  ];
}

function noPrediction(answer: NextPortsAnswer, reader: Reader): Message {
  const { imo, name } = answer.vessel;
  const verdict = `No prediction for IMO ${imo}${name === undefined ? '' : ` (${escaped(name)})`}`;
  return pageOf(answer, [], { size: 1, reader }).message({
    texts: [`${verdict}. Fishing vessels, tugs and pilot boats are not covered`],
    body: sections([
      `*${verdict}*`,
      'The service covers vessels with an IMO number; fishing vessels, tugs and pilot boats are not covered.',
    ]),
    notes: ['asked: vessel view and ship view'],
    watch: `watch ${imo}`,
    ...offerToName(answer.vessel),
  });
}
