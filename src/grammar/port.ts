import type { Choice, UserError } from '../errors.ts';
import { isLocode, type Locode } from '../reference/locode.ts';
import { findPorts, isPortName, nearestPorts, type Port, portOf } from '../reference/ports.ts';
import { type LineHelp, quote, wordsError } from './line-help.ts';

export type PortReading =
  | { kind: 'one'; port: Locode }
  | { kind: 'several'; ports: readonly Port[] }
  | { kind: 'none' };

/**
 * One port, by name or UN/LOCODE (`Rotterdam`, `NLRTM`, `nl rtm`, `Rotterdam (NLRTM)`, `Portland, US`). A code
 * that is unknown here is valid too. Throws UserError: missing-argument, unknown-port, ambiguous-port, unexpected-words.
 */
export function parsePort(text: string, help: LineHelp): Locode {
  const typed = text.trim();
  if (typed === '') {
    throw wordsError('missing-argument', 'Which port?', help, {
      hint: 'Give a port by its name or its UN/LOCODE, such as NLRTM.',
    });
  }
  const read = readPort(typed);
  if (read.kind === 'one') return read.port;
  if (read.kind === 'several') throw ambiguousPort(typed, read.ports, help);
  const extra = unexpectedWords(typed, help);
  // `Rotterdam mon` is similar to Rotterdam, but more probably a port and a period.
  if (extra && (extra.choices.length > 1 || nearestPorts(typed).length === 0)) throw extra;
  throw unknownPort(typed, help);
}

/** The code. `DO VER` with a space if the letters without a space would be read as a port's name. */
export function formatPort(port: Locode): string {
  const read = readPort(port);
  return read.kind === 'one' && read.port === port ? port : `${port.slice(0, 2)} ${port.slice(2)}`;
}

/** Like parsePort, but never throws. A name wins over a code: Tokyo and Dover have the shape of codes. */
export function readPort(text: string): PortReading {
  const typed = text.trim().replace(/^"(.*)"$/, '$1');
  if (typed.length > 100) return { kind: 'none' };
  const code = codeOf(typed);
  if (code && !isPortName(typed) && isPlainlyCode(typed, code)) return { kind: 'one', port: code };
  const named = findPorts(typed);
  if (named.kind === 'one') return { kind: 'one', port: named.port.locode };
  if (named.kind === 'several') return named;
  const [, label = ''] = /\(([^()]{5,6})\)$/.exec(typed) ?? [];
  const codeUnlikeNames = code && /^\w+$/.test(typed) && nearestPorts(typed).length === 0 ? code : undefined;
  const port = codeOf(label) ?? codeUnlikeNames;
  return port ? { kind: 'one', port } : { kind: 'none' };
}

/** `NLRTM`, `nl rtm`, `NL-RTM`: well-formed, but not necessarily a known port. */
function codeOf(typed: string): Locode | undefined {
  const code = typed.replace(/^([a-z]{2})[ -](?=[a-z2-9]{3}$)/i, '$1').toUpperCase();
  return isLocode(code) ? code : undefined;
}

/** In lower case, an unknown code may be another word or a misspelt name: `at all`, `tokio`. */
const isPlainlyCode = (typed: string, code: Locode): boolean =>
  portOf(code) !== undefined || typed === typed.toUpperCase();

/** Labels such as `Portland, Oregon, US (USPDX)`. */
const choicesOf = (ports: readonly Port[], { line }: LineHelp): Choice[] =>
  ports.map(({ name, region, country, locode }) => ({
    label: `${[name, region, country].filter(Boolean).join(', ')} (${locode})`,
    line: line(formatPort(locode)),
  }));

export const ambiguousPort = (typed: string, ports: readonly Port[], help: LineHelp): UserError =>
  wordsError('ambiguous-port', `${quote(typed)} can mean several ports. Which one?`, help, {
    choices: choicesOf(ports, help),
  });

export const unknownPort = (typed: string, help: LineHelp): UserError =>
  wordsError('unknown-port', `${quote(typed)} isn't a known port.`, help, {
    hint: 'You can also give a port by its UN/LOCODE, such as NLRTM.',
    choices: choicesOf(nearestPorts(typed), help),
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
    const message = `I can read ${quote(beginning.replace(/[,;]+$/, ''))} as a port, but not ${quote(ending)} after it.`;
    return wordsError('unexpected-words', message, help, {
      choices: [
        ...corrected.map((fixed) => ({ label: fixed, line: help.line(`${formatPort(read.port)} ${fixed}`) })),
        ...(port ? choicesOf([port], help) : []),
      ],
    });
  }
  return undefined;
}
