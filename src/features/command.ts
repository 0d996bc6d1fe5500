import type { z } from 'zod';
import { type Answer, type ExportTable, exportTables, hasRows } from '../answers/answer.ts';
import type { Message, Reader } from '../answers/message.ts';
import { type Reading, withExportMenu, withoutShare } from '../answers/slack/answer-message.ts';
import { toMessage, toReply } from '../answers/slack/render.ts';
import { briefOf, toStored } from '../answers/stored.ts';
import { structuredSchema, toStructured } from '../answers/structured.ts';
import type { TableShape } from '../answers/table.ts';
import { UserError } from '../errors.ts';
import { cleanLine } from '../grammar/line.ts';
import type { PortOrGroup } from '../reference/codes.ts';
import {
  type AnsweredLine,
  type AskCtx,
  type CommandHelp,
  commandCause,
  isPersonal,
  type LineContext,
  type LineCost,
  onlyInSlack,
  type ParseContext,
  type Privacy,
  privateReader,
  type ReadLine,
  type WorkCtx,
} from './ctx.ts';
import {
  type AnyInputs,
  type Fields,
  formatInputs,
  type Inputs,
  readInputs,
  schemaOf,
  type ToolShape,
} from './fields.ts';
import { ledByReference, noteReferences } from './typed-reference.ts';

/** A predicted call, for workflows. */
export interface NextCall {
  /** The port's name. */
  port: string;
  locode: string;
  /** From 0 to 1. */
  probability: number;
  eta?: Date;
}

/** The result of a line, and the way to show it. */
export interface LineAnswer extends AnsweredLine {
  /** JSON-able, for `ask --json`. */
  value: unknown;
  nextCall?: NextCall | undefined;
  /** What a file holds: CSV and JSON the first table, a workbook all. */
  tables(reader: Reader): readonly ExportTable[];
  /** For programs, instead of `value`. */
  structured?(reader: Reader): Record<string, unknown>;
  /** Set for an export in the terminal, which writes it to its output. */
  file?: string | Uint8Array;
}

/** A parsed command line, ready to run. */
export interface PreparedLine extends ReadLine {
  command: Command;
  run(context: AskCtx): Promise<LineAnswer>;
}

/** A tool's call, ready to run. */
export interface PreparedTool extends Omit<PreparedLine, 'run'> {
  run(context: AskCtx): Promise<ToolAnswer>;
}

export interface ToolAnswer extends LineAnswer {
  /** In the shape of the tool's `output`. */
  output(reader: Reader): Record<string, unknown>;
}

export interface CommandTool extends ToolShape {
  /**
   * Only the parser of this command reads the line, so no field can name another command, share the answer or export it.
   * Throws UserError.
   */
  prepare(input: unknown, context: ParseContext): PreparedTool;
  /** The fields that ask what a valid line asks, without defaults; undefined for a line that this tool doesn't ask. */
  fieldsOf(line: string, context: ParseContext): Fields | undefined;
}

/** A definition with its types closed over, so that the registry can hold all of them. */
export interface Command
  extends Required<Omit<CommandHelp, 'takes' | 'wish' | 'readText' | 'textCaveat' | 'offerHint'>>,
    Pick<CommandHelp, 'takes' | 'wish' | 'readText' | 'textCaveat' | 'offerHint'> {
  tools: readonly CommandTool[];
  prepare(words: string, context: ParseContext): PreparedLine;
}

const notForGuests = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message: "Guests of this workspace don't see references, usage or costs.",
    hint: 'Ask a member. Workspace admins choose what guests may do.',
    isPersonal: true,
  });

export interface ParsedLine extends PreparedLine, Reading {
  /** The last word of the typed line. The canonical line does not include it. */
  visibility?: 'public' | 'private';
}

/** Parses a line that a person typed or a button holds. Throws only UserError. */
export type ParseLine = (text: string, context: LineContext) => ParsedLine;

/** A flag of all lines of a variant, or a function of a line's values. */
type PerLine<Values, Flag> = Flag | ((values: Values) => Flag);

/** What assistants see of a line. */
interface ToolHelp extends Pick<ToolShape, 'name' | 'title' | 'description'> {
  /** Default: `reads`. */
  effect?: ToolShape['effect'];
  /** The fields of `Answer.outcome`. */
  outcome?: z.ZodRawShape;
}

interface VariantDefinition<Values, Parsed> {
  /** Left out: assistants can't ask it. */
  tool?: ToolHelp;
  /** The values as fields, for assistants. */
  input?: Inputs<Values, Parsed>;
  /** The fields of a line, if they aren't its `input`, or of a tool that several variants share. Undefined for a line that it can't ask. */
  fields?: (values: Values) => Fields | undefined;
  /** Makes values of parsed fields, where one depends on another. Throws UserError. */
  settle?: (parsed: Parsed) => Values;
  /** The canonical line, name included, at most 1,500 characters: parsing it gives the same values. */
  format: (values: Values) => string;
  /** `opens`: a form, which guests may fill in. Lines that read can be repeated: in a digest, behind a button. */
  effect: PerLine<Values, 'reads' | 'opens' | 'changes'>;
  /** See ReadLine. Left out: in general words. */
  confirmation?: PerLine<Values, string>;
  /** Default: `open` for lines that read, `on-request` for others. */
  privacy?: PerLine<Values, Privacy>;
  /** `workspace`: it is about what a Slack workspace has stored; `place`: also about the channel. Default: `service`. */
  of?: PerLine<Values, 'service' | 'workspace' | 'place'>;
  /** The tables that its answers can have. */
  tables?: readonly TableShape[];
  /** See ReadLine. */
  title?: (values: Values) => string;
  cost?: (values: Values) => LineCost;
  isStatistics?: boolean;
  /** That the line names. Default: none. */
  ports?: (values: Values) => readonly PortOrGroup[];
  run: (values: Values, ctx: AskCtx) => Promise<Answer>;
}

/** A line of a variant that can run as soon as it has its context. */
export interface VariantLine extends Omit<PreparedLine, 'command' | 'run'> {
  /** By identity: which variant it is of. */
  variant: object;
  fields: () => Fields | undefined;
  answer(ctx: AskCtx): Promise<Answer>;
}

/** A variant with its types closed over. */
export interface Variant<Values> {
  /** The line with these values. */
  of(values: Values): VariantLine;
  isOf(line: VariantLine): boolean;
  tables: readonly TableShape[];
  tool?: StaticTool;
}

/** A tool before it has the services of a workspace. */
interface StaticTool
  extends Pick<ToolShape, 'name' | 'title' | 'description' | 'input' | 'needsSlack'>,
    ToolHelp {
  tables: readonly TableShape[];
  /** Throws UserError. */
  read(given: unknown, context: ParseContext): VariantLine;
  asks(line: VariantLine): boolean;
}

interface SharedToolDefinition<Parsed> extends ToolHelp {
  /** It asks what a Slack workspace has stored. Default: false. */
  needsSlack?: boolean;
  input: Inputs<Parsed>;
  variants: readonly Pick<Variant<never>, 'tables' | 'isOf'>[];
  /** Throws UserError. */
  lineOf: (parsed: Parsed, context: ParseContext) => VariantLine;
}

/** A tool whose fields say which of several variants is asked. */
export function sharedTool<Parsed extends object>({
  input,
  variants,
  lineOf,
  ...about
}: SharedToolDefinition<Parsed>): StaticTool {
  const inputs = input as unknown as AnyInputs; // read by name
  const schema = schemaOf(inputs);
  return {
    needsSlack: false,
    ...about,
    input: schema,
    tables: variants.flatMap(({ tables }) => tables),
    read: (given, context) =>
      lineOf(readInputs<Parsed>(inputs, given, { name: about.name, schema, context }), context),
    asks: (line) => variants.some(({ isOf }) => isOf(line)),
  };
}

/** One of the things that a command does, with values, flags and an answer of its own. */
export function variant<Values extends object, Parsed extends object = Values>(
  definition: VariantDefinition<Values, Parsed>,
): Variant<Values> {
  const { tool, fields, format, effect, privacy, of: stored = 'service', tables = [], run } = definition;
  const { title, cost, confirmation, ports = () => [], isStatistics = false } = definition;
  // Without `settle`, the values are the parsed fields.
  const { settle = (parsed: Parsed) => parsed as unknown as Values } = definition;
  // Read by name, in one place.
  const inputs = (definition.input ?? {}) as unknown as AnyInputs;
  const identity = {};
  const of = (values: Values): VariantLine => {
    const does = valueFor(values, effect);
    const of = valueFor(values, stored);
    const isReading = does === 'reads';
    return {
      variant: identity,
      line: format(values),
      repeatable: isReading,
      confirmation:
        (confirmation && valueFor(values, confirmation)) ?? (isReading ? 'Ask that' : 'Yes, do it'),
      onlyAsks: does !== 'changes',
      isExportable: does !== 'changes' && tables.length > 0,
      privacy: (privacy && valueFor(values, privacy)) ?? (isReading ? 'open' : 'on-request'),
      needsSlack: of !== 'service',
      dependsOnPlace: of === 'place',
      isStatistics,
      ports: ports(values),
      ...(title && { title: title(values) }),
      ...(cost && { cost: cost(values) }),
      fields: () => (fields ? fields(values) : formatInputs(inputs, values)),
      answer: (ctx) => run(values, ctx),
    };
  };
  const isOf = (line: VariantLine) => line.variant === identity;
  const common = { of, tables, isOf };
  if (!tool) return common;
  const input = schemaOf(inputs);
  const read = (given: unknown, context: ParseContext) =>
    of(settle(readInputs<Parsed>(inputs, given, { name: tool.name, schema: input, context })));
  const needsSlack = typeof stored === 'string' && stored !== 'service';
  return { ...common, tool: { ...tool, input, needsSlack, tables, read, asks: isOf } };
}

function valueFor<Values, Flag extends string>(values: Values, flag: PerLine<Values, Flag>): Flag {
  return typeof flag === 'function' ? flag(values) : flag;
}

interface CommandDefinition extends Omit<CommandHelp, 'tables'> {
  variants: readonly Pick<Variant<never>, 'tool' | 'tables'>[];
  /** Those that several variants share. */
  tools?: readonly StaticTool[];
  /** Pure. `words`: everything after the name, already cleaned (`cleanLine`). Throws UserError. */
  parse: (words: string, context: ParseContext) => VariantLine;
}

/** A command is a constant: help, the manifest and the docs read it without starting anything. */
export function command({ variants, tools: shared = [], parse, ...definition }: CommandDefinition): Command {
  const tools = [...shared, ...variants.flatMap(({ tool }) => tool ?? [])];
  const { name } = definition;
  const prepare = (variantLine: VariantLine): PreparedLine => ({
    command: self,
    ...variantLine,
    run: (ctx) => answerVariant(variantLine, ctx, name),
  });
  const self: Command = {
    ...{ usageHint: definition.usage, options: [], optionsNote: '', questions: [], meanings: [] },
    ...{ isUnderLandfall: false, verbs: [] },
    ...definition,
    // Variants may have tables in common.
    tables: [...new Set(variants.flatMap(({ tables }) => tables))],
    prepare: (words, context) => prepare(parse(words, context)),
    tools: tools.map(toolOf),
  };
  return self;

  function toolOf({ read, asks, tables, outcome, effect = 'reads', ...about }: StaticTool): CommandTool {
    return {
      ...{ ...about, effect, output: structuredSchema(tables, outcome) },
      prepare(given, context) {
        const { vessels, typedIn } = noteReferences(context.vessels);
        const line = read(given, { ...context, vessels });
        const { reference } = typedIn(line);
        return {
          ...prepare(line),
          async run(ctx) {
            const asked = reference === undefined ? ctx : { ...ctx, reference };
            const answered = await answerVariant(line, asked, name);
            return { ...answered, output: answered.structured };
          },
        };
      },
      fieldsOf(line, context) {
        if (line.split(' ', 1)[0] !== name) return undefined;
        try {
          const parsed = parse(cleanLine(line).slice(name.length).trim(), context);
          return asks(parsed) ? parsed.fields() : undefined;
        } catch (error) {
          if (error instanceof UserError) return undefined;
          throw error;
        }
      },
    };
  }
}

async function answerVariant(line: VariantLine, ctx: AskCtx, name: string) {
  if (line.needsSlack && !ctx.place) throw onlyInSlack();
  if (line.privacy === 'internal' && ctx.actor.asksOnly) throw notForGuests();
  const cause = ctx.cause ?? commandCause(name, ctx.place);
  const answer = await line.answer({ ...ctx, cause });
  return lineAnswerOf(line.repeatable ? ledByReference(answer, ctx.reference) : answer, line, ctx);
}

/** Gives an answer all that surfaces ask of one. */
export function lineAnswerOf(
  answer: Answer,
  { line: asked, repeatable: isRepeatable, isExportable, privacy }: Omit<PreparedLine, 'command' | 'run'>,
  { registry: { lineOf } }: WorkCtx,
) {
  const { line = asked } = answer;
  const structured = (reader: Reader) => toStructured(answer, { line, reader });
  /** Undefined if there are no rows for a file. */
  const exportedLine = (reader: Reader): string | undefined =>
    isExportable && hasRows(answer, reader) ? (answer.lineOutside ?? line) : undefined;
  return {
    value: answer,
    structured,
    comparison: answer.comparison ?? null,
    hasNews: answer.hasNews ?? false,
    isForecast: answer.isForecast ?? false,
    nextCall: answer.nextCall,
    brief: (reader) => briefOf(answer, reader),
    view(reader) {
      const shareable = toMessage(answer, { line, reader, lineOf, isRepeatable });
      // What it lists differs for each person, so it is made public by typing only.
      const message = isPersonal({ privacy }) ? withoutShare(shareable) : shareable;
      const exported = exportedLine(reader);
      return exported === undefined ? message : withExportMenu(message, exported);
    },
    stored(reader) {
      const exported = exportedLine(reader);
      return toStored(answer, { line, ...(exported !== undefined && { exportedLine: exported }) }, reader);
    },
    tables: (reader) => exportTables(answer, reader),
  } satisfies LineAnswer;
}

/** An answer that no line asks for: that of a form, and that of a button, for the person who pressed it. */
export const replyOf = (answer: Answer, { registry }: WorkCtx) => ({
  view: (reader: Reader) => toReply(answer, { reader, lineOf: registry.lineOf }),
});

export const replyTo = (answer: Answer, ctx: AskCtx): Message =>
  replyOf(answer, ctx).view(privateReader(ctx));
