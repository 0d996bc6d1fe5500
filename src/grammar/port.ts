import { type Choice, UserError } from '../errors.ts';
import { isLocode, type Locode } from '../reference/locode.ts';
import { findPorts, isPortName, type Port, portOf } from '../reference/ports.ts';
import { type LineHelp, quote } from './line-help.ts';

interface ParsedPort {
  port: Locode;
  /** Smaller ports of the same name, offered beside the answer. */
  also: readonly Port[];
}

export type ReadPort =
  | ({ kind: 'one' } & ParsedPort)
  | { kind: 'several'; ports: readonly Port[] }
  | { kind: 'none'; nearest: readonly Port[] };

/**
 * One port, by name or UN/LOCODE (`Rotterdam`, `NLRTM`, `nl rtm`, `Rotterdam (NLRTM)`, `Portland, US`). A code
 * that is unknown here is accepted. Throws UserError: missing-argument, unknown-port, ambiguous-port, unexpected-words.
 */
export function parsePort(text: string, help: LineHelp): ParsedPort {
  const typed = text.trim();
  if (typed === '') {
    throw new UserError({
      code: 'missing-argument',
      message: 'Which port?',
      hint: 'Give a port by its name or its UN/LOCODE, such as NLRTM.',
      example: help.example,
    });
  }
  const found = readPort(typed);
  if (found.kind === 'one') return { port: found.port, also: found.also };
  if (found.kind === 'several') throw ambiguousPort(typed, found.ports, help);
  const extra = unexpectedWords(typed, help);
  // `Rotterdam mon` is like Rotterdam, and more like a port with a period.
  if (extra && (found.nearest.length === 0 || extra.choices.length > 1)) throw extra;
  throw unknownPort(typed, found.nearest, help);
}

/** The code so that it parses again: `DO VER` with a space where the five letters alone are a name. */
export function formatPort(port: Locode): string {
  const read = readPort(port);
  return read.kind === 'one' && read.port === port ? port : `${port.slice(0, 2)} ${port.slice(2)}`;
}

/** `Rotterdam, US (USRAJ)`, `Portland, Oregon, US (USPDX)`: enough to choose between several. */
export function describePort({ name, region, country, locode }: Port): string {
  return `${[name, region, country].filter(Boolean).join(', ')} (${locode})`;
}

/** As parsePort, without errors: for words that may or may not be a port. A name wins over a code (Tokyo, Dover). */
export function readPort(text: string): ReadPort {
  const typed = text.trim().replace(/^"(.*)"$/, '$1');
  if (typed.length > 100) return { kind: 'none', nearest: [] };
  const code = codeOf(typed);
  if (code && !isPortName(typed) && isPlainlyCode(typed, code)) return { kind: 'one', port: code, also: [] };
  const named = findPorts(typed);
  if (named.kind === 'one') return { kind: 'one', port: named.port.locode, also: named.also };
  if (named.kind === 'several') return named;
  const [, label = ''] = /\(([^()]{5,6})\)$/.exec(typed) ?? [];
  const unlikeAnyName = code && /^\w+$/.test(typed) && named.nearest.length === 0 ? code : undefined;
  const port = codeOf(label) ?? unlikeAnyName;
  return port ? { kind: 'one', port, also: [] } : named;
}

/** `NLRTM`, `nl rtm`, `NL-RTM`: well-formed, known or not. */
function codeOf(typed: string): Locode | undefined {
  const code = typed.replace(/^([a-z]{2})[ -](?=[a-z2-9]{3}$)/i, '$1').toUpperCase();
  return isLocode(code) ? code : undefined;
}

/** `tokio` and `at all` are well-formed too: in lower case an unknown code may be a word, or a misspelt name. */
const isPlainlyCode = (typed: string, code: Locode): boolean =>
  portOf(code) !== undefined || typed === typed.toUpperCase();

function choicesOf(ports: readonly Port[], { line }: LineHelp): Choice[] {
  return ports.map((port) => ({ label: describePort(port), line: line(formatPort(port.locode)) }));
}

export const ambiguousPort = (typed: string, ports: readonly Port[], help: LineHelp): UserError =>
  new UserError({
    code: 'ambiguous-port',
    message: `${quote(typed)} can mean several ports. Which one?`,
    choices: choicesOf(ports, help),
    example: help.example,
  });

export const unknownPort = (typed: string, nearest: readonly Port[], help: LineHelp): UserError =>
  new UserError({
    code: 'unknown-port',
    message: `${quote(typed)} isn't a known port.`,
    hint: 'You can also give a port by its UN/LOCODE, such as NLRTM.',
    choices: choicesOf(nearest, help),
    example: help.example,
  });

/** `Rotterdam nxt 3 days`: a port, followed by words that can't follow it. */
function unexpectedWords(typed: string, help: LineHelp): UserError | undefined {
  const words = typed.split(' ').slice(0, 8);
  for (let count = words.length - 1; count > 0; count -= 1) {
    const beginning = words.slice(0, count).join(' ');
    const read = readPort(beginning);
    if (read.kind !== 'one') continue;
    const port = portOf(read.port);
    const ending = typed.slice(beginning.length).trim();
    const corrected = help.nearestEnding?.(ending) ?? [];
    return new UserError({
      code: 'unexpected-words',
      message: `I can read ${quote(beginning.replace(/[,;]+$/, ''))} as a port, but not ${quote(ending)} after it.`,
      choices: [
        ...corrected.map((fixed) => ({ label: fixed, line: help.line(`${formatPort(read.port)} ${fixed}`) })),
        ...(port ? choicesOf([port], help) : []),
      ],
      example: help.example,
    });
  }
  return undefined;
}
