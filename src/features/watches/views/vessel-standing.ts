import { percent } from '../../../messages/formatting/probability.ts';
import { portTime } from '../../../messages/formatting/times.ts';
import type { Imo } from '../../../reference/imo.ts';
import { portLabel, portOf } from '../../../reference/ports.ts';
import type { VesselState } from '../evaluation/state.ts';
import type { Following } from '../store/watch-list.ts';
import { stamp } from './watch-events.ts';

type Told = NonNullable<VesselState['told']>;
/** As one answer has a port. */
export type Figures = Omit<Told, 'at'>;

/** Where a vessel that is followed stands: the port that was told, with the figures of the last answer. */
export interface Standing extends Figures {
  /** What was told, where the figures are of a later answer and read otherwise. */
  was: Told | undefined;
  /** When the figures were told, where they are not those of the last answer. */
  toldAt: Date | undefined;
  /** Another port, ahead in the last answer: it is told when it stays so. */
  ahead: Figures | undefined;
}

/** Undefined where there is no prediction, and never was one. */
export function standingOf(
  imo: Imo,
  { state, latest, polledAt }: Pick<Following, 'state' | 'latest' | 'polledAt'>,
): Standing | undefined {
  const known = state?.kind === 'vessels' ? state.vessels[imo] : undefined;
  if (!known?.told) return undefined;
  const { told, ended } = known;
  const ranked = ended ? [] : (latest?.get(imo) ?? []);
  const [top] = ranked;
  const ahead = top && top.port !== told.port ? top : undefined;
  const current = ranked.find(({ port }) => port === told.port);
  if (current) {
    return { ...current, was: isAlike(current, told) ? undefined : told, toldAt: undefined, ahead };
  }
  const isOfLastPoll = polledAt !== null && told.at.getTime() >= polledAt.getTime();
  return { ...told, was: undefined, toldAt: isOfLastPoll ? undefined : told.at, ahead };
}

/** `Rotterdam (NLRTM) 78 %, Sat 21 Nov 14:23 LT (13:23 UTC)`, not escaped. */
export function figuresInWords({ port, probability, eta }: Figures, now: Date): string {
  return `${portLabel(port)} ${percent(probability)}, ${etaInWords({ port, eta }, now)}`;
}

export const etaInWords = ({ port, eta }: Pick<Figures, 'port' | 'eta'>, now: Date): string =>
  eta ? portTime(eta, portOf(port)?.zone, now) : 'ETA not given';

/** What else is to be known of the figures, not escaped: `as told Sat 21 Nov 13:52 UTC`, `ahead now: …`. */
export function standingNotes({ toldAt, ahead }: Standing, now: Date): string[] {
  return [
    ...(toldAt ? [`as told ${stamp(toldAt, now)}`] : []),
    ...(ahead ? [`ahead now: ${portLabel(ahead.port)} ${percent(ahead.probability)}`] : []),
  ];
}

/** To the minute and the whole percent, as they are shown. */
function isAlike(one: Figures, other: Figures): boolean {
  const minute = ({ eta }: Figures) => eta && Math.floor(eta.getTime() / 60_000);
  return percent(one.probability) === percent(other.probability) && minute(one) === minute(other);
}
