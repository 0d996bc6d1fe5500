import { type Choice, UserError } from '../../errors.ts';
import { type Deadline, formatDeadline } from '../../grammar/due.ts';
import { formatPage, joinWords } from '../../grammar/line.ts';
import { formatPeriod, type Period } from '../../grammar/period.ts';
import { formatPort, formatPorts } from '../../grammar/port.ts';
import {
  formatFleetName,
  formatListName,
  formatVesselGroup,
  formatVessels,
  parseVesselGroup,
  parseVessels,
} from '../../grammar/vessel.ts';
import type { VesselHelp } from '../../grammar/vessel-help.ts';
import type { Imo, PortOrGroup, VesselGroup } from '../../reference/codes.ts';
import { vesselHelp } from '../ctx.ts';
import { type InputField, textField } from '../fields.ts';

/** A word after one vessel. `all`: with the ports that are too improbable to be listed. */
export const vesselWords = ['compare', 'history', 'map', 'all'] as const;
export type VesselWord = (typeof vesselWords)[number];

export interface OneVessel {
  imo: Imo;
  page: number;
}

/** One vessel, all of its ports, or whether it is predicted at a port. */
export interface Vessel extends OneVessel {
  at?: PortOrGroup | undefined;
  /** Whether it will be there by then; at its likeliest port, if `at` is left out. */
  by?: Deadline | undefined;
  showsAll?: boolean;
}

/** Several vessels: where each calls next, or which of them may call at ports. */
export interface Several {
  /** Up to six ports. */
  at?: readonly [PortOrGroup, ...PortOrGroup[]] | undefined;
  /** Only with `at`: when they may call there. */
  period?: Period | undefined;
  page: number;
}

export interface Vessels extends Several {
  imos: readonly [Imo, ...Imo[]];
}

/** A provider's list, or a fleet. */
export interface Named extends Several {
  name: string;
}

/** The canonical lines. */
export const formatVessel = ({ imo, at, by, showsAll = false, page }: Vessel): string =>
  line(
    String(imo),
    at !== undefined && `at ${formatPort(at)}`,
    by !== undefined && formatDeadline(by),
    showsAll && 'all',
    page,
  );

export const formatCompare = ({ imo, page }: OneVessel): string => line(String(imo), 'compare', page);

export const formatHistory = ({ imo, page }: OneVessel): string => line(String(imo), 'history', page);

export const formatMap = ({ imo, page }: OneVessel): string => line(String(imo), 'map', page);

export const formatSeveral = ({ imos, ...asked }: Vessels): string => lineAt(formatVessels(imos), asked);

export const formatList = ({ name, ...asked }: Named): string => lineAt(formatListName(name), asked);

export const formatFleet = ({ name, ...asked }: Named): string => lineAt(formatFleetName(name), asked);

export const formatWatched = (asked: Several): string => lineAt('watched', asked);

const lineAt = (subject: string, { at, period, page }: Several): string =>
  line(
    subject,
    at !== undefined && `at ${formatPorts(at)}`,
    period !== undefined && formatPeriod(period),
    page,
  );

const line = (...words: readonly (string | false | number)[]): string =>
  joinWords(
    'nextport',
    ...words.map((word) => (typeof word === 'number' ? formatPage(word) : word || undefined)),
  );

/** What a line is about. */
export type Subject = VesselGroup | { kind: 'watched' };

/** Throws UserError. */
export const parseSubject = (words: string, help: VesselHelp): Subject =>
  /^(?:all )?watched(?: vessels| ships)?(?: here)?$/i.test(words)
    ? { kind: 'watched' }
    : parseVesselGroup(words, help);

export const formatSubject = (subject: Subject): string =>
  subject.kind === 'watched' ? 'watched' : formatVesselGroup(subject);

const examples = ['9461477', 'MSC DIANA'] as const;
const inField = { example: examples[0], line: (fixed: string) => fixed };

export const subjectInput: InputField<Subject> = {
  schema: textField({
    description:
      'IMO number, or the name of a vessel that this workspace knows; several separated by commas; or a list of the provider as list:NAME; in Slack also a booking or customer reference, a fleet as fleet:NAME, or watched for those that the person watches',
    examples: [...examples, '9461477, 9755933', 'list:FEEDERS'],
  }),
  parse: (given, context) => parseSubject(String(given).trim(), { ...inField, ...vesselHelp(context) }),
  format: formatSubject,
};

export const vesselInput: InputField<Imo> = {
  schema: textField({ description: 'One vessel by IMO number, name or reference', examples }),
  parse(given, context) {
    const imos = parseVessels(String(given).trim(), { ...inField, ...vesselHelp(context) });
    const [imo, ...others] = imos;
    if (others.length === 0) return imo;
    throw new UserError({
      code: 'too-many-vessels',
      message: 'You can see the history of only one vessel at a time.',
      choices: imos.slice(0, 5).map((one): Choice => ({ label: String(one), line: String(one) })),
    });
  },
  format: String,
};
