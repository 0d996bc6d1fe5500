import { UserError } from '../../errors.ts';
import { quote } from '../../grammar/line-help.ts';
import { type Command, defineCommand, type ParseContext } from '../command.ts';
import { nearestCommands } from './nearest-commands.ts';
import { type HelpAnswer, helpView } from './view.ts';

interface HelpArgs {
  /** The one that is asked about. */
  command?: string;
}

/**
 * `/landfall` and `help`. That `/landfall` runs any other line as well is parse-line's work, which comes first. The
 * registry comes in as a function, since this command is in it.
 */
export function createLandfall(commands: () => readonly Command[]): Command {
  return defineCommand<HelpArgs, HelpAnswer, object>({
    name: 'landfall',
    summary: 'Help, status, settings of the channel, who changed what, or any other command line',
    usage:
      '[help [command] | status | settings [guests ask|full|none] | audit [of #channel] [by @person] | <any line>]',
    examples: [
      'landfall',
      'landfall status',
      'landfall help nextport',
      'landfall settings',
      'landfall audit',
      'landfall nextport 9461477',
    ],
    repeatable: true,
    privacy: 'asked',
    parse: (words) => parse(words, commands()),
    format,
    run: async (args, context) => helpAnswer(args, commands(), context),
    view: helpView,
  })({});
}

function parse(words: string, commands: readonly Command[]): HelpArgs {
  const [first = 'help', ...rest] = words.toLowerCase().split(' ').filter(Boolean);
  if (first !== 'help' || rest.length > 1)
    throw new UserError({
      code: 'unexpected-words',
      message: '“help” takes one command.',
      example: 'landfall help nextport',
    });
  const [asked] = rest;
  if (asked === undefined) return {};
  const name = asked.replace(/^\//, '');
  if (commands.some((command) => command.name === name)) return { command: name };
  throw new UserError({
    code: 'unknown-command',
    message: `${quote(asked)} isn't a command.`,
    choices: nearestCommands(name, commands).map((near) => ({
      label: `Help for ${near}`,
      line: `landfall help ${near}`,
    })),
    example: 'landfall help',
  });
}

const format = ({ command }: HelpArgs): string =>
  command === undefined ? 'landfall' : `landfall help ${command}`;

function helpAnswer(args: HelpArgs, commands: readonly Command[], context: ParseContext): HelpAnswer {
  const asked = args.command;
  return {
    kind: 'help',
    line: format(args),
    commands: commands
      .filter(({ name, isUnderLandfall }) => (asked === undefined ? !isUnderLandfall : name === asked))
      .map((command) => {
        const { name, summary, usage, examples, more, isUnderLandfall } = command;
        const typed = isUnderLandfall ? `landfall ${name}` : name;
        return { name: typed, summary, usage, examples, more, runs: runsOf(command, context) };
      }),
  };
}

/** The examples with their canonical lines; those of another command, and those that change something, are not run from here. */
function runsOf(command: Command, context: ParseContext): { label: string; line: string }[] {
  return command.examples.flatMap((label) => {
    const words = label.slice(command.name.length).trim();
    try {
      const { line, repeatable } = command.prepare(words, context);
      return repeatable ? [{ label, line }] : [];
    } catch (error) {
      if (error instanceof UserError) return [];
      throw error;
    }
  });
}
