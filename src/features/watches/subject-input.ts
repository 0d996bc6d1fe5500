import { UserError } from '../../errors.ts';
import { formatPort } from '../../grammar/port.ts';
import type { Locode } from '../../reference/codes.ts';
import { type Fields, type InputField, type Inputs, optional, portInput, textField } from '../fields.ts';
import {
  formatWatchedVessels,
  parseWatchSubject,
  type WatchedVessels,
  type WatchSubject,
} from './words/subject.ts';

/** What assistants give of the subject of a watch. */
export interface SubjectParts {
  vessel: WatchedVessels | undefined;
  at: Locode | undefined;
  port: Locode | undefined;
}

const vesselsInput: InputField<WatchedVessels> = {
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
  format: formatWatchedVessels,
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
  return { vessel: formatWatchedVessels(subject), ...(at !== undefined && { at: formatPort(at) }) };
}
