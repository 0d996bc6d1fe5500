import type { Prediction } from '../../analytics/answers.ts';
import { type Answer, watchThese } from '../../answers/answer.ts';
import { zonedTime } from '../../answers/formatting/times.ts';
import { percent, vesselShort } from '../../answers/formatting/words.ts';
import { clip } from '../../answers/message.ts';
import { plain } from '../../answers/text.ts';
import { UserError } from '../../errors.ts';
import { isDrawable, type MapPicture, type MapPlace, maxPlaces } from '../../pictures/map-picture.ts';
import type { Imo } from '../../reference/codes.ts';
import { type Port, portLabel, portName, portOf } from '../../reference/ports.ts';
import type { AskCtx } from '../ctx.ts';
import {
  askNextPorts,
  forecastOf,
  imoNote,
  nextCall,
  readAsUtc,
  type VesselPredictions,
  vesselNotes,
  zoneNotes,
} from './predictions.ts';
import {
  candidatesOf,
  isListed,
  minListed,
  noPrediction,
  toVerdict,
  verdictOf,
  whoIsComing,
} from './vessel-answer.ts';
import { formatCompare, formatHistory, formatVessel } from './words.ts';

/** The candidate ports on a map. Throws UserError where Slack could not fetch the picture. */
export async function askMap(imo: Imo, ctx: AskCtx): Promise<Answer> {
  const { services, source } = ctx;
  const { pictures } = services;
  if (!pictures) throw noPictures(imo, ctx);
  const found = await askNextPorts(imo, ctx);
  const [first, ...others] = found.predictions;
  if (!first) return noPrediction(found);
  const now = ctx.now();
  const picture = mapOf({ ...found, predictions: [first, ...others] }, { source, now });
  return mapAnswer(found, { first, now, picture, url: pictures.urlOf(picture) });
}

interface Drawn {
  now: Date;
  first: Prediction;
  picture: MapPicture;
  url: string;
}

function mapAnswer(found: VesselPredictions, { now, first, picture, url }: Drawn): Answer {
  const one = { imo: found.vessel.imo, page: 1 };
  return {
    verdict: toVerdict(verdictOf(found, now), now),
    sections: [{ kind: 'image', url, alt: inWords(picture), data: candidatesOf(found, { said: [first] }) }],
    notes: [...vesselNotes(found.vessel), first.port, ...zoneNotes([first])],
    ...forecastOf(found),
    nextCall: nextCall(found.predictions),
    actions: {
      about: vesselShort(found.vessel),
      watch: watchThese(one.imo),
      runs: [whoIsComing(first.port), { label: 'Next ports', line: formatVessel(one) }],
      more: [
        { label: 'History', line: formatHistory(one) },
        { label: 'Compare both forecasts', line: formatCompare(one) },
      ],
    },
  };
}

/** All that the picture shows, for people who can't see it. */
function inWords({ title, subtitle, badge, places, notes }: MapPicture): string {
  const ranked = places.map(
    ({ name, share, detail, at }, index) =>
      `${index + 1} ${name} ${share}, ${detail}${at ? '' : ' (not on the map: position not known here)'}`,
  );
  return [`Map of ${title}: ${ranked.join('; ')}`, subtitle, ...notes, ...(badge ? [badge] : [])].join('. ');
}

function noPictures(imo: Imo, { vessels, place }: AskCtx): UserError {
  const inSlack = {
    message: "I can't show maps here.",
    hint: "Slack has to fetch a picture from the bot, and the settings don't say at which address. Whoever runs Landfall can set PUBLIC_URL.",
  };
  const inTerminal = { message: 'Maps are shown in Slack only.' };
  return new UserError({
    code: 'no-pictures',
    ...(place ? inSlack : inTerminal),
    choices: [
      { label: `Next ports of ${vessels.nameOf(imo) ?? `IMO ${imo}`}`, line: formatVessel({ imo, page: 1 }) },
    ],
  });
}

type Found = Pick<VesselPredictions, 'vessel' | 'fetchedAt'> & {
  predictions: readonly [Prediction, ...Prediction[]];
};

/** The candidate ports with probability and ETA, in the words of the picture. */
export function mapOf(
  { vessel, predictions, fetchedAt }: Found,
  { source, now }: { source: AskCtx['source']; now: Date },
): MapPicture {
  const shown = predictions.filter(isListed(predictions[0])).slice(0, maxPlaces);
  const hidden = predictions.filter((prediction) => !shown.includes(prediction));
  const name = plain(vesselShort(vessel)).trim();
  const isNamed = vessel.name !== undefined && name !== '' && isDrawable(name);
  const details = [...(isNamed ? [imoNote(vessel)] : []), ...hiddenNote(hidden)].join(' · ');
  const isZoneAssumed = shown.some(({ eta, etaZone }) => eta && etaZone === 'assumed-utc');
  return {
    title: isNamed ? name : `IMO ${vessel.imo}`,
    subtitle: `Likely next ports · forecast as of ${zonedTime(fetchedAt, 'UTC', now)} UTC`,
    ...(source === 'sandbox' && { badge: 'invented data' }),
    places: shown.map((prediction) => placeOf(prediction, shown, now)),
    notes: [
      'No position or route: the service gives none',
      ...(details === '' ? [] : [details]),
      ...(isZoneAssumed ? [`ETAs: ${readAsUtc}`] : []),
    ],
  };
}

function hiddenNote([first, ...others]: readonly Prediction[]): string[] {
  if (!first) return [];
  const { probability } = first;
  const bound =
    probability < minListed ? `under ${percent(minListed)}` : `at ${percent(probability)} or less`;
  return [`${others.length + 1} more ${bound}`];
}

function placeOf(
  { port: locode, probability, eta }: Prediction,
  all: readonly Prediction[],
  now: Date,
): MapPlace {
  const port = portOf(locode);
  const isNameShared = all.some((other) => other.port !== locode && portName(other.port) === port?.name);
  const clock = port?.zone === undefined ? 'UTC' : 'LT';
  const { latitude, longitude } = port ?? ({} as Partial<Port>);
  return {
    name: clip(isNameShared ? portLabel(locode) : portName(locode), 40),
    share: percent(probability).replaceAll('\u00a0', ' '),
    // No more than the picture shows.
    weight: Math.min(1, Math.round(probability * 100) / 100),
    detail: eta ? `${zonedTime(eta, port?.zone ?? 'UTC', now)} ${clock}` : 'ETA not given',
    ...(latitude !== undefined && longitude !== undefined && { at: [latitude, longitude] }),
  };
}
