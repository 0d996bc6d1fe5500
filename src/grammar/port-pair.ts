import { UserError } from '../errors.ts';
import { findCarriers } from '../reference/carriers.ts';
import type { Locode } from '../reference/locode.ts';
import { type Port, samePort } from '../reference/ports.ts';
import { type LineHelp, quote } from './line-help.ts';
import { ambiguousPort, formatPort, type ReadPort, readPort, unknownPort } from './port.ts';

interface PortPair {
  origin: Locode;
  destination: Locode;
}

const separators = [
  /\s*(?:→|⇒|->|=>|>)\s*/g,
  /\s+to\s+/gi,
  /\s*[/;]\s*/g,
  /\s+-+\s+/g,
  /\s*,\s*/g,
  /-/g,
  /\s+/g,
];

/**
 * Two ports: `Singapore Xiamen`, `SGSIN → CNXAM`, `SGSIN-CNXAM`, `from Singapore to Xiamen`, `Hong Kong Los
 * Angeles`. Throws UserError: missing-argument, unknown-port, ambiguous-port, same-port, unexpected-words.
 */
export function parsePortPair(text: string, help: LineHelp): PortPair {
  const typed = text.trim().replace(/^from\s+/i, '');
  const splits = splitsOf(typed);
  const split =
    splits.find(({ kinds }) => kinds === 'one one') ?? splits.find(({ kinds }) => !kinds.includes('none'));
  if (!split) throw unreadable(typed, splits, help);
  const { origin, destination } = split;
  if (origin.read.kind === 'several')
    throw ambiguousPort(origin.text, origin.read.ports, originHelp(split, help));
  if (destination.read.kind === 'several')
    throw ambiguousPort(destination.text, destination.read.ports, destinationHelp(split, help));
  if (origin.read.kind !== 'one' || destination.read.kind !== 'one') throw unreadable(typed, splits, help);
  return different({ origin: origin.read.port, destination: destination.read.port }, help);
}

/** `SGSIN CNXAM`. */
export function formatPortPair({ origin, destination }: PortPair): string {
  const [from, to] = [formatPort(origin), formatPort(destination)];
  return from.includes(' ') || to.includes(' ') ? `${from} to ${to}` : `${from} ${to}`;
}

interface Side {
  text: string;
  read: ReadPort;
}

interface Split {
  origin: Side;
  destination: Side;
  kinds: string;
}

/** Every way to split the words in two, the clearest separators first. The bounds limit the work on long nonsense. */
function splitsOf(typed: string): Split[] {
  if (typed.length > 200) return [];
  return separators.flatMap((separator) =>
    [...typed.matchAll(separator)].slice(0, 12).flatMap((match) => {
      const origin = side(typed.slice(0, match.index));
      const destination = side(typed.slice(match.index + match[0].length));
      if (origin.text === '' || destination.text === '') return [];
      return [{ origin, destination, kinds: `${origin.read.kind} ${destination.read.kind}` }];
    }),
  );
}

function side(words: string): Side {
  const text = words.replace(/[,\s]+$/, '').trim();
  return { text, read: readPort(text) };
}

/** The most helpful error: a split with one valid side shows what is wrong with the other. */
function unreadable(typed: string, splits: readonly Split[], help: LineHelp): UserError {
  if (typed === '' || readPort(typed).kind !== 'none') return missing(typed, help);
  const extra = unexpectedWords(typed, help);
  if (extra) return extra;
  const half =
    splits.find(({ origin, destination }) => origin.read.kind !== 'none' && isNear(destination.read)) ??
    splits.find(({ origin, destination }) => isNear(origin.read) && destination.read.kind !== 'none') ??
    splits.findLast(({ origin }) => origin.read.kind !== 'none') ??
    splits.find(({ destination }) => destination.read.kind !== 'none') ??
    splits.find(({ origin, destination }) => isNear(origin.read) && isNear(destination.read));
  if (!half) return missing(typed, help);
  return half.origin.read.kind === 'none'
    ? unknownPort(half.origin.text, half.origin.read.nearest, originHelp(half, help))
    : unknownPort(half.destination.text, nearestOf(half.destination), destinationHelp(half, help));
}

/** `Singapore Xiamen mearsk`: two ports, followed by neither a carrier nor a period. */
function unexpectedWords(typed: string, help: LineHelp): UserError | undefined {
  const words = typed.split(' ').slice(0, 10);
  for (let count = words.length - 1; count >= 2; count -= 1) {
    const beginning = words.slice(0, count).join(' ');
    const split = splitsOf(beginning).find(({ kinds }) => kinds === 'one one');
    if (!split) continue;
    const pair = `${best(split.origin)} to ${best(split.destination)}`;
    const rest = typed.slice(beginning.length).trim();
    const found = findCarriers(rest);
    const nearest = found.kind === 'none' ? found.nearest : [];
    const endings = nearest.length > 0 ? [] : (help.nearestEnding?.(rest) ?? []);
    return new UserError({
      code: nearest.length > 0 ? 'unknown-carrier' : 'unexpected-words',
      message: `I can read ${quote(beginning.replace(/[,;]+$/, ''))} as two ports, but not ${quote(rest)} after them.`,
      hint: 'Carriers and a period can follow the ports.',
      choices: [
        ...nearest.map(({ name, scac }) => ({
          label: `${name} (${scac})`,
          line: help.line(`${pair} ${scac}`),
        })),
        ...endings.map((fixed) => ({ label: fixed, line: help.line(`${pair} ${fixed}`) })),
        { label: pair, line: help.line(pair) },
      ],
      example: help.example,
    });
  }
  return undefined;
}

const nearestOf = ({ read }: Side): readonly Port[] => (read.kind === 'none' ? read.nearest : []);

const isNear = (read: ReadPort): boolean => read.kind === 'none' && read.nearest.length > 0;

const originHelp = ({ destination }: Split, help: LineHelp): LineHelp => ({
  ...help,
  line: (fixed) => help.line(`${fixed} to ${best(destination)}`),
});

const destinationHelp = ({ origin }: Split, help: LineHelp): LineHelp => ({
  ...help,
  line: (fixed) => help.line(`${best(origin)} to ${fixed}`),
});

/** The other side in a choice's line: its code where it is clear, else the nearest port's, so that the line is valid. */
function best({ text, read }: Side): string {
  if (read.kind === 'one') return formatPort(read.port);
  const [nearest] = read.kind === 'none' ? read.nearest : [];
  return nearest ? formatPort(nearest.locode) : text;
}

const missing = (typed: string, help: LineHelp): UserError =>
  new UserError({
    code: 'missing-argument',
    message: messageOf(typed),
    hint: 'Origin first, then destination, by name or UN/LOCODE.',
    example: help.example,
  });

function messageOf(typed: string): string {
  if (typed === '') return 'From which port to which?';
  return readPort(typed).kind === 'none'
    ? `I can't find two ports in ${quote(typed)}.`
    : `From ${quote(typed)} to which port?`;
}

function different(pair: PortPair, help: LineHelp): PortPair {
  if (!samePort(pair.origin, pair.destination)) return pair;
  throw new UserError({
    code: 'same-port',
    message: 'Origin and destination are the same port.',
    example: help.example,
  });
}
