import { type Choice, ownLines, UserError } from '../../../errors.ts';
import { type LineHelp, wordsError } from '../../../grammar/line.ts';
import { formatPort, type PortHelp, parsePortOrGroup, portWords, readPort } from '../../../grammar/port.ts';
import {
  formatVesselGroup,
  parseVesselGroup,
  parseVessels,
  withGroupColon,
} from '../../../grammar/vessel.ts';
import type { VesselHelp } from '../../../grammar/vessel-help.ts';
import {
  groupName,
  isPortGroup,
  type PortGroup,
  type PortOrGroup,
  type VesselGroup,
} from '../../../reference/codes.ts';
import { portLabel, portName } from '../../../reference/ports.ts';
import { type Fields, type InputField, type Inputs, optional, portInput, textField } from '../../fields.ts';

/** The subject of a watch, as typed. With `at`: only whether these vessels are expected there, and when. */
export type WatchSubject = (VesselGroup & { at?: PortOrGroup }) | { kind: 'port'; port: PortOrGroup };

export const isOneVessel = (subject: WatchSubject): boolean =>
  subject.kind === 'vessels' && subject.imos.length === 1;

/** Its rules are those of a port. */
export const isAboutPort = (subject: WatchSubject): boolean =>
  subject.kind === 'port' || subject.at !== undefined;

export const subjectHint =
  'Vessels by IMO number or name, fleet:NORTH, list:FEEDERS, port Rotterdam, or ports:ARA.';

/** `<vessel[, vessel …] | fleet:NAME | list:NAME> [at PORT] | port PORT`. Throws UserError. */
export function parseWatchSubject(text: string, help: VesselHelp): WatchSubject {
  const typed = withGroupColon(text, help.vessels).trim();
  if (typed === '') {
    throw wordsError('missing-argument', 'What should be watched?', help, { hint: subjectHint });
  }
  checkOnePort(typed, help);
  const [, port] = /^port\s*:?\s+(?!of\b)(.*)$|^port\s*:\s*(.*)$/i.exec(typed)?.filter(Boolean) ?? [];
  if (port !== undefined) {
    const portHelp = { ...wrap(help, { before: 'port ' }), groups: help.vessels };
    return { kind: 'port', port: parsePortOrGroup(port, portHelp) };
  }
  const group = readPort(typed, help.vessels);
  if (group.kind === 'group' && help.vessels.named(typed).length === 0)
    return { kind: 'port', port: group.port };
  const condition = splitAtPort(typed, help);
  if (!condition) return parseVesselGroup(typed, { ...help, aboutPort: watchPort(help) });
  const [vessels, where] = condition;
  const watched = parseVesselGroup(vessels, { ...help, ...wrap(help, { after: ` at ${where}` }) });
  return { ...watched, at: parsePortAfter(watched, where, { ...help, typed }) };
}

const watchPort =
  ({ line }: LineHelp) =>
  (port: PortOrGroup): Choice[] => [
    { label: `Watch the port ${portLabel(port)}`, line: line(`port ${formatPort(port)}`) },
  ];

/** Throws UserError. Words unlike any port may be the end of a name. */
function parsePortAfter(
  watched: VesselGroup,
  where: string,
  { typed, vessels: groups, ...help }: VesselHelp & { typed: string },
): PortOrGroup {
  const before = `${formatVesselGroup(watched)} at `;
  try {
    const at = parsePortOrGroup(where, { ...wrap(help, { before }), groups });
    if (watched.kind === 'list' && isPortGroup(at))
      throw atOnePort(at, { ...wrap(help, { before }), groups });
    return at;
  } catch (error) {
    const isUnlikePorts =
      error instanceof UserError && error.code === 'unknown-port' && error.choices.length === 0;
    if (!isUnlikePorts || watched.kind === 'vessels') throw error;
    const [, name = ''] = /:\s*(.*)$/.exec(typed) ?? [];
    const quoted = formatVesselGroup({ kind: watched.kind, name });
    const choices = [{ label: quoted, line: help.line(quoted) }];
    const hint = `If it belongs to the name of the ${watched.kind}, put the name in quotes.`;
    throw new UserError({ code: error.code, message: error.message, hint, choices });
  }
}

/** Throws UserError for `Rotterdam, Antwerp`. */
function checkOnePort(typed: string, help: VesselHelp): void {
  const words = portWords(typed.replace(/^ports?\s+/i, ''));
  if (words.some((each) => help.vessels.named(each).length > 0)) return;
  const ports = words.map((each) => readPort(each, help.vessels));
  const known = ports.flatMap((read) => ('port' in read ? [read.port] : []));
  if (known.length < 2 || known.length < ports.length) return;
  throw wordsError('too-many-ports', 'A watch follows one port, or one group of ports. Which one?', help, {
    hint: `Make a group of them: /${ownLines.ports} NAME ${known.map(portName).join(', ')}`,
    choices: known.map((port) => ({
      label: `Watch ${portLabel(port)}`,
      line: help.line(formatWatchSubject({ kind: 'port', port })),
    })),
  });
}

/** A list is polled as a whole, so it can be compared with only one port. */
function atOnePort(at: PortGroup, help: PortHelp): UserError {
  const ports = help.groups?.portsOf(groupName(at)) ?? [];
  return wordsError('too-many-ports', 'A list can be watched at only one port at a time. Which one?', help, {
    choices: ports.map((port) => ({ label: portLabel(port), line: help.line(formatPort(port)) })),
  });
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
  const isName = readPort(port, help.vessels).kind === 'none' && !/^(?:(?:ship)?list|fleet)\s*:/i.test(typed);
  return isName && areVessels(typed, help) ? undefined : [vessels, port];
}

function areVessels(typed: string, help: VesselHelp): boolean {
  try {
    return parseVessels(typed, help).length > 0;
  } catch {
    return false;
  }
}

export function formatWatchSubject(subject: WatchSubject): string {
  if (subject.kind === 'port')
    return `${isPortGroup(subject.port) ? '' : 'port '}${formatPort(subject.port)}`;
  const { at } = subject;
  return `${formatVesselGroup(subject)}${at === undefined ? '' : ` at ${formatPort(at)}`}`;
}

/** What assistants give of the subject of a watch. */
export interface SubjectParts {
  vessel: VesselGroup | undefined;
  at: PortOrGroup | undefined;
  port: PortOrGroup | undefined;
}

const vesselsInput: InputField<VesselGroup> = {
  schema: textField({
    description:
      'Vessels by IMO number, name or reference, separated by commas; or a fleet of this workspace as fleet:NAME, or a list of the provider as list:NAME',
    examples: ['9461477', 'MSC DIANA', 'fleet:NORTH', 'list:FEEDERS'],
  }),
  parse(given, { vessels }) {
    const subject = parseWatchSubject(String(given), { example: '9461477', line: (fixed) => fixed, vessels });
    if (subject.kind !== 'port' && subject.at === undefined) return subject;
    throw new UserError({
      code: 'unexpected-words',
      message: 'A port belongs into a field of its own.',
      hint: 'Give it as `at`, or as `port` in place of vessels.',
    });
  },
  format: formatVesselGroup,
};

const portExamples = ['NLRTM', 'Rotterdam'] as const;

export const subjectInputs: Inputs<SubjectParts> = {
  vessel: optional(vesselsInput),
  at: optional(portInput(portExamples, 'Only their calls at this port, by UN/LOCODE or name')),
  port: optional(portInput(portExamples, 'In place of vessels: everything expected at this port')),
};

/** Throws UserError. */
export function subjectOfParts({ vessel, at, port }: SubjectParts): WatchSubject {
  if (vessel && port === undefined) return { ...vessel, ...(at !== undefined && { at }) };
  if (port !== undefined && !vessel && at === undefined) return { kind: 'port', port };
  throw new UserError({
    code: 'missing-argument',
    message: 'A watch is about vessels or about a port.',
    hint: 'Give either `vessel`, with or without `at`, or `port`.',
  });
}

/** The inverse, as assistants give it. */
export function fieldsOfSubject(subject: WatchSubject): Fields {
  if (subject.kind === 'port') return { port: formatPort(subject.port) };
  const { at } = subject;
  return { vessel: formatVesselGroup(subject), ...(at !== undefined && { at: formatPort(at) }) };
}
