import { type Choice, UserError } from '../../errors.ts';
import { formatFleetName, formatListName, parseFleetName, parseListName } from '../../grammar/list-name.ts';
import { formatVessels, parseVessels, type VesselHelp } from '../../grammar/vessel.ts';
import type { Imo } from '../../reference/imo.ts';
import type { InputField } from '../fields.ts';
import { textField } from '../tool-fields.ts';

/** What a line is about. */
export type Subject =
  | { kind: 'vessels'; imos: readonly [Imo, ...Imo[]] }
  | { kind: 'list' | 'fleet'; name: string }
  | { kind: 'watched' };

/** Throws UserError. */
export function parseSubject(words: string, help: VesselHelp): Subject {
  const list = parseListName(words, help);
  if (list !== undefined) return { kind: 'list', name: list };
  const fleet = parseFleetName(words, help);
  if (fleet !== undefined) return { kind: 'fleet', name: fleet };
  if (/^watched(?: vessels)?$/i.test(words)) return { kind: 'watched' };
  return { kind: 'vessels', imos: parseVessels(words, help) };
}

export function formatSubject(subject: Subject): string {
  switch (subject.kind) {
    case 'vessels':
      return formatVessels(subject.imos);
    case 'list':
      return formatListName(subject.name);
    case 'fleet':
      return formatFleetName(subject.name);
    case 'watched':
      return 'watched';
  }
}

const examples = ['9461477', 'MSC DIANA'] as const;
const inField = { example: examples[0], line: (fixed: string) => fixed };

export const subjectInput: InputField<Subject> = {
  schema: textField({
    description:
      'IMO number, or the name of a vessel that this workspace knows; several separated by commas; or a list of the provider as list:NAME; in Slack also a booking or customer reference, a fleet as fleet:NAME, or watched for those that the person watches',
    examples: [...examples, '9461477, 9755933', 'list:FEEDERS'],
  }),
  parse: (given, { vessels }) => parseSubject(String(given).trim(), { ...inField, vessels }),
  format: formatSubject,
};

export const vesselInput: InputField<Imo> = {
  schema: textField({ description: 'One vessel by IMO number, name or reference', examples }),
  parse(given, { vessels }) {
    const imos = parseVessels(String(given).trim(), { ...inField, vessels });
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
