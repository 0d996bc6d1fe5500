import { z } from 'zod';
import { UserError } from '../errors.ts';
import { quote } from '../grammar/line-help.ts';

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

export const flagField = z.boolean().default(false);

export const pageField = z
  .int()
  .min(1)
  .max(9_999)
  .default(1)
  .describe('Page of a long answer, from 1; `pages` in the answer says how many there are');

/** Fields that are unknown, missing, of the wrong type, or with words that belong into another one. Its message says which. */
export class WrongFieldsError extends UserError {}

/** What the schema says about a field. */
export interface FieldFacts {
  type: 'string' | 'number' | 'integer' | 'boolean';
  description: string;
  default?: FieldValue | undefined;
  enum?: readonly string[] | undefined;
  examples?: readonly string[] | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  maxLength?: number | undefined;
}

const value = z.union([z.string(), z.number(), z.boolean()]);

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
