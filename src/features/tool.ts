import type { z } from 'zod';
import type { Reader } from '../messages/message.ts';
import {
  type Fields,
  type FieldValue,
  factsOf,
  isText,
  readFields,
  WrongFieldsError,
} from './tool-fields.ts';

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

/** `Output` of a schema, each field of which may be left out. */
type SomeFields<Output> = { [Field in keyof Output]?: (Output[Field] & FieldValue) | undefined };

interface ToolDefinition<Args, Answer, Input extends z.ZodObject, Output extends z.ZodObject>
  extends Omit<ToolShape, 'effect' | 'needsSlack' | 'input' | 'output'>,
    Partial<Pick<ToolShape, 'effect' | 'needsSlack'>> {
  input: Input;
  output: Output;
  /** The command line. Its parser checks what the fields hold, as if a person had typed it. */
  toLine: (fields: z.output<Input>) => string;
  /** The inverse: the fields that ask what the parsed line asks; undefined if this tool doesn't ask such a thing. */
  toFields: (args: Args) => SomeFields<z.output<Input>> | undefined;
  toOutput: (answer: Answer, reader: Reader) => z.input<Output>;
}

/** A definition with the types of its fields closed over. */
export interface Tool<Args, Answer> extends ToolShape {
  /** Throws WrongFieldsError for fields that are unknown, missing or of the wrong type. */
  read(input: unknown): ReadTool<Args>;
  /** Without the fields that have their default. */
  toFields(args: Args): Fields | undefined;
  /** Throws ZodError if the answer doesn't have the shape of `output`. */
  toOutput(answer: Answer, reader: Reader): Record<string, unknown>;
}

interface ReadTool<Args> {
  line: string;
  /** Throws WrongFieldsError if the parsed line says more than the fields, as with `9461477 compare` for a vessel. */
  check(args: Args, canonicalLine: string): void;
}

/** Called twice, since TypeScript infers either all type arguments or none. */
export const defineTool =
  <Args, Answer>() =>
  <Input extends z.ZodObject, Output extends z.ZodObject>(
    definition: ToolDefinition<Args, Answer, Input, Output>,
  ): Tool<Args, Answer> => {
    const { effect = 'reads', needsSlack = false, toLine, toFields, toOutput, ...shape } = definition;
    const { name, input, output } = shape;
    let facts: ReturnType<typeof factsOf> | undefined;
    const fieldFacts = () => {
      facts ??= factsOf(input);
      return facts;
    };

    /** Whether the fields that a line means are those that were given. */
    function agree(meant: Fields | undefined, given: Fields): boolean {
      if (!meant) return false;
      return [...fieldFacts()].every(([field, about]) => {
        const value = meant[field] ?? about.default;
        // The same words can be put in several ways; that they have become this field is what counts.
        if (isText(about)) return (value === undefined) === (given[field] === undefined);
        return value === given[field];
      });
    }

    return {
      ...shape,
      effect,
      needsSlack,
      read(given) {
        const fields = readFields(given, { name, input, facts: fieldFacts() });
        return {
          line: toLine(fields),
          check(args, canonicalLine) {
            // What zod has read of a tool's fields are such values.
            if (!agree(toFields(args), fields as Fields)) throw mixedFields(shape, canonicalLine);
          },
        };
      },
      toFields(args) {
        const fields: Fields | undefined = toFields(args);
        if (!fields) return undefined;
        const isSaid = ([field, value]: [string, unknown]) =>
          value !== undefined && value !== fieldFacts().get(field)?.default;
        return Object.fromEntries(Object.entries(fields).filter(isSaid));
      },
      toOutput: (answer, reader) => output.parse(toOutput(answer, reader)),
    };
  };

const mixedFields = ({ input }: Pick<ToolShape, 'input'>, line: string): WrongFieldsError =>
  new WrongFieldsError({
    code: 'unexpected-words',
    message: 'One of the fields holds words that belong elsewhere.',
    hint: `Give each thing in its own field: ${Object.keys(input.shape).join(', ')}.`,
    choices: [{ label: line, line }],
  });
