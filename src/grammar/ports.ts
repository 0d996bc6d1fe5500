import type { UserError } from '../errors.ts';
import { isLocode, type Locode } from '../reference/locode.ts';
import { canonicalPort, findPorts, isPortName, portName } from '../reference/ports.ts';
import { type LineHelp, quote, wordsError } from './line-help.ts';
import { formatPort, parsePort, readPort } from './port.ts';

/** In one question: Slack's charts draw as many series. */
export const maxPorts = 6;

/**
 * One to six ports, separated by commas, semicolons, `and`, `or`, `&` or `+` (codes also by spaces); in the typed order, each
 * port once. `Portland, US` is one port. Throws what parsePort throws, and too-many-ports.
 */
export function parsePorts(text: string, help: LineHelp): [Locode, ...Locode[]] {
  const pieces = groupsOf(text).flatMap(joinPlaces);
  const unseparated = pieces.length === 1 ? portsBetweenSpaces(pieces[0] ?? '') : [];
  if (unseparated.length > 1) throw withoutCommas(text, unseparated, help);
  const last = pieces.at(-1) ?? '';
  // In `Rotterdam, tomorow` the last word is rather a misspelt period.
  if (pieces.length > 1 && readPort(last).kind === 'none' && help.nearestEnding?.(last).length) {
    const [before = '', others] = [pieces.at(-2), pieces.slice(0, -2)];
    parsePort(`${before}, ${last}`, { ...help, line: (fixed) => help.line([...others, fixed].join(', ')) });
  }
  const ports = pieces.map((piece, index) =>
    parsePort(piece, { ...help, line: (fixed) => help.line(pieces.with(index, fixed).join(', ')) }),
  );
  const [first, ...others] = [...Map.groupBy(ports, canonicalPort).values()].flatMap(([port]) => port ?? []);
  if (first === undefined) return [parsePort('', help)]; // Throws missing-argument.
  if (others.length >= maxPorts) throw tooMany([first, ...others], help);
  return [first, ...others];
}

/** `NLRTM, BEANR`. */
export const formatPorts = (ports: readonly Locode[]): string => ports.map(formatPort).join(', ');

/** The parts of the text between `and`, `+` and the like; each may have commas. */
function groupsOf(text: string): string[] {
  const typed = text.trim();
  const words = typed.split(/\s+/);
  if (words.every(isWrittenAsCode)) return words;
  return typed
    .split(/\s*[;&+]\s*|\s*,?\s+(?:and|or)\s+/i)
    .map((part) => part.replace(/^[\s,]+|[\s,]+$/g, ''))
    .filter(Boolean);
}

/** Splits at commas, but not in `Portland, Oregon, US` and `Portland, US (USPWM)`. */
function joinPlaces(group: string): string[] {
  const pieces = group.split(/\s*,\s*/).filter(Boolean);
  const places: string[] = [];
  for (let at = 0; at < pieces.length; ) {
    const count = [3, 2].find((length) => isOnePlace(pieces.slice(at, at + length))) ?? 1;
    places.push(pieces.slice(at, at + count).join(', '));
    at += count;
  }
  return places;
}

/** The pieces are the name of a port, its country, and perhaps its region: not `Antwerp, Rotterdam (NLRTM)`. */
function isOnePlace(pieces: readonly string[]): boolean {
  const [first = '', second] = pieces;
  if (second === undefined || isWrittenAsCode(first.replace(/\s/, ''))) return false;
  return findPorts(pieces.join(', ').replace(/\s*\(\w{5}\)$/, '')).kind !== 'none';
}

/** `Rotterdam Le Havre`: the longest names first. None if that is one port, or if not every word belongs to a port. */
function portsBetweenSpaces(typed: string): Locode[] {
  const words = typed.split(' ');
  if (words.length > 4 * maxPorts || readPort(typed).kind !== 'none') return [];
  const ports: Locode[] = [];
  for (let at = 0; at < words.length; ) {
    const readings = [4, 3, 2, 1].map((count) => ({
      count,
      found: findPorts(words.slice(at, at + count).join(' ')),
    }));
    const longest = readings.find(({ found }) => found.kind === 'one');
    if (longest?.found.kind !== 'one') return [];
    ports.push(longest.found.port.locode);
    at += longest.count;
  }
  return ports;
}

const withoutCommas = (typed: string, ports: readonly Locode[], help: LineHelp): UserError =>
  wordsError(
    'unexpected-words',
    `${quote(typed)} can be ${ports.length} ports. Put commas between them.`,
    help,
    {
      choices: [{ label: ports.map(portName).join(', '), line: help.line(formatPorts(ports)) }],
    },
  );

const isWrittenAsCode = (word: string): boolean => isLocode(word) && !isPortName(word);

const tooMany = (ports: readonly Locode[], help: LineHelp): UserError =>
  wordsError(
    'too-many-ports',
    `${ports.length} ports are too many for one question: at most ${maxPorts}.`,
    help,
    {
      hint: 'Ask for the others in a second question.',
      choices: [{ label: `The first ${maxPorts}`, line: help.line(formatPorts(ports.slice(0, maxPorts))) }],
    },
  );
