import type { Prediction } from '../../analytics/answers.ts';
import { UserError } from '../../errors.ts';
import { percent } from '../../messages/formatting/probability.ts';
import { zonedTime } from '../../messages/formatting/times.ts';
import { vesselShort } from '../../messages/formatting/vessel-label.ts';
import { clip } from '../../messages/limits.ts';
import { plain } from '../../messages/mrkdwn.ts';
import { isDrawable, type MapPicture, type MapPlace, maxPlaces } from '../../pictures/map-picture.ts';
import type { Imo } from '../../reference/imo.ts';
import { type Port, portLabel, portName, portOf } from '../../reference/ports.ts';
import { askNextPorts, type NextPortsContext } from './answer.ts';
import { imoNote } from './call-words.ts';
import { isListed, minListed } from './view.ts';

/** As `askNextPorts`, with the picture. Throws UserError where Slack could not fetch it. */
export async function askMap(imo: Imo, context: NextPortsContext) {
  const { pictures, source } = context;
  if (!pictures) throw noPictures(imo, context);
  const answer = await askNextPorts(imo, context);
  const [first, ...others] = answer.predictions;
  if (!first) return answer;
  const predictions = [first, ...others] as const;
  const picture = mapOf({ ...answer, predictions }, { source, now: context.now() });
  return { ...answer, kind: 'next-ports-map' as const, predictions, picture, url: pictures.urlOf(picture) };
}

function noPictures(imo: Imo, { vessels, place }: NextPortsContext): UserError {
  const inSlack = {
    message: "I can't show maps here.",
    hint: "Slack has to fetch a picture from the bot, and the settings don't say at which address. Whoever runs Landfall can set PUBLIC_URL.",
  };
  const inTerminal = { message: 'Maps are shown in Slack only.' };
  return new UserError({
    code: 'no-pictures',
    ...(place ? inSlack : inTerminal),
    choices: [{ label: `Next ports of ${vessels.nameOf(imo) ?? `IMO ${imo}`}`, line: `nextport ${imo}` }],
  });
}

type Answer = Pick<Awaited<ReturnType<typeof askNextPorts>>, 'vessel' | 'fetchedAt'> & {
  predictions: readonly [Prediction, ...Prediction[]];
};

/** The candidate ports with probability and ETA, in the words of the picture. */
export function mapOf(
  { vessel, predictions, fetchedAt }: Answer,
  { source, now }: { source: NextPortsContext['source']; now: Date },
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
      ...(isZoneAssumed ? ['ETAs: zone assumed UTC'] : []),
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
