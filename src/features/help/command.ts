import { UserError } from '../../errors.ts';
import { quote } from '../../grammar/line-help.ts';
import { nearest } from '../../reference/nearest.ts';
import { type Command, legacyCommand } from '../command.ts';
import type { ParseContext } from '../line.ts';
import { type HelpAnswer, helpView } from './view.ts';

interface HelpArgs {
  /** All commands if left out. */
  command?: string;
}

/**
 * `/landfall` and `/landfall help`; parse-line.ts runs the other lines after `/landfall`. `commands` is a function
 * because the registry contains this command.
 */
export function createLandfall(commands: () => readonly Command[]): Command {
  return legacyCommand<HelpArgs, HelpAnswer, object>({
    name: 'landfall',
    summary:
      'Help, status, settings of the channel, who changed what, the account, tokens for assistants, or any other command line',
    usage:
      '[help [command] | status | settings [guests ask|full|none | links off|on|composer] | audit [of #channel] [by @person] | account | assistants | <any line>]',
    examples: [
      'landfall',
      'landfall status',
      'landfall help nextport',
      'landfall settings',
      'landfall audit',
      'landfall nextport 9461477',
    ],
    repeatable: true,
    privacy: 'on-request',
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
  const [typed] = rest;
  if (typed === undefined) return {};
  const name = typed.replace(/^\//, '');
  if (commands.some((command) => command.name === name)) return { command: name };
  throw new UserError({
    code: 'unknown-command',
    message: `${quote(typed)} isn't a command.`,
    choices: nearestCommands(name, commands).map((near) => ({
      label: `Help for ${near}`,
      line: `landfall help ${near}`,
    })),
    example: 'landfall help',
  });
}

/** The slash commands with the names nearest to a misspelt name, best first. */
export function nearestCommands(name: string, commands: readonly Command[]): string[] {
  const names = commands
    .filter(({ isUnderLandfall }) => !isUnderLandfall)
    .map((command) => ({ key: command.name, value: command.name }));
  return nearest(name, names, 3);
}

const format = ({ command }: HelpArgs): string =>
  command === undefined ? 'landfall' : `landfall help ${command}`;

function helpAnswer(args: HelpArgs, commands: readonly Command[], context: ParseContext): HelpAnswer {
  const shown = commands.filter(({ name, isUnderLandfall }) =>
    args.command === undefined ? !isUnderLandfall : name === args.command,
  );
  return {
    kind: 'help',
    line: format(args),
    commands: shown.map((command) => {
      const { name, summary, usage, examples, options, optionsNote, questions, isUnderLandfall } = command;
      const typedName = isUnderLandfall ? `landfall ${name}` : name;
      return {
        ...{ name: typedName, summary, usage, examples, options, optionsNote },
        questions: questions.map(({ example }) => example),
        runs: runsOf(command, context),
      };
    }),
  };
}

/** The examples for buttons, with their canonical lines: none that change something or belong to another command. */
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
