import type { Locode } from '../../reference/locode.ts';
import { portOf } from '../../reference/ports.ts';
import { dateToken } from '../mrkdwn.ts';
import { fullUtcTime, portTime, untilEta } from './times.ts';

interface Expected {
  port: Locode;
  eta?: Date;
  etaZone?: 'given' | 'assumed-utc';
}

/** `Mon 23 Nov 15:05 LT (14:05 UTC) · in 2 d 5 h`, with a note for each unknown zone. */
export function etaLine({ eta, port, etaZone }: Expected, now: Date): string {
  if (eta === undefined) return 'ETA not given';
  const zone = portOf(port)?.zone;
  return [
    portTime(eta, zone, now),
    ...(zone === undefined ? ["port's zone not known here"] : []),
    ...(etaZone === 'assumed-utc' ? ['zone assumed UTC'] : []),
    untilEta(eta, now),
  ].join(' · ');
}

/** The same moment in the reader's own zone, as Slack shows it: `yours: …`. Mrkdwn. */
export function yourTime(eta: Date): string {
  return `yours: ${dateToken(eta, fullUtcTime(eta))}`;
}
