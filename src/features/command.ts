import type { ExportTable } from '../answers/answer.ts';
import type { Reader } from '../answers/message.ts';
import { UserError } from '../errors.ts';
import type { AskCtx } from './ctx.ts';
import type { AnsweredLine, CommandHelp, LineContext, ParseContext, ReadLine } from './line.ts';
import type { Fields, ToolShape } from './tool-fields.ts';

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
export interface Command extends Required<CommandHelp> {
  tools: readonly CommandTool[];
  prepare(words: string, context: ParseContext): PreparedLine;
}

export const notForGuests = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message: "Guests of this workspace don't see references, usage or costs.",
    hint: 'Ask a member. Workspace admins choose what guests may do.',
    isPersonal: true,
  });

export interface ParsedLine extends PreparedLine {
  /** The last word of the typed line. The canonical line does not include it. */
  visibility?: 'public' | 'private';
  /** The canonical line, if a plain question was typed: the answer says how it was understood. */
  understoodAs?: string;
}

/** Parses a line that a person typed or a button holds. Throws only UserError. */
export type ParseLine = (text: string, context: LineContext) => ParsedLine;
