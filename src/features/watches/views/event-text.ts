import { isUndecided, percent } from '../../../messages/formatting/probability.ts';
import { duration, portTime, untilEta } from '../../../messages/formatting/times.ts';
import { vesselListed } from '../../../messages/formatting/vessel-label.ts';
import { escaped } from '../../../messages/mrkdwn.ts';
import type { Imo } from '../../../reference/imo.ts';
import type { Locode } from '../../../reference/locode.ts';
import { portLabel, portOf } from '../../../reference/ports.ts';
import type { Prospect } from '../../../reference/stored-values.ts';
import type { Baseline } from '../evaluation/state.ts';

export { isUndecided, percent };

/** What a rule says of its event, escaped, without markup: what has happened, then what belongs to it. */
export interface EventText {
  headline: string;
  /** Its first word is a name or an abbreviation, and has its capital within a sentence too. */
  startsWithName?: boolean;
  /** Goes on after the headline, on its line: `; Rotterdam (NLRTM) 15%.` A full stop where left out. */
  rest?: string;
  details?: readonly string[];
}

export interface EventTextContext {
  now: Date;
  /** Not escaped. */
  nameOf: (imo: Imo) => string | undefined;
}

export const portText = ({ port }: { port: Locode }): string => escaped(portLabel(port));

export const chance = (prospect: Prospect): string =>
  `${portText(prospect)}, ${percent(prospect.probability)}`;

/** `Sun 22 Nov 08:05 LT (07:05 UTC)`. */
export const timeAt = (port: Locode, at: Date, now: Date): string => portTime(at, portOf(port)?.zone, now);

/** `ETA Sun 22 Nov 08:05 LT (07:05 UTC), in 22 h`. */
export function etaText({ port, eta }: Prospect, now: Date): string {
  if (!eta) return 'ETA not given';
  return `ETA ${timeAt(port, eta, now)}, ${untilEta(eta, now).replace(/^ETA /, '')}`;
}

/** `You were last notified of Rotterdam (NLRTM), 82%, Mon 23 Nov 15:05 LT (14:05 UTC).` */
export function lastNotified(was: Baseline, now: Date): string {
  const when = was.eta ? timeAt(was.port, was.eta, now) : 'ETA not given';
  return `You were last notified of ${chance(was)}, ${when}.`;
}

export function movedBy(was: Baseline, current: Prospect): string {
  const movedMs = was.eta && current.eta ? Math.abs(current.eta.getTime() - was.eta.getTime()) : 0;
  return duration(Math.round(movedMs / 60_000));
}

export const durationTo = (time: Date, now: Date): string =>
  duration(Math.max(0, Math.round((time.getTime() - now.getTime()) / 60_000)));

/** With its day: a message is read for longer than one. `Sat 21 Nov 09:05 UTC`. */
export const stamp = (time: Date, now: Date): string => portTime(time, undefined, now);

export const listedText = (imo: Imo, { nameOf }: Pick<EventTextContext, 'nameOf'>): string =>
  escaped(vesselListed(knownVessel(imo, nameOf)));

export function knownVessel(imo: Imo, nameOf: EventTextContext['nameOf']) {
  const name = nameOf(imo);
  return name === undefined ? { imo } : { imo, name };
}
