import { z } from 'zod';
import { UserError } from '../errors.ts';
import { quote } from '../grammar/line-help.ts';
import type { Reader } from '../messages/message.ts';

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

interface ToolDefinition<Args, Answer, Input extends z.ZodObject, Output extends z.ZodObject>
  extends Omit<ToolShape, 'effect' | 'needsSlack' | 'input' | 'output'>,
    Partial<Pick<ToolShape, 'effect' | 'needsSlack'>> {
  input: Input;
  output: Output;
  /** The command line. Its parser checks what the fields hold, as if a person had typed it. */
  toLine: (fields: z.output<Input>) => string;
  /** False if the parsed line says more than the fields: `9461477 compare` as a vessel. */
  agrees: (args: Args, fields: z.output<Input>) => boolean;
  toOutput: (answer: Answer, reader: Reader) => z.input<Output>;
}

/** A definition with the types of its fields closed over. */
export interface Tool<Args, Answer> extends ToolShape {
  /** Throws UserError for fields that are unknown, missing or of the wrong type. */
  read(input: unknown): ReadTool<Args>;
  /** Throws ZodError if the answer doesn't have the shape of `output`. */
  toOutput(answer: Answer, reader: Reader): Record<string, unknown>;
}

interface ReadTool<Args> {
  line: string;
  /** Throws UserError if the parsed line says more than the fields. */
  check(args: Args): void;
}

/** Called twice, since TypeScript infers either all type arguments or none. */
export const defineTool =
  <Args, Answer>() =>
  <Input extends z.ZodObject, Output extends z.ZodObject>(
    definition: ToolDefinition<Args, Answer, Input, Output>,
  ): Tool<Args, Answer> => {
    const { effect = 'reads', needsSlack = false, toLine, agrees, toOutput, ...shape } = definition;
    const { name, input, output } = shape;
    return {
      ...shape,
      effect,
      needsSlack,
      read(given) {
        const fields = readFields(given, { name, input });
        return {
          line: toLine(fields),
          check(args) {
            if (!agrees(args, fields)) throw mixedFields(shape);
          },
        };
      },
      toOutput: (answer, reader) => output.parse(toOutput(answer, reader)),
    };
  };

/** A text. Models send an IMO number as a number. */
export const textField = ({ examples, description }: { examples: readonly string[]; description: string }) =>
  z.preprocess(
    (value) => (typeof value === 'number' ? String(value) : value),
    z
      .string()
      .max(300)
      .meta({ description, examples: [...examples] }),
  );

export const pageField = z.coerce
  .number()
  .int()
  .min(1)
  .max(9_999)
  .optional()
  .describe('Page of a long answer, from 1; `pages` in the answer says how many there are');

/** Models send null or an empty text for a field that they leave out. */
function readFields<Input extends z.ZodObject>(
  given: unknown,
  { name, input }: { name: string; input: Input },
): z.output<Input> {
  const isEmpty = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '');
  const entries = Object.entries(z.record(z.string(), z.unknown()).catch({}).parse(given));
  const fields = Object.fromEntries(entries.filter(([, value]) => !isEmpty(value)));
  const read = input.strict().safeParse(fields);
  // `strict` keeps the shape, which its type forgets for a generic object.
  if (read.success) return read.data as z.output<Input>;
  const [issue] = read.error.issues;
  const names = `The fields of ${name}: ${Object.keys(input.shape).join(', ')}.`;
  if (issue?.code === 'unrecognized_keys')
    throw wrongField(`${quote(issue.keys[0] ?? '')} isn't a field of ${name}.`, names);
  const field = String(issue?.path[0]);
  const about = z.toJSONSchema(input, { io: 'input' }).properties?.[field];
  const meaning = typeof about === 'object' ? about.description?.replaceAll('`', '') : undefined;
  const hint = meaning === undefined ? names : `Its meaning: ${meaning}.`;
  throw field in fields
    ? wrongField(`The value of the field ${quote(field)} isn't valid.`, hint)
    : new UserError({ code: 'missing-argument', message: `The field ${quote(field)} is missing.`, hint });
}

const wrongField = (message: string, hint: string): UserError =>
  new UserError({ code: 'unexpected-words', message, hint });

const mixedFields = ({ input }: Pick<ToolShape, 'input'>): UserError =>
  wrongField(
    'One of the fields holds words that belong elsewhere.',
    `Give each thing in its own field: ${Object.keys(input.shape).join(', ')}.`,
  );
