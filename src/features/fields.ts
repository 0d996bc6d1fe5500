import { z } from 'zod';
import { UserError } from '../errors.ts';
import { formatCarriers, parseCarriers } from '../grammar/carriers.ts';
import type { LineHelp } from '../grammar/line-help.ts';
import { minimumOption } from '../grammar/options.ts';
import { nearestPeriodOf, parseMonth, parsePeriod } from '../grammar/parse-period.ts';
import { type Direction, formatPeriod, type Period } from '../grammar/period.ts';
import { formatPort, parsePort } from '../grammar/port.ts';
import { formatPorts, maxPorts, parsePorts } from '../grammar/ports.ts';
import { formatVersus, parseVersus, type TypedVersus, type Versus } from '../grammar/versus.ts';
import { formatVesselGroup, parseVesselGroup, type VesselGroup } from '../grammar/vessel-group.ts';
import type { Scac } from '../reference/carriers.ts';
import type { Locode } from '../reference/locode.ts';
import type { ParseContext } from './line.ts';
import {
  type Fields,
  type FieldValue,
  factsOf,
  flagField,
  pageField,
  readFields,
  textField,
} from './tool-fields.ts';

/** A value of a line, declared once: how assistants give it, what it means, and how it is written. */
export interface InputField<Parsed, Value = Parsed> {
  /** What assistants may send, with a description. */
  schema: z.ZodType;
  /** Undefined if it was left out. Throws UserError, whose choices hold corrected values in place of lines. */
  parse(given: FieldValue | undefined, context: ParseContext): Parsed;
  /** The inverse; undefined for a value that need not be given. */
  format(value: Value): FieldValue | undefined;
}

/** The fields of a variant's values. `Parsed`: before the fields are settled with each other. */
export type Inputs<Values, Parsed = Values> = {
  [Name in keyof Parsed]-?: InputField<Parsed[Name], Name extends keyof Values ? Values[Name] : Parsed[Name]>;
};

interface Words {
  description: string;
  examples: readonly [string, ...string[]];
}

/** A field in the words of the command line. `help` is for its errors. */
const inWords = <Parsed, Value = Parsed>(
  words: Words,
  parse: (text: string, help: LineHelp) => Parsed,
  format: (value: Value) => string,
): InputField<Parsed, Value> => ({
  schema: textField(words),
  parse: (given) => parse(String(given), { example: words.examples[0], line: (fixed) => fixed }),
  format,
});

export const optional = <Parsed, Value>(
  field: InputField<Parsed, Value>,
): InputField<Parsed | undefined, Value | undefined> => ({
  schema: field.schema.optional(),
  parse: (given, context) => (given === undefined ? undefined : field.parse(given, context)),
  format: (value) => (value === undefined ? undefined : field.format(value)),
});

export const portInput = (
  examples: Words['examples'],
  description = 'Port by UN/LOCODE or name',
): InputField<Locode> => inWords({ description, examples }, parsePort, formatPort);

export const portsInput = (examples: Words['examples']): InputField<readonly [Locode, ...Locode[]]> =>
  inWords(
    { description: `UN/LOCODE or name; up to ${maxPorts} separated by commas`, examples },
    parsePorts,
    formatPorts,
  );

/** Vessels, a list of the provider or a fleet. */
export const vesselsInput = (description: string, examples: Words['examples']): InputField<VesselGroup> => ({
  schema: textField({ description, examples }),
  parse: (given, { vessels }) =>
    parseVesselGroup(String(given).trim(), { example: examples[0], line: (fixed) => fixed, vessels }),
  format: formatVesselGroup,
});

/** Empty for all. */
export const carriersInput = (): InputField<readonly Scac[]> => {
  const { schema, parse, format } = inWords<readonly Scac[]>(
    {
      description: 'Only these carriers, by name or SCAC, separated by commas',
      examples: ['Maersk', 'MAEU, MSCU'],
    },
    parseCarriers,
    formatCarriers,
  );
  return {
    schema: schema.optional(),
    parse: (given, context) => (given === undefined ? [] : parse(given, context)),
    format: (carriers) => (carriers.length === 0 ? undefined : format(carriers)),
  };
};

export const periodInput = (words: Words, direction: Direction): InputField<Period> =>
  inWords(
    words,
    (text, help) => parsePeriod(text, { ...help, direction }, (typed) => nearestPeriodOf(typed, direction)),
    formatPeriod,
  );

export const versusInput = (): InputField<TypedVersus, Versus> =>
  inWords(
    {
      description: 'Compares with another period; `previous` is the one before',
      examples: ['previous', 'q2 2026'],
    },
    parseVersus,
    (versus) => formatVersus(versus).replace(/^versus /, ''),
  );

export const monthInput = (words: Words, limit: Pick<Parameters<typeof parseMonth>[1], 'earliest'>) =>
  inWords<Period>(words, (text, help) => parseMonth(text, { ...help, ...limit }), formatPeriod);

export const pageInput: InputField<number> = {
  schema: pageField,
  parse: (given) => Number(given),
  format: (page) => (page === 1 ? undefined : page),
};

export const flagInput = (description: string): InputField<boolean> => ({
  schema: flagField.describe(description),
  parse: Boolean,
  format: (value) => value || undefined,
});

/** The first is the default. */
export const choiceInput = <Choice extends string>(
  choices: readonly [Choice, ...Choice[]],
  description: string,
): InputField<Choice> => ({
  schema: z.enum(choices).default(choices[0]).describe(description),
  // The schema allows nothing else.
  parse: (given) => given as Choice,
  format: (choice) => (choice === choices[0] ? undefined : choice),
});

/** A share from 0 to 1, as whole percent. Parsed as undefined if it is the default. */
export const minimumInput = (
  standard: number,
  description: string,
): InputField<number | undefined, number> => ({
  schema: z.number().min(0).max(1).default(standard).describe(description),
  parse(given) {
    if (given === standard) return undefined;
    const percent = (Number(given) * 100).toLocaleString('en', { maximumFractionDigits: 10 });
    const help = {
      example: 'min 30%',
      line: (fixed: string) => `${Number(fixed.replace(/\D/g, '')) / 100}`,
    };
    const minimum = minimumOption(`min ${percent}%`, () => help);
    return minimum && minimum.value / 100;
  },
  format: (minimum) => (minimum === standard ? undefined : minimum),
});

/** Values of fields that can't be read, each with its own error. */
export class FieldsError extends UserError {
  readonly faults: readonly { field: string; error: UserError }[];

  constructor(faults: FieldsError['faults']) {
    const [first] = faults;
    super({
      code: first?.error.code ?? 'unexpected-words',
      message: faults.map(({ error }) => error.message).join(' '),
    });
    this.faults = faults;
  }
}

/** Reads what an assistant sends. Throws WrongFieldsError for fields that don't fit the schema, and FieldsError. */
export function readInputs<Parsed>(
  inputs: AnyInputs,
  given: unknown,
  { name, schema, context }: { name: string; schema: z.ZodObject; context: ParseContext },
): Parsed {
  // The schema holds nothing else.
  const fields = readFields(given, { name, input: schema, facts: factsOf(schema) }) as Fields;
  const faults: { field: string; error: UserError }[] = [];
  const values = Object.entries(inputs).map(([field, input]) => {
    try {
      return [field, input.parse(fields[field], context)];
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      faults.push({ field, error });
      return [field, undefined];
    }
  });
  if (faults.length > 0) throw new FieldsError(faults);
  // Each value comes from the input of the same name; an object built by name can't show that.
  return Object.fromEntries(values) as Parsed;
}

/** Without the fields that have their default. */
export const formatInputs = (inputs: AnyInputs, values: object): Fields =>
  Object.fromEntries(
    Object.entries(inputs).flatMap(([field, { format }]) => {
      const value = format((values as Record<string, never>)[field] as never); // by the same name
      return value === undefined ? [] : [[field, value]];
    }),
  );

export const schemaOf = (inputs: AnyInputs): z.ZodObject =>
  z.object(Object.fromEntries(Object.entries(inputs).map(([field, { schema }]) => [field, schema])));

/** Inputs by name, with the types of their values forgotten. */
export type AnyInputs = Readonly<Record<string, InputField<unknown, never>>>;
