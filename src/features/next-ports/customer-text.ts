import { millisecondsInMinute } from 'date-fns/constants';
import { timeInProse } from '../../answers/formatting/times.ts';
import {
  capitalised,
  type KnownVessel,
  likelihoodInWords,
  percent,
  vesselShort,
} from '../../answers/formatting/words.ts';
import type { Reader } from '../../answers/message.ts';
import { present } from '../../answers/text.ts';
import { nextPorts, rivalOf } from '../../predictions/next-port.ts';
import { type Due, isEarly, isLate, minimumOf } from '../../predictions/promises.ts';
import type { Locode } from '../../reference/codes.ts';
import { portName, portOf, samePort } from '../../reference/ports.ts';
import type { Prediction } from '../../reference/prediction.ts';
import { apart } from '../rules/index.ts';
import type { VesselPredictions } from './predictions.ts';

interface About {
  found: Pick<VesselPredictions, 'vessel' | 'predictions' | 'fetchedAt'>;
  /** Those that the text names: the customer's. */
  references: readonly string[];
  /** The port that was asked about; left out: the next one. */
  at?: Locode | undefined;
  /** What its reference was promised. */
  due?: Due | undefined;
  /** What was predicted before. */
  was?: { port: Locode; eta: Date | null } | undefined;
}

/**
 * A text about a call for a customer, in plain words: three lines, or two without a prediction. It says where and when, how
 * likely that is, and how old the forecast is; never that a vessel has arrived.
 */
export function customerText(
  { found, references, due, at = due?.port, was }: About,
  reader: Pick<Reader, 'now' | 'source'>,
) {
  const { vessel, predictions, fetchedAt } = found;
  const { now } = reader;
  const [call, details] = callInWords({ name: nameOf(vessel), predictions, at, now });
  const named = listed(present(...references.slice(0, maxNamed), moreThan(references, maxNamed)));
  const [first, ...rivals] = nextPorts(predictions);
  const clear = rivals.length === 0 ? first : undefined;
  const change = was && first && hasChanged(was, first) ? [formerInWords(was, first, now)] : [];
  const asked = timeInProse(fetchedAt, undefined, now);
  const invented = reader.source === 'sandbox' ? ' Invented data, only for trying out.' : '';
  return [
    !named ? capitalised(call) : `${named}: ${call}`,
    [...details, ...(due ? [dueInProse(due, clear, now)] : []), ...change].join(' '),
    `${first ? `Forecast of ${asked}; it may change` : `As of ${asked}`}.${invented}`,
  ].filter((line) => line !== '');
}

const maxNamed = 5;

const moreThan = ({ length }: readonly string[], shown: number): string | false =>
  length > shown && `${length - shown} more`;

/** `BK1 is needed at Rotterdam by Tue 8 Dec, 08:00 local time; the forecast is 9 h later.` */
function dueInProse(due: Due, first: Prediction | undefined, now: Date): string {
  const zone = portOf(due.port)?.zone;
  const [from, until] = [due.earliest, due.at].map((time) => time && timeInProse(time, zone, now));
  const needed = `${due.reference ?? 'It'} is needed at ${portName(due.port)} ${from === undefined ? `by ${until}` : `between ${from} and ${until}`}`;
  const { eta = null, probability = 0 } = first ?? {};
  const isElse = !first || !samePort(first.port, due.port) || probability < minimumOf(due);
  if (isElse || !eta) return `${needed}.`;
  if (isLate(due, { eta })) return `${needed}; the forecast is ${apart(eta, due.at)} later.`;
  if (due.earliest && isEarly(due, { eta }))
    return `${needed}; the forecast is ${apart(eta, due.earliest)} earlier.`;
  return eta < now ? `${needed}.` : `${needed}; the forecast is in time.`;
}

interface Asked {
  name: string;
  predictions: readonly Prediction[];
  at: Locode | undefined;
  now: Date;
}

/** What is predicted, and the sentences that qualify it. */
type Words = readonly [call: string, details: readonly string[]];

function callInWords({ name, predictions, at, now }: Asked): Words {
  const next = nextPorts(predictions);
  const [first] = next;
  if (!first) return [`there is no forecast for ${name} at present.`, []];
  const rival = at === undefined ? undefined : rivalOf(predictions, at);
  if (at !== undefined && rival?.isLikelier)
    return elsewhereInWords({ name, predictions, at, now }, rival.rival);
  const likelihood = likelihoodInWords(first.probability);
  if (next.length > 1 || likelihood === undefined) {
    const likeliest = predictions.slice(0, maxLikeliest).map((each) => withFigures(each, now));
    const are = likeliest.length === 1 ? 'port is' : 'ports are';
    return [
      `it is uncertain at which port ${name} calls next.`,
      [`The likeliest ${are} ${listed(likeliest)}.`],
    ];
  }
  const certainty = `This is ${likelihood} (${share(first)}).`;
  const place = `${name} is predicted at ${portName(first.port)}`;
  if (!first.eta) return [`${place}; no time is predicted yet.`, [certainty]];
  if (first.eta > now) return [`${place} on ${whenOf(first, now)}.`, [certainty]];
  return [
    `${name} is still predicted at ${portName(first.port)}; the predicted time, ${whenOf(first, now)}, has passed.`,
    [certainty, "The forecast doesn't say whether the vessel has arrived."],
  ];
}

const maxLikeliest = 3;

/** Another port comes first, in all likelihood. */
function elsewhereInWords({ name, predictions, at, now }: Asked & { at: Locode }, rival: Prediction): Words {
  const there = predictions.find(({ port }) => samePort(port, at));
  const port = portName(at);
  return [
    there
      ? `${name} is unlikely to call at ${port} next (${share(there)}).`
      : `${name} is not predicted at ${port} at present.`,
    [
      `Its next port is more likely to be ${withFigures(rival, now)}.`,
      `Only the next port is predicted, so ${port} may still follow.`,
    ],
  ];
}

/** `Rotterdam (44%, Tue 24 Nov, 17:51 local time)`. */
const withFigures = (prediction: Prediction, now: Date): string =>
  `${portName(prediction.port)} (${[share(prediction), ...(prediction.eta ? [whenOf(prediction, now)] : [])].join(', ')})`;

const whenOf = ({ port, eta, etaZone }: Prediction, now: Date): string => {
  const time = eta ? timeInProse(eta, portOf(port)?.zone, now) : '';
  return etaZone === 'assumed-utc' ? `${time} (given without a time zone, read as UTC)` : time;
};

/** A smaller move of the ETA isn't news for a customer. */
const minMoveMs = 30 * millisecondsInMinute;

function hasChanged(was: NonNullable<About['was']>, { port, eta }: Prediction): boolean {
  if (!samePort(was.port, port)) return true;
  if (!was.eta || !eta) return false;
  return Math.abs(was.eta.getTime() - eta.getTime()) >= minMoveMs;
}

function formerInWords(was: NonNullable<About['was']>, { port }: Prediction, now: Date): string {
  const when = was.eta ? [timeInProse(was.eta, portOf(was.port)?.zone, now)] : [];
  const where = samePort(was.port, port) ? [] : [portName(was.port)];
  return `Our last forecast was ${[...where, ...when].join(' on ')}.`;
}

const nameOf = (vessel: KnownVessel): string =>
  vessel.name === undefined ? `the vessel with IMO number ${vessel.imo}` : vesselShort(vessel);

/** `Hamburg, Rotterdam and Antwerp`. */
const listed = (texts: readonly string[]): string =>
  [texts.slice(0, -1).join(', '), ...texts.slice(-1)].filter((text) => text !== '').join(' and ');

const share = ({ probability }: Prediction): string => percent(probability).replaceAll('\u00a0', ' ');
