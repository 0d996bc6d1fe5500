import { z } from 'zod';
import { UserError } from '../errors.ts';
import { formatCarriers, parseCarriers } from '../grammar/carriers.ts';
import { formatLanes, type Lanes, parseLanes } from '../grammar/lanes.ts';
import { minimumOption, quote } from '../grammar/line.ts';
import type { Direction } from '../grammar/moment.ts';
import { nearestPeriodOf } from '../grammar/nearest-period.ts';
import { parseMonth } from '../grammar/parse-month.ts';
import { parsePeriod } from '../grammar/parse-period.ts';
import { formatPeriod, type Period } from '../grammar/period.ts';
import {
  formatPort,
  formatPorts,
  maxPorts,
  type PortHelp,
  parsePortOrGroup,
  parsePorts,
} from '../grammar/port.ts';
import { formatVersus, parseVersus, type TypedVersus, type Versus } from '../grammar/versus.ts';
import { formatVesselGroup, parseVesselGroup } from '../grammar/vessel.ts';
import type { Scac } from '../reference/carriers.ts';
import type { PortOrGroup, VesselGroup } from '../reference/codes.ts';
import { type ParseContext, vesselHelp } from './ctx.ts';

/** The value of a field, as a tool gets it and as its errors show it. */
export type FieldValue = string | number | boolean;

/** By the names of a tool's fields. A field that is left out has its default, if it has one. */
export type Fields = Readonly<Record<string, FieldValue | undefined>>;

/** A text, in the words of the command line. */
export const textField = ({ examples, description }: { examples: readonly string[]; description: string }) =>
  z
    .string()
    .max(300)
    .meta({ description, examples: [...examples] });

const flagField = z.boolean().default(false);

const pageField = z
  .int()
  .min(1)
  .max(9_999)
  .default(1)
  .describe('Page of a long answer, from 1; `pages` in the answer says how many there are');

/** Fields that are unknown, missing, of the wrong type, or with words that belong into another one. Its message says which. */
export class WrongFieldsError extends UserError {}

const value = z.union([z.string(), z.number(), z.boolean()]);

/** What the schema says about a field. */
const fieldFacts = z.object({
  type: z.enum(['string', 'number', 'integer', 'boolean']),
  description: z.string(),
  default: value.optional(),
  enum: z.array(z.string()).optional(),
  examples: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
});
type FieldFacts = z.infer<typeof fieldFacts>;

/** The fields of a tool in order, as its advertised schema describes them. */
export const factsOf = (input: z.ZodObject): ReadonlyMap<string, FieldFacts> =>
  new Map(
    Object.entries(z.toJSONSchema(input, { io: 'input' }).properties ?? {}).map(([field, schema]) => [
      field,
      fieldFacts.parse(schema),
    ]),
  );

/** Throws WrongFieldsError. */
export function readFields<Input extends z.ZodObject>(
  given: unknown,
  { name, input, facts }: { name: string; input: Input; facts: ReadonlyMap<string, FieldFacts> },
): z.output<Input> {
  const fields = givenFields(given, facts);
  const read = input.strict().safeParse(fields);
  // `strict` keeps the shape, which its type forgets for a generic object.
  if (read.success) return read.data as z.output<Input>;
  const unknown = read.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys : [],
  );
  const wrong = new Set(read.error.issues.flatMap(({ path }) => (path.length > 0 ? [String(path[0])] : [])));
  const faults = [
    ...unknown.map((field) => `${quote(field)} isn't a field of ${name}.`),
    ...[...wrong].map((field) => faultOf(field, { isGiven: field in fields, about: facts.get(field) })),
  ];
  throw new WrongFieldsError({
    code: [...wrong].some((field) => !(field in fields)) ? 'missing-argument' : 'unexpected-words',
    message: faults.join(' '),
    ...(unknown.length > 0 && { hint: `The fields of ${name}: ${[...facts.keys()].join(', ')}.` }),
  });
}

/**
 * As the schema means them: models send null or an empty text for a field that they leave out, an IMO number as a number,
 * and `"true"` for true.
 */
function givenFields(given: unknown, facts: ReadonlyMap<string, FieldFacts>): Record<string, unknown> {
  const isEmpty = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '');
  const entries = Object.entries(z.record(z.string(), z.unknown()).catch({}).parse(given));
  return Object.fromEntries(
    entries
      .filter(([, value]) => !isEmpty(value))
      .map(([field, value]) => [field, converted(value, facts.get(field))]),
  );
}

function converted(value: unknown, about: FieldFacts | undefined): unknown {
  if (typeof value === 'number' && about?.type === 'string') return String(value);
  if (typeof value !== 'string' || !about || about.type === 'string') return value;
  if (about.type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  // Not a number (NaN) for other words, which the schema refuses.
  return Number(value);
}

function faultOf(
  field: string,
  { isGiven, about }: { isGiven: boolean; about: FieldFacts | undefined },
): string {
  const meaning = about ? ` ${meaningOf(about)}` : '';
  if (!isGiven) return `The field ${quote(field)} is missing.${meaning}`;
  const kind = about ? `: it must be ${kindInWords(about)}` : '';
  return `The value of the field ${quote(field)} isn't valid${kind}.${meaning}`;
}

function kindInWords({ type, enum: values, maxLength, minimum, maximum }: FieldFacts): string {
  if (values) return alternatives(values.map((value) => JSON.stringify(value)));
  switch (type) {
    case 'string':
      return `a text of at most ${maxLength} characters`;
    case 'boolean':
      return 'true or false';
    case 'integer':
      return `a whole number from ${minimum} to ${maximum?.toLocaleString('en')}`;
    case 'number':
      return `a number from ${minimum} to ${maximum}`;
  }
}

const alternatives = (words: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(words);

/** `Its meaning: a month. For example "2026-10".` */
function meaningOf({ description, examples = [] }: FieldFacts): string {
  const meaning = `Its meaning: ${description.replaceAll('`', '')}.`;
  return examples.length > 0 ? `${meaning} ${examplesInWords(examples)}` : meaning;
}

export const examplesInWords = (examples: readonly string[]): string =>
  `For example ${alternatives(examples.map((example) => JSON.stringify(example)))}.`;

/** What assistants and the docs see of a tool. */
export interface ToolShape {
  /** That of its command; a command with several tools adds a verb: `watch_stop`. */
  name: string;
  /** A few words, for people. */
  title: string;
  /** For the model: what the tool answers, and what the answer is not. */
  description: string;
  effect: 'reads' | 'adds' | 'removes';
  /** It is about what a Slack workspace has stored. */
  needsSlack: boolean;
  /** Named fields, each with a description. */
  input: z.ZodObject;
  /** The answer as JSON. */
  output: z.ZodObject;
}

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
  parse: (text: string, help: PortHelp) => Parsed,
  format: (value: Value) => string,
): InputField<Parsed, Value> => ({
  schema: textField(words),
  parse: (given, { vessels: groups }) =>
    parse(String(given), { example: words.examples[0], line: (fixed) => fixed, groups }),
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
): InputField<PortOrGroup> => inWords({ description, examples }, parsePortOrGroup, formatPort);

export const portsInput = (
  examples: Words['examples'],
  description = `UN/LOCODE or name; up to ${maxPorts} separated by commas; in Slack also a group of ports, as ports:NAME`,
): InputField<readonly [PortOrGroup, ...PortOrGroup[]]> =>
  inWords({ description, examples }, parsePorts, formatPorts);

export const lanesInput = (words: Words): InputField<Lanes> => inWords(words, parseLanes, formatLanes);

/** Vessels, a list of the provider or a fleet. */
export const vesselsInput = (description: string, examples: Words['examples']): InputField<VesselGroup> => ({
  schema: textField({ description, examples }),
  parse: (given, context) =>
    parseVesselGroup(String(given).trim(), {
      ...{ example: examples[0], line: (fixed) => fixed },
      ...vesselHelp(context),
    }),
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
