import { percent } from '../../../messages/formatting/probability.ts';
import { portTime } from '../../../messages/formatting/times.ts';
import type { Imo } from '../../../reference/imo.ts';
import { portLabel, portOf } from '../../../reference/ports.ts';
import type { Baseline } from '../evaluation/state.ts';
import type { Following } from '../store/watch-list.ts';
import { stamp } from './event-text.ts';

/** As one answer has a port. */
export type Figures = Omit<Baseline, 'at'>;

/** Where a vessel that is followed stands: the baseline's port, with the figures of the last answer. */
export interface PollWithBaseline extends Figures {
  /** The baseline, where the figures are of a later answer and read otherwise. */
  was: Baseline | undefined;
  /** When the figures were notified, where they are not those of the last answer. */
  notifiedAt: Date | undefined;
  /** Another port, ahead in the last answer: it is notified when it stays so. */
  ahead: Figures | undefined;
}

/** Undefined where there is no prediction, and never was one. */
export function standingOf(
  imo: Imo,
  { state, latest, polledAt }: Pick<Following, 'state' | 'latest' | 'polledAt'>,
): PollWithBaseline | undefined {
  const known = state?.kind === 'vessels' ? state.vessels[imo] : undefined;
  if (!known?.baseline) return undefined;
  const { baseline, ended } = known;
  const ranked = ended ? [] : (latest?.get(imo) ?? []);
  const [top] = ranked;
  const ahead = top && top.port !== baseline.port ? top : undefined;
  const current = ranked.find(({ port }) => port === baseline.port);
  if (current) {
    return {
      ...current,
      was: isAlike(current, baseline) ? undefined : baseline,
      notifiedAt: undefined,
      ahead,
    };
  }
  const isOfLastPoll = polledAt !== null && baseline.at.getTime() >= polledAt.getTime();
  return { ...baseline, was: undefined, notifiedAt: isOfLastPoll ? undefined : baseline.at, ahead };
}

/** `Rotterdam (NLRTM) 78%, Sat 21 Nov 14:23 LT (13:23 UTC)`, not escaped. */
export function figuresInWords({ port, probability, eta }: Figures, now: Date): string {
  return `${portLabel(port)} ${percent(probability)}, ${etaInWords({ port, eta }, now)}`;
}

export const etaInWords = ({ port, eta }: Pick<Figures, 'port' | 'eta'>, now: Date): string =>
  eta ? portTime(eta, portOf(port)?.zone, now) : 'ETA not given';

/** What else is to be known of the figures, not escaped: `as notified Sat 21 Nov 13:52 UTC`, `ahead now: …`. */
export function standingNotes({ notifiedAt, ahead }: PollWithBaseline, now: Date): string[] {
  return [
    ...(notifiedAt ? [`as notified ${stamp(notifiedAt, now)}`] : []),
    ...(ahead ? [`ahead now: ${portLabel(ahead.port)} ${percent(ahead.probability)}`] : []),
  ];
}

/** To the minute and the whole percent, as they are shown. */
function isAlike(one: Figures, other: Figures): boolean {
  const minute = ({ eta }: Figures) => eta && Math.floor(eta.getTime() / 60_000);
  return percent(one.probability) === percent(other.probability) && minute(one) === minute(other);
}
