import { ownLines, type UserError } from '../../errors.ts';
import { joinWords, quote, wordsError } from '../../grammar/line.ts';
import { isPeriod } from '../../grammar/mentions.ts';
import { formatPorts, isGroupName, readPort } from '../../grammar/port.ts';
import { commandWords } from '../../grammar/vessel-directory.ts';
import { findCarrier } from '../../reference/carriers.ts';
import { isLocode, type Locode } from '../../reference/codes.ts';
import { isKnownPort, portInCountry } from '../../reference/ports.ts';
import type { ParseContext } from '../ctx.ts';

export interface GroupChange {
  /** In capitals. */
  name: string;
  /** `set` asks before it changes a group that somebody else has set; `replace` doesn't. */
  change: 'set' | 'replace' | 'add' | 'remove' | 'forget';
  /** Those that are named; empty to forget the group. */
  ports: readonly Locode[];
}

export const groupExample = `${ownLines.ports} ARA Rotterdam, Antwerp, Amsterdam`;

export const formatGroups = (): string => ownLines.ports;

export const formatGroup = (name: string): string => joinWords(ownLines.ports, name);

export const formatChange = ({ name, change, ports }: GroupChange): string =>
  joinWords(ownLines.ports, name, change === 'set' ? '' : change, formatPorts(ports));

/** `ports:ara` → `ARA`. Throws UserError for a text that can't be the name of a group. */
export function readName(typed: string): string {
  const name = typed.replace(/^ports\s*:\s*|^"|"$/gi, '').replace(/[:=,]+$/, '');
  if (isGroupName(name)) return name.toUpperCase();
  const joined = name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^[-\d]+|-+$/g, '');
  throw badName(name, 'a name is one word of 2 to 20 letters and figures that begins with a letter', [
    ...(isGroupName(joined) ? [joined.toUpperCase()] : []),
  ]);
}

/** Throws UserError for a name that means something else where a port is typed. */
export function checkName(name: string, { vessels, commands = [] }: ParseContext): void {
  const fault = faultOf(name, vessels) ?? (isWord(name, commands) ? 'it is a word of a command' : undefined);
  if (fault !== undefined) throw badName(name, fault, [`${name}-PORTS`].filter(isGroupName));
}

function faultOf(name: string, vessels: ParseContext['vessels']): string | undefined {
  const read = readPort(name);
  const [vessel] = [...vessels.named(name), ...vessels.referenced(name)];
  const carrier = findCarrier(name);
  if (read.kind === 'one' && isKnownPort(read.port)) return `it means the port ${portInCountry(read.port)}`;
  if (read.kind === 'several') return 'it is the name of several ports';
  if (isPeriod(name.toLowerCase())) return 'it is a time';
  if (isLocode(name)) return 'it has the shape of a UN/LOCODE';
  if (vessel) return `it means a vessel (IMO ${vessel.imo})`;
  return carrier && `it is the carrier ${carrier.name}`;
}

const isWord = (name: string, commands: readonly { name: string; verbs?: readonly string[] }[]): boolean =>
  commandWords.has(name) ||
  otherWords.has(name) ||
  commands.some((command) => [command.name, ...(command.verbs ?? [])].includes(name.toLowerCase()));

/** Words of lines that name ports. */
const otherWords: ReadonlySet<string> = new Set(
  'OF IN ON THE FOR WITH IS ARE WHICH WHAT WHO OUR MY THAT THESE ADD REMOVE REPLACE FORGET DELETE SHOW AND OR TO AT FROM BY MIN PAGE PUBLIC PRIVATE MINE HERE PORT PORTS FLEET VERSUS CARRIERS AS ETA DUE ONLY BELOW QUIET ARRIVING OVERDUE DIVERTED LOST EXPECTED UNTIL SINCE'.split(
    ' ',
  ),
);

const badName = (name: string, fault: string, instead: readonly string[]): UserError =>
  wordsError(
    'unexpected-words',
    `${quote(name)} can't name a group of ports: ${fault}.`,
    { line: (fixed) => `${ownLines.ports} ${fixed}`, example: groupExample },
    {
      ...(instead.length > 0 && { hint: `${instead.join(' or ')} would do.` }),
    },
  );

/** For an error about the ports. */
export const helpFor = (name: string, change: GroupChange['change']) => ({
  example: groupExample,
  line: (fixed: string) => joinWords(ownLines.ports, name, change === 'set' ? '' : change, fixed),
});
