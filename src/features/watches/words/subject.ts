import { type Choice, UserError } from '../../../errors.ts';
import { type LineHelp, wordsError } from '../../../grammar/line.ts';
import { formatPort, parsePort, readPort } from '../../../grammar/port.ts';
import {
  formatFleetName,
  formatListName,
  formatVessels,
  parseFleetName,
  parseListName,
  parseVessels,
  type VesselHelp,
} from '../../../grammar/vessel.ts';
import type { Imo, Locode } from '../../../reference/codes.ts';
import { portLabel } from '../../../reference/ports.ts';

export type WatchedVessels =
  | { kind: 'vessels'; imos: readonly [Imo, ...Imo[]] }
  | { kind: 'fleet'; name: string }
  | { kind: 'list'; name: string };

/** The subject of a watch, as typed. With `at`: only whether these vessels are expected at that port, and when. */
export type WatchSubject = (WatchedVessels & { at?: Locode }) | { kind: 'port'; port: Locode };

export const isOneVessel = (subject: WatchSubject): boolean =>
  subject.kind === 'vessels' && subject.imos.length === 1;

/** Its rules are those of a port. */
export const isAboutPort = (subject: WatchSubject): boolean =>
  subject.kind === 'port' || subject.at !== undefined;

/** `<vessel[, vessel …] | fleet:NAME | list:NAME> [at PORT] | port PORT`. Throws UserError. */
export function parseWatchSubject(text: string, help: VesselHelp): WatchSubject {
  const typed = text.trim();
  if (typed === '') {
    const hint = 'Vessels by IMO number or name, fleet:NORTH, list:FEEDERS, or port Rotterdam.';
    throw wordsError('missing-argument', 'What should be watched?', help, { hint });
  }
  const [, port] = /^port\s*:?\s+(?!of\b)(.*)$|^port\s*:\s*(.*)$/i.exec(typed)?.filter(Boolean) ?? [];
  if (port !== undefined) return { kind: 'port', port: parsePort(port, wrap(help, { before: 'port ' })) };
  const condition = splitAtPort(typed, help);
  if (!condition) return parseWatchedVessels(typed, { ...help, aboutPort: watchPort(help) });
  const [vessels, where] = condition;
  const watched = parseWatchedVessels(vessels, { ...help, ...wrap(help, { after: ` at ${where}` }) });
  return { ...watched, at: parsePortAfter(watched, where, { ...help, typed }) };
}

const watchPort =
  ({ line }: LineHelp) =>
  (port: Locode): Choice => ({
    label: `Watch the port ${portLabel(port)}`,
    line: line(`port ${formatPort(port)}`),
  });

/** Throws UserError. Words unlike any port may be the end of a name. */
function parsePortAfter(
  watched: WatchedVessels,
  where: string,
  { typed, ...help }: LineHelp & { typed: string },
): Locode {
  const before = `${formatWatchedVessels(watched)} at `;
  try {
    return parsePort(where, wrap(help, { before }));
  } catch (error) {
    const isUnlikePorts =
      error instanceof UserError && error.code === 'unknown-port' && error.choices.length === 0;
    if (!isUnlikePorts || watched.kind === 'vessels') throw error;
    const [, name = ''] = /:\s*(.*)$/.exec(typed) ?? [];
    const quoted = formatWatchedVessels({ kind: watched.kind, name });
    const choices = [{ label: quoted, line: help.line(quoted) }];
    const hint = `If it belongs to the name of the ${watched.kind}, put the name in quotes.`;
    throw new UserError({ code: error.code, message: error.message, hint, choices });
  }
}

const wrap = ({ example, line }: LineHelp, { before = '', after = '' }): LineHelp => ({
  example,
  line: (fixed) => line(`${before}${fixed}${after}`),
});

/**
 * `fleet:NORTH expected at Rotterdam`: the vessels and the port. Undefined without a port, or if the words are vessels'
 * names, such as PROUD AT SEA. The name of a fleet or list that contains “at” needs quotes.
 */
function splitAtPort(typed: string, help: VesselHelp): [string, string] | undefined {
  const [, vessels = '', port = ''] =
    /^(.+?)(?:\s+(?:expected|arriving|calling))?\s+at\s+((?:(?!\sat\s)[^"])+|"[^"]+")$/i.exec(typed) ?? [];
  if (port === '') return undefined;
  const last = typed.split(/[,;]/).at(-1) ?? '';
  if (help.vessels.named(last.trim()).length > 0) return undefined;
  const isName = readPort(port).kind === 'none' && !/^(?:(?:ship)?list|fleet)\s*:/i.test(typed);
  return isName && areVessels(typed, help) ? undefined : [vessels, port];
}

function areVessels(typed: string, help: VesselHelp): boolean {
  try {
    return parseVessels(typed, help).length > 0;
  } catch {
    return false;
  }
}

function parseWatchedVessels(typed: string, help: VesselHelp): WatchedVessels {
  const list = parseListName(typed, help);
  if (list !== undefined) return { kind: 'list', name: list };
  const fleet = parseFleetName(typed, help);
  if (fleet !== undefined) return { kind: 'fleet', name: fleet };
  return { kind: 'vessels', imos: parseVessels(typed, help) };
}

export function formatWatchSubject(subject: WatchSubject): string {
  if (subject.kind === 'port') return `port ${formatPort(subject.port)}`;
  const { at } = subject;
  return `${formatWatchedVessels(subject)}${at === undefined ? '' : ` at ${formatPort(at)}`}`;
}

/** Without the port at which they are expected. */
export function formatWatchedVessels(subject: WatchedVessels): string {
  switch (subject.kind) {
    case 'vessels':
      return formatVessels(subject.imos);
    case 'fleet':
      return formatFleetName(subject.name);
    case 'list':
      return formatListName(subject.name);
  }
}
