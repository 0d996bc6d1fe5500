import { type Choice, UserError } from '../errors.ts';
import type { Imo, PortOrGroup } from '../reference/codes.ts';
import { isKnownPort } from '../reference/ports.ts';
import type { Command, ParsedLine, PreparedLine } from './command.ts';
import type { LineContext, ParseContext } from './ctx.ts';
import type { Questions, Tried } from './questions.ts';

export interface Context extends LineContext, ParseContext {
  commands: readonly Command[];
  questions: Questions;
  /** The line began with the name of the bot's own command. */
  isOwn?: boolean;
  /** As it was typed, with the question mark. */
  typed: string;
  /** Why the grammar can't read the line, which is then read by what it names. */
  unread?: UserError;
  isCorrected?: boolean;
  /** Reads a line of a digest as a text, for a digest that is offered. */
  readInnerText: (line: string) => ParsedLine;
}

export type How = Pick<Context, 'unread' | 'isCorrected'>;

/** Every registry has one of each kind. */
export function commandTaking(kind: Command['takes'], { commands }: Pick<Context, 'commands'>): Command {
  const found = commands.find(({ takes }) => takes === kind);
  if (!found) throw new Error(`no command takes ${kind}`);
  return found;
}

export function split(line: string): { name: string; rest: string } {
  const [, first = '', rest = ''] = /^\/?(\S*)\s*(.*)$/s.exec(line) ?? [];
  return { name: first.toLowerCase(), rest };
}

export const isCommand = (name: string, { commands }: Pick<Context, 'commands'>): boolean =>
  commands.some((command) => command.name === name);

export function prepare(name: string, words: string, context: Context): PreparedLine {
  const command = context.commands.find((candidate) => candidate.name === name);
  if (!command) throw new Error(`there is no command ${name}`);
  try {
    return command.prepare(words, context);
  } catch (error) {
    const isUnfinished = error instanceof UserError && error.code === 'missing-argument';
    if (!isUnfinished || command.takes !== 'vessels') throw error;
    if (subjectOf(context) !== undefined) return prepareForSubject(words, context);
    throw askWhichVessel(words, context) ?? error;
  }
}

/** The vessel that the line's thread is about, if there is exactly one. */
export const subjectOf = ({ threadVessels = [] }: Context): Imo | undefined =>
  threadVessels.length === 1 ? threadVessels[0] : undefined;

export const prepareForSubject = (words: string, context: Context): PreparedLine =>
  commandTaking('vessels', context).prepare(`${subjectOf(context)} ${words}`.trim(), withoutThread(context));

/** The line must be complete without the thread's vessels. */
const withoutThread = ({ threadVessels: _, ...context }: Context): Context => context;

/** An error that asks which vessel `history` means in a thread about several. Undefined if the words don't need a single vessel. */
export function askWhichVessel(words: string, context: Context): UserError | undefined {
  const { threadVessels = [] } = context;
  if (threadVessels.length < 2) return undefined;
  const offered = threadVessels.slice(0, maxVesselsOffered).join(', ');
  const { error } = tryTaking('vessels', `${offered} ${words}`, context);
  return error?.code === 'too-many-vessels' ? error : undefined;
}

const maxVesselsOffered = 5;

export function tryPrepare(name: string, words: string, context: Context): Tried {
  try {
    return { prepared: prepare(name, words, withoutThread(context)) };
  } catch (error) {
    if (error instanceof UserError) return { error };
    throw error;
  }
}

export const tryTaking = (kind: Command['takes'], words: string, context: Context): Tried =>
  tryPrepare(commandTaking(kind, context).name, words, context);

/** Of a line that the command which takes ports offers. */
export const rereadPorts = ({ line }: Choice, context: Context): readonly PortOrGroup[] =>
  tryTaking('ports', split(line).rest, context).prepared?.ports ?? [];

/** The reference data has all of them: any word of five letters has the shape of a UN/LOCODE. */
export const namesKnownPorts = (ports: readonly PortOrGroup[]): boolean =>
  ports.length > 0 && ports.every(isKnownPort);
