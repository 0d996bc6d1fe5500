import { percent } from '../../../messages/formatting/probability.ts';
import { portTime, untilEta } from '../../../messages/formatting/times.ts';
import { vesselListed } from '../../../messages/formatting/vessel-label.ts';
import { escaped } from '../../../messages/mrkdwn.ts';
import type { Imo } from '../../../reference/imo.ts';
import type { Locode } from '../../../reference/locode.ts';
import { portLabel, portOf } from '../../../reference/ports.ts';
import type { Prospect } from '../../../reference/stored-values.ts';
import { knownVessel } from '../../run-context.ts';
import type { Baseline } from '../evaluation/state.ts';

/** An event in words: escaped, without markup. */
export interface EventText {
  headline: string;
  /** The headline begins with a name, so its first letter stays a capital within a sentence. */
  startsWithName?: boolean;
  /** Ends the headline's line: `; Rotterdam (NLRTM) 15%.` Default: a full stop. */
  rest?: string;
  details?: readonly string[];
  /** The event is about an ETA, so the card shows the ETA before it instead of the port before it. */
  isAboutEta?: boolean;
}

export interface EventTextContext {
  now: Date;
  /** Names aren't escaped. */
  nameOf: (imo: Imo) => string | undefined;
}

export const portText = ({ port }: { port: Locode }): string => escaped(portLabel(port));

export const prospectText = (prospect: Prospect): string =>
  `${portText(prospect)}, ${percent(prospect.probability)}`;

/** `Sun 22 Nov 08:05 LT (07:05 UTC)`. */
export const timeAt = (port: Locode, at: Date, now: Date): string => portTime(at, portOf(port)?.zone, now);

export const etaInWords = ({ port, eta }: Pick<Prospect, 'port' | 'eta'>, now: Date): string =>
  eta ? timeAt(port, eta, now) : 'ETA not given';

/** `ETA Sun 22 Nov 08:05 LT (07:05 UTC), in 22 h`; `…, 3 h past ETA`. */
export const etaText = ({ port, eta }: Prospect, now: Date): string =>
  eta ? `ETA ${timeAt(port, eta, now)}, ${untilEta(eta, now)}` : 'ETA not given';

/** `You were last notified of Rotterdam (NLRTM), 82%, Mon 23 Nov 15:05 LT (14:05 UTC).` */
export const lastNotified = (baseline: Baseline, now: Date): string =>
  `You were last notified of ${prospectText(baseline)}, ${etaInWords(baseline, now)}.`;

/** `Sat 21 Nov 09:05 UTC`. It names the day even for today, because messages are read on later days too. */
export const stamp = (time: Date, now: Date): string => portTime(time, undefined, now);

/** `DS CYPRESS (9461477)`, escaped. */
export const vesselText = (imo: Imo, names: Pick<EventTextContext, 'nameOf'>): string =>
  escaped(vesselListed(knownVessel(imo, names)));
