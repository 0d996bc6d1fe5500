import type { VesselDirectory } from '../grammar/vessel-directory.ts';
import type { Message, Reader } from '../messages/message.ts';
import type { Imo } from '../reference/imo.ts';
import type { LineFacts } from './line-facts.ts';
import { onlyInSlack, type RunContext } from './run-context.ts';

/** What parsing may know. It has no clock: what is relative stays relative until `run`. */
export interface ParseContext {
  vessels: VesselDirectory;
}

/**
 * Who sees the answer of a line whose words do not say: `open`: as the channel's settings have it; `asked`: others
 * only on request; `inside`: then too only where nobody of another organisation reads; `personal`: it depends on the
 * person who asks, see below; `closed`: never anybody else.
 */
export type Privacy = 'open' | 'asked' | 'inside' | 'personal' | 'closed';

/**
 * The answer shows what only the person who asks may see, such as other channels. Others see it where that person
 * types `public` or shares it; a mention, a Refresh and a digest in a channel never show it to them.
 */
export const isPersonal = ({ privacy }: { privacy?: Privacy }): boolean =>
  privacy === 'personal' || privacy === 'closed';

/** A command is one declaration: its name, its help, its words, its call, its view. */
interface CommandDefinition<Args, Answer, Services> {
  name: string;
  /** It has no slash command of its own: `/landfall settings`. */
  isUnderLandfall?: boolean;
  /** One line, without a full stop. */
  summary: string;
  /** The words after the name: `<vessel> [compare]`. */
  usage: string;
  /** Whole command lines without the slash. */
  examples: readonly [string, ...string[]];
  /** Lines for the help of this command alone; markup as in Slack. */
  more?: readonly string[];
  /** Reads only: it alone can be in a digest, a button, or a link. A function where not all of its lines do. */
  repeatable: boolean | ((args: Args) => boolean);
  /** It changes nothing: those may run it who may only ask. Left out: as `repeatable`. */
  onlyAsks?: boolean | ((args: Args) => boolean);
  /** Left out: `open` for lines that only read, `asked` for the others. */
  privacy?: Privacy | ((args: Args) => Privacy);
  /** It needs the store of a workspace, so the terminal does not run it. */
  inSlack?: boolean | ((args: Args) => boolean);
  /** `words`: what follows the name, already cleaned by grammar/clean. Throws UserError; pure. */
  parse: (words: string, context: ParseContext) => Args;
  /** The canonical command line, name included, at most 1,500 characters: `parse(format(args))` gives `args` back. */
  format: (args: Args) => string;
  run: (args: Args, context: RunContext & Services) => Promise<Answer>;
  view: (answer: Answer, reader: Reader) => Message;
  /** What a digest compares with the one before; null or left out where nothing in it could be new. */
  facts?: (answer: Answer) => LineFacts | null;
}

/** An answer that has been asked for: data, and the way to show it. */
export interface Answered {
  /** JSON-able, for `ask --json`. */
  value: unknown;
  facts: LineFacts | null;
  view(reader: Reader): Message;
}

/** A command line that has been parsed, before anything was asked. */
export interface Prepared {
  command: Command;
  /** Canonical. */
  line: string;
  /** This very line only reads. */
  repeatable: boolean;
  onlyAsks: boolean;
  privacy: Privacy;
  inSlack: boolean;
  run(context: RunContext): Promise<Answered>;
}

/** A definition with its types and its feature's services closed over, so that the registry can hold all of them. */
export interface Command {
  name: string;
  isUnderLandfall: boolean;
  summary: string;
  usage: string;
  examples: readonly string[];
  more: readonly string[];
  /** All of its lines only read. */
  repeatable: boolean;
  prepare(words: string, context: ParseContext): Prepared;
}

/** Gives a function that binds the definition to the services of its feature. */
export function defineCommand<Args, Answer, Services extends object>(
  definition: CommandDefinition<Args, Answer, Services>,
): (services: Services) => Command {
  const { name, summary, usage, examples, more = [], isUnderLandfall = false } = definition;
  const { repeatable, onlyAsks = repeatable, privacy, inSlack = false, facts } = definition;
  return (services) => {
    const command: Command = {
      name,
      isUnderLandfall,
      summary,
      usage,
      examples,
      more,
      repeatable: repeatable === true,
      prepare(words, parseContext) {
        const args = definition.parse(words, parseContext);
        const onlyReads = typeof repeatable === 'function' ? repeatable(args) : repeatable;
        const chosen = typeof privacy === 'function' ? privacy(args) : privacy;
        const needsStore = typeof inSlack === 'function' ? inSlack(args) : inSlack;
        return {
          command,
          line: definition.format(args),
          repeatable: onlyReads,
          onlyAsks: typeof onlyAsks === 'function' ? onlyAsks(args) : onlyAsks,
          privacy: chosen ?? (onlyReads ? 'open' : 'asked'),
          inSlack: needsStore,
          async run(context) {
            if (needsStore && !context.place) throw onlyInSlack();
            const value = await definition.run(args, { ...context, ...services });
            return {
              value,
              facts: facts?.(value) ?? null,
              view: (reader) => definition.view(value, reader),
            };
          },
        };
      },
    };
    return command;
  };
}

/** The words at the end of a line that say who is to see its answer; never part of the canonical line. */
export interface ParsedLine extends Prepared {
  visibility?: 'public' | 'private';
}

/** Any line that a person typed, or a button holds, to a command that can be run. Throws UserError, and nothing else. */
export type ParseLine = (text: string, context: LineContext) => ParsedLine;

export interface LineContext extends ParseContext {
  /** What a line without a subject is about: the vessels of the card in whose thread it was written. */
  about?: readonly Imo[];
}
