import { differenceInMinutes } from 'date-fns/differenceInMinutes';
import { duration } from '../../../answers/formatting/times.ts';
import {
  type KnownVessel,
  likelihoodMarker,
  percentUnder,
  rivalInWords,
  vesselShort,
} from '../../../answers/formatting/words.ts';
import { joinWithin } from '../../../answers/message.ts';
import { type DueDate, isLate, prospectFor, thresholds } from '../../../predictions/changes.ts';
import { rivalOf } from '../../../predictions/next-port.ts';
import { portName } from '../../../reference/ports.ts';
import type { Prospect } from '../../../reference/prediction.ts';
import { knownVessel } from '../../ctx.ts';
import { wasProbablyCalled } from '../../rules/due.ts';
import { type Memory, vesselStates } from '../../rules/evaluation/state.ts';
import { shortTimeAt, timeAt } from '../../rules/event-text.ts';
import type { WatchNames } from '../../rules/event-words.ts';
import { isOfOneVessel, isOfPort, type WatchWithSubjects } from '../store/watch-list.ts';

const maxLines = 5;

/** 🔴 at risk, 🟠 late; empty if it is in time, or nothing is known. */
type DueMarker = '🔴' | '🟠' | '';

interface DueLine {
  line: string;
  marker: DueMarker;
}

/** Each due date ahead, and whether the latest answer meets it. Not escaped. */
export function dueLines(
  watch: WatchWithSubjects,
  names: Pick<WatchNames, 'nameOf'>,
  now: Date,
): { lines: string[]; urgent: string[]; marker: DueMarker } {
  const vessels = watch.followedSubjects.flatMap(({ latest, state }) =>
    [...(isOfPort(watch) ? [] : (latest ?? []))].map(([imo, ranked]) => {
      return { vessel: knownVessel(imo, names), ranked, memory: vesselStates(state)[imo]?.memory };
    }),
  );
  const ahead = watch.rules.due.filter(({ at }) => at > now);
  const all = linesOf(ahead, { vessels, isOne: isOfOneVessel(watch), now });
  const markers = all.map(({ marker }) => marker);
  return {
    lines: withRest(all),
    urgent: withRest(all.filter(({ marker }) => marker !== '')),
    marker: markers.includes('🔴') ? '🔴' : markers.includes('🟠') ? '🟠' : '',
  };
}

interface PromisedVessel {
  vessel: KnownVessel;
  /** The likeliest port first; empty if nothing is predicted. */
  ranked: readonly Prospect[];
  /** What the rules remember of it. */
  memory?: Memory | undefined;
}

interface Promised {
  vessels: readonly PromisedVessel[];
  /** The watch is about one vessel, which its title names. */
  isOne: boolean;
  now: Date;
}

/** `Rotterdam by Sun 20 Dec 14:00 LT: 🔴 at risk, Le Havre is likelier (77%)`. */
export function linesOf(dates: readonly DueDate[], { vessels, isOne, now }: Promised): DueLine[] {
  const [first] = vessels;
  if (!first) return [];
  return dates.map((due) => {
    const { words, marker } = isOne ? standingOf(due, first, now) : standingOfSeveral(due, vessels, now);
    const line = `${portName(due.port)} by ${timeAt(due.port, due.at, now)}: ${words}`;
    return { line, marker };
  });
}

function withRest(all: readonly DueLine[]): string[] {
  const rest = all.length - maxLines;
  return [
    ...all.slice(0, maxLines).map(({ line }) => line),
    ...(rest > 0 ? [`… and ${rest} more due dates`] : []),
  ];
}

interface Standing {
  words: string;
  marker: DueMarker;
}

/** Never “in time” while the port is unlikely, or another one is likelier. */
function standingOf(due: DueDate, { ranked, memory }: PromisedVessel, now: Date): Standing {
  if (ranked.length === 0) return { words: 'no prediction now', marker: '' };
  const current = prospectFor(due, ranked);
  if (!current && wasProbablyCalled(due, memory))
    return { words: 'no longer predicted, at about its ETA', marker: '' };
  const rival = rivalOf(ranked, due.port);
  const share = percentUnder(current?.probability ?? 0, thresholds.alert.likely);
  const isUnlikely = !current || current.probability < thresholds.alert.likely;
  if (isUnlikely || rival?.isLikelier) {
    const why = rival ? rivalInWords(rival) : `only ${share}`;
    return { words: `🔴 at risk, ${current ? '' : 'not predicted: '}${why}`, marker: '🔴' };
  }
  if (!current.eta) return { words: `ETA not given, ${share}`, marker: '' };
  const minutes = Math.abs(differenceInMinutes(current.eta, due.at));
  if (isLate(due, current)) {
    const late = duration(Math.max(1, minutes));
    const eta = shortTimeAt(current.port, current.eta, now);
    return { words: `🟠 ${late} late, ETA ${eta}, ${share}`, marker: '🟠' };
  }
  const spare = minutes > 0 ? `${duration(minutes)} to spare, ` : '';
  return { words: `in time, ${spare}${share}`, marker: '' };
}

/** A vessel of a fleet that hardly calls there isn't meant, so it is only counted. */
function standingOfSeveral(due: DueDate, vessels: Promised['vessels'], now: Date): Standing {
  const standings = vessels.map((one) => {
    const { vessel, ranked } = one;
    const { probability = 0 } = prospectFor(due, ranked) ?? {};
    const isMeant = likelihoodMarker(probability) !== '⚪';
    return { ...standingOf(due, one, now), name: vesselShort(vessel), isMeant };
  });
  const meant = standings.filter(({ isMeant }) => isMeant);
  const listed = (['🔴', '🟠'] as const).flatMap((marker) => meant.filter((one) => one.marker === marker));
  const inTime = meant.filter(({ marker, words }) => marker === '' && words.startsWith('in time')).length;
  const rest = vessels.length - listed.length - inTime;
  const names = listed.map(
    ({ name, words, marker }) => `${marker} ${name} ${words.slice(marker.length + 1)}`,
  );
  return {
    words: [
      ...(listed.length > 0 ? [joinWithin(names, '; ', 400)] : []),
      ...(inTime > 0 ? [`${inTime} in time`] : []),
      ...(rest > 0 ? [`${rest} unlikely or not predicted there, or without ETA`] : []),
    ].join(' · '),
    marker: listed[0]?.marker ?? '',
  };
}
