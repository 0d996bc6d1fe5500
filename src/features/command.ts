import type { LineFacts } from '../answers/comparison.ts';
import type { ExportTable } from '../answers/export-table.ts';
import { UserError } from '../errors.ts';
import { cleanLine } from '../grammar/clean.ts';
import { withExportMenu } from '../messages/frame/export-menu.ts';
import { verdictLines } from '../messages/frame/verdict-lines.ts';
import type { Message, Reader } from '../messages/message.ts';
import type { AnsweredLine, CommandHelp, LineContext, ParseContext, Privacy, ReadLine } from './line.ts';
import { commandCause, onlyInSlack, type RunContext } from './run-context.ts';
import type { Tool, ToolShape } from './tool.ts';
import type { Fields } from './tool-fields.ts';

/** A predicted call, for workflows. */
export interface NextCall {
  /** The port's name. */
  port: string;
  locode: string;
  /** From 0 to 1. */
  probability: number;
  eta?: Date;
}

/** A value for all lines of a command, or a function of a line's arguments. */
type PerLine<Args, Value> = Value | ((args: Args) => Value);

/** A command is one declaration: its help, its grammar, what it does and the view of its answer. */
interface CommandDefinition<Args, Answer, Services> extends CommandHelp {
  /** The line changes nothing, so it can be repeated: in a digest, behind a button or a link. */
  repeatable: PerLine<Args, boolean>;
  /** Guests who may only ask can run the line, such as the one that opens the settings. Default: `repeatable`. */
  onlyAsks?: PerLine<Args, boolean>;
  /** The line can end in `as csv`; then the answer's `table` is sent as a file. Default: `repeatable`. */
  isExportable?: PerLine<Args, boolean>;
  /** If left out: `open` for repeatable lines, `on-request` for the others. */
  privacy?: PerLine<Args, Privacy>;
  /** The line is about what a Slack workspace has stored, so the terminal can't run it. */
  needsSlack?: PerLine<Args, boolean>;
  /** The answer is about the channel in which the line is asked, so a workflow, which has none, can't ask it. */
  dependsOnPlace?: PerLine<Args, boolean>;
  /** See ReadLine. */
  title?: (args: Args) => string;
  /** Pure. `words`: everything after the name, already cleaned by grammar/clean. Throws UserError. */
  parse: (words: string, context: ParseContext) => Args;
  /** The canonical command line, name included, at most 1,500 characters: `parse(format(args))` gives `args` back. */
  format: (args: Args) => string;
  run: (args: Args, context: RunContext & Services) => Promise<Answer>;
  view: (answer: Answer, reader: Reader) => Message;
  /** The line that gives this answer outside of its digest; undefined or left out for the same line. */
  lineOutside?: (answer: Answer) => string | undefined;
  /** The facts that a digest compares with its previous run; null or left out if the answer has none. */
  facts?: (answer: Answer) => LineFacts | null;
  /** The answer itself says what has changed, so a digest has news without comparing. Default: false. */
  hasNews?: (answer: Answer) => boolean;
  /**
   * What a file with the answer holds (`… as csv`): all rows, not only those of the page. Left out, or undefined, for an
   * answer that is not a table.
   */
  table?: (answer: Answer, reader: Reader) => ExportTable | undefined;
  /** The predicted call that the answer is about, if it is about one: the fields of a workflow step. */
  nextCall?: (answer: Answer) => NextCall | undefined;
  /** What assistants can ask, with named fields instead of a line. */
  tools?: readonly Tool<Args, Answer>[];
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
  run(context: RunContext): Promise<LineAnswer>;
}

/** A tool's call, ready to run. */
export interface PreparedTool extends Omit<PreparedLine, 'run'> {
  run(context: RunContext): Promise<ToolAnswer>;
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

/** A definition with its types and its feature's services closed over, so that the registry can hold all of them. */
export interface Command extends Required<CommandHelp> {
  tools: readonly CommandTool[];
  prepare(words: string, context: ParseContext): PreparedLine;
}

/** Returns a function that binds the definition to the services of its feature. */
export function legacyCommand<Args, Answer, Services extends object>(
  definition: CommandDefinition<Args, Answer, Services>,
): (services: Services) => Command {
  const {
    name,
    summary,
    usage,
    examples,
    options = [],
    optionsNote = '',
    questions = [],
    tables = [],
    isUnderLandfall = false,
  } = definition;
  const { repeatable, onlyAsks = repeatable, isExportable = repeatable, privacy } = definition;
  const { needsSlack = false, dependsOnPlace = false } = definition;
  return (services) => {
    const prepare = (args: Args) => {
      const isRepeatable = valueFor(args, repeatable);
      const isForSlack = valueFor(args, needsSlack);
      const canExport = valueFor(args, isExportable);
      const line = definition.format(args);
      const lineIsInternal = privacy !== undefined && valueFor(args, privacy) === 'internal';
      return {
        command,
        line,
        repeatable: isRepeatable,
        onlyAsks: valueFor(args, onlyAsks),
        isExportable: canExport,
        privacy: (privacy && valueFor(args, privacy)) ?? (isRepeatable ? 'open' : 'on-request'),
        needsSlack: isForSlack,
        dependsOnPlace: valueFor(args, dependsOnPlace),
        ...(definition.title && { title: definition.title(args) }),
        async run(context: RunContext) {
          if (isForSlack && !context.place) throw onlyInSlack();
          if (lineIsInternal && context.actor.asksOnly) throw notForGuests();
          const { cause = commandCause(name, context.place) } = context;
          const value = await definition.run(args, { ...context, cause, ...services });
          return {
            value,
            facts: definition.facts?.(value) ?? null,
            hasNews: definition.hasNews?.(value) ?? false,
            isForecast: definition.facts !== undefined,
            nextCall: definition.nextCall?.(value),
            brief: (reader: Reader) => verdictLines(definition.view(value, reader)),
            view(reader: Reader) {
              const message = definition.view(value, reader);
              const hasRows = canExport && definition.table?.(value, reader)?.rowCount;
              return hasRows ? withExportMenu(message, definition.lineOutside?.(value) ?? line) : message;
            },
            tables(reader: Reader) {
              const table = definition.table?.(value, reader);
              return table ? [table] : [];
            },
          };
        },
      };
    };
    const parseLine = (line: string, parseContext: ParseContext) =>
      definition.parse(cleanLine(line).slice(name.length).trim(), parseContext);
    const bindTool = ({ read, toFields, toOutput, ...shape }: Tool<Args, Answer>): CommandTool => ({
      ...shape,
      prepare(input, parseContext) {
        const { line, check } = read(input);
        const args = parseLine(line, parseContext);
        check(args, definition.format(args));
        const { run, ...prepared } = prepare(args);
        return {
          ...prepared,
          async run(context) {
            const answer = await run(context);
            return { ...answer, output: (reader) => toOutput(answer.value, reader) };
          },
        };
      },
      fieldsOf(line, parseContext) {
        if (line.split(' ', 1)[0] !== name) return undefined;
        try {
          return toFields(parseLine(line, parseContext));
        } catch (error) {
          if (error instanceof UserError) return undefined;
          throw error;
        }
      },
    });
    const command: Command = {
      ...{ name, summary, usage, examples, options, optionsNote, questions, tables, isUnderLandfall },
      tools: (definition.tools ?? []).map(bindTool),
      prepare: (words, parseContext) => prepare(definition.parse(words, parseContext)),
    };
    return command;
  };
}

export const notForGuests = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message: "Guests of this workspace don't see references, usage or costs.",
    hint: 'Ask a member. Workspace admins choose what guests may do.',
    isPersonal: true,
  });

function valueFor<Args, Value extends string | boolean>(args: Args, value: PerLine<Args, Value>): Value {
  return typeof value === 'function' ? value(args) : value;
}

export interface ParsedLine extends PreparedLine {
  /** The last word of the typed line. The canonical line does not include it. */
  visibility?: 'public' | 'private';
  /** The canonical line, if a plain question was typed: the answer says how it was understood. */
  understoodAs?: string;
}

/** Parses a line that a person typed or a button holds. Throws only UserError. */
export type ParseLine = (text: string, context: LineContext) => ParsedLine;
