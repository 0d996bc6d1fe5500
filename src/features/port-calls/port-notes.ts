import { otherCodeNote } from '../../messages/frame/small-print.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import type { Locode } from '../../reference/locode.ts';
import { portName, portOf } from '../../reference/ports.ts';
import type { FailedPort } from './several.ts';

/** Escaped. */
export const unknownPort = (port: Locode): { bold: string; rest: string[] } => ({
  bold: `No predictions for ${escaped(portName(port))}`,
  rest: ['none expected, or the service does not know the port'],
});

/** What isn't known of the port, or of the typed code. */
export function portNotes({ port, insteadOf }: { port: Locode; insteadOf?: Locode }): string[] {
  const known = portOf(port);
  return [
    ...(insteadOf ? [otherCodeNote(insteadOf, port)] : []),
    ...(known === undefined ? ['name and zone not known here: times are UTC'] : []),
    ...(known !== undefined && known.zone === undefined ? ['zone not known here: times are UTC'] : []),
  ];
}

/** Leaves room for the answer in the first 80 characters. */
const maxNames = 40;

/** `Rotterdam, Antwerp`; `5 ports` if the names are too long; `2 of 3 ports` if a request failed. Escaped. */
export function portsAsked(answered: readonly { port: Locode }[], failed: readonly FailedPort[]): string {
  const count = answered.length + failed.length;
  if (failed.length > 0) return `${answered.length} of ${count} ports`;
  const names = answered.map(({ port }) => portName(port)).join(', ');
  return names.length <= maxNames ? escaped(names) : `${count} ports`;
}

/** Escaped. */
export const failedLine = ({ port }: FailedPort): string => `🟠 ${escaped(portName(port))}: no answer`;

export const failedNote = (failed: readonly FailedPort[]): string[] =>
  failed.length > 0 ? [`no answer for ${failed.map(({ port }) => port).join(', ')}: press Refresh`] : [];

/** For the menu of an answer about several ports: a watch has one. */
export const watchChoices = (ports: readonly { port: Locode; isUnknown: boolean }[]) =>
  ports
    .filter(({ isUnknown }) => !isUnknown)
    .map(({ port }) => ({ label: `Watch ${portName(port)}`, line: `watch port ${port}` }));
