import type { UserError } from '../errors.ts';
import { nearestCarriers } from '../reference/carriers.ts';
import type { Locode } from '../reference/locode.ts';
import { nearestPorts, samePort } from '../reference/ports.ts';
import { type LineHelp, quote, wordsError } from './line-help.ts';
import { ambiguousPort, formatPort, type PortReading, readPort, unknownPort } from './port.ts';

interface PortPair {
  origin: Locode;
  destination: Locode;
}

/** The clearest first. */
const separators = [
  /\s*(?:→|⇒|->|=>|>)\s*/g,
  /\s+(?:to|and)\s+/gi,
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
  const typed = text.trim().replace(/^(?:from|between)\s+/i, '');
  const splits = splitsOf(typed);
  const split = splits.find(isClear) ?? splits.find(isPossible);
  if (!split) throw unreadable(typed, splits, help);
  const origin = portOfSide(split, 'origin', help);
  const destination = portOfSide(split, 'destination', help);
  checkDifferent({ origin, destination }, help);
  return { origin, destination };
}

/** Throws UserError same-port. */
export function checkDifferent({ origin, destination }: PortPair, help: LineHelp): void {
  if (samePort(origin, destination))
    throw wordsError('same-port', 'Origin and destination are the same port.', help);
}

/** `SGSIN CNXAM`, but `DO VER to SGSIN`: formatPort writes some codes with a space. */
export function formatPortPair({ origin, destination }: PortPair): string {
  const [from, to] = [formatPort(origin), formatPort(destination)];
  return from.includes(' ') || to.includes(' ') ? `${from} to ${to}` : `${from} ${to}`;
}

interface Side {
  text: string;
  read: PortReading;
}

interface Split {
  origin: Side;
  destination: Side;
}

const isClear = ({ origin, destination }: Split): boolean =>
  origin.read.kind === 'one' && destination.read.kind === 'one';

/** Each side may mean one port or several. */
const isPossible = ({ origin, destination }: Split): boolean =>
  origin.read.kind !== 'none' && destination.read.kind !== 'none';

/** Every way to split the words in two, the clearest separators first, then the shortest origins. */
function splitsOf(typed: string): Split[] {
  // This limit and the one below bound the time for long texts.
  if (typed.length > 200) return [];
  return separators.flatMap((separator) =>
    [...typed.matchAll(separator)].slice(0, 12).flatMap((match) => {
      const origin = readSide(typed.slice(0, match.index));
      const destination = readSide(typed.slice(match.index + match[0].length));
      if (origin.text === '' || destination.text === '') return [];
      return [{ origin, destination }];
    }),
  );
}

function readSide(words: string): Side {
  const text = words.replace(/[,\s]+$/, '').trim();
  return { text, read: readPort(text) };
}

function portOfSide(split: Split, side: keyof PortPair, help: LineHelp): Locode {
  const { text, read } = split[side];
  if (read.kind === 'one') return read.port;
  const sideHelp = helpFor(split, side, help);
  throw read.kind === 'several' ? ambiguousPort(text, read.ports, sideHelp) : unknownPort(text, sideHelp);
}

/** The most helpful error. If one side of a split is valid, the error is about the other side. */
function unreadable(typed: string, splits: readonly Split[], help: LineHelp): UserError {
  if (typed === '') return missingPort('From which port to which?', help);
  if (readPort(typed).kind !== 'none') return missingPort(`From ${quote(typed)} to which port?`, help);
  const extra = unexpectedWords(typed, help);
  if (extra) return extra;
  // Best a split with one valid side and one similar to a port; else the valid side with the most words counts.
  const bestSplit =
    splits.find(({ origin, destination }) => origin.read.kind !== 'none' && isNear(destination)) ??
    splits.find(({ origin, destination }) => isNear(origin) && destination.read.kind !== 'none') ??
    splits.findLast(({ origin }) => origin.read.kind !== 'none') ??
    splits.find(({ destination }) => destination.read.kind !== 'none') ??
    splits.find(({ origin, destination }) => isNear(origin) && isNear(destination));
  if (!bestSplit) return missingPort(`I can't find two ports in ${quote(typed)}.`, help);
  const side = bestSplit.origin.read.kind === 'none' ? 'origin' : 'destination';
  return unknownPort(bestSplit[side].text, helpFor(bestSplit, side, help));
}

const missingPort = (message: string, help: LineHelp): UserError =>
  wordsError('missing-argument', message, help, {
    hint: 'Origin first, then destination, by name or UN/LOCODE.',
  });

/** `Singapore Xiamen mearsk`: two ports, followed by neither a carrier nor a period. */
function unexpectedWords(typed: string, help: LineHelp): UserError | undefined {
  const words = typed.split(' ').slice(0, 10);
  for (let count = words.length - 1; count >= 2; count -= 1) {
    const beginning = words.slice(0, count).join(' ');
    const split = splitsOf(beginning).find(isClear);
    if (!split) continue;
    const pair = `${best(split.origin)} to ${best(split.destination)}`;
    const ending = typed.slice(beginning.length).trim();
    const carriers = nearestCarriers(ending);
    const periods = carriers.length > 0 ? [] : (help.nearestEnding?.(ending) ?? []);
    const code = carriers.length > 0 ? 'unknown-carrier' : 'unexpected-words';
    const message = `I can read ${quote(beginning.replace(/[,;]+$/, ''))} as two ports, but not ${quote(ending)} after them.`;
    return wordsError(code, message, help, {
      hint: 'Carriers and a period can follow the ports.',
      choices: [
        ...carriers.map(({ name, scac }) => ({
          label: `${name} (${scac})`,
          line: help.line(`${pair} ${scac}`),
        })),
        ...periods.map((fixed) => ({ label: fixed, line: help.line(`${pair} ${fixed}`) })),
        { label: pair, line: help.line(pair) },
      ],
    });
  }
  return undefined;
}

const isNear = ({ text, read }: Side): boolean => read.kind === 'none' && nearestPorts(text).length > 0;

/** For an error about one side. The lines that it offers keep the other side. */
const helpFor = ({ origin, destination }: Split, side: keyof PortPair, help: LineHelp): LineHelp => ({
  ...help,
  line: (fixed) =>
    help.line(side === 'origin' ? `${fixed} to ${best(destination)}` : `${best(origin)} to ${fixed}`),
});

/** For the line of a choice: the code of the port, or of the port with the most similar name. */
function best({ text, read }: Side): string {
  if (read.kind === 'one') return formatPort(read.port);
  const [nearest] = read.kind === 'none' ? nearestPorts(text) : [];
  return nearest ? formatPort(nearest.locode) : text;
}
