import { type Choice, ownLines, UserError } from '../../errors.ts';
import { quote } from '../../grammar/line.ts';
import { meantBy, nearest } from '../../reference/nearest.ts';
import { readAbout } from '../bot-topics.ts';
import { command, variant } from '../command.ts';
import type { AskCtx, CommandHelp, ParseContext } from '../ctx.ts';
import type { Feature } from '../feature.ts';
import { allCommands, helpFor, oneCommand, type ShownCommand } from './answer.ts';
import { healthLine, serviceState, statusCommand } from './status.ts';

interface HelpValues {
  /** All commands if left out. */
  command?: string;
}

export const showAllCommands: Choice = { label: 'Show all commands', line: ownLines.all };

const helpVariant = variant<HelpValues>({
  format: ({ command: name }) => (name === undefined ? ownLines.all : `${ownLines.help} ${name}`),
  effect: 'reads',
  privacy: 'on-request',
  async run({ command: name }, ctx) {
    const { commands } = ctx.registry;
    const one = commands.find((each) => each.name === name);
    if (one) return oneCommand(shownIn(one, ctx), ctx.place);
    return allCommands(
      commands.filter(({ isUnderLandfall }) => !isUnderLandfall).map((each) => shownIn(each, ctx)),
      ctx.place,
    );
  },
});

/** `landfall` and `landfall help`; parse-line.ts runs the other lines after `landfall`. */
const landfallCommand = command({
  name: ownLines.all,
  summary:
    'Help, status, costs, the limit of calls, pausing everything, settings of the channel, who changed what, all that is set up, the account, tokens for assistants, what is stored about you, or any other command line',
  usage:
    '[help [command] | status | costs | limit [CALLS a day|none] | pause [until WHEN] | resume | settings [guests ask|full|none | links off|on|composer] | audit [since WHEN] [of #channel] [by @person] | overview [of #channel] [by @person] | account | assistants | export | forget | <any line>]',
  usageHint: 'help [command] | status | costs | limit | pause | <any line>',
  questions: [
    {
      example: 'What can you do?',
      asked: [
        'what (?:can|do) (?:you|i) (?:do|ask|ask you|know)(?: here)?',
        'how (?:does|do) (?:this|it|you|landfall|the bot)(?: bot)? work',
        '(?:who|what) (?:are|r) (?:you|u)',
        'how (?:can|do) i (?:use (?:this|you|it|landfall)|ask (?:you )?(?:something|questions?))',
      ],
      words: '',
    },
  ],
  ...readAbout('help'),
  examples: [ownLines.all, ownLines.status, ownLines.settings, ownLines.audit, ownLines.overview],
  variants: [helpVariant],
  parse: (words, context) => helpVariant.of(parse(words, context)),
});

/** Help, and the health of Landfall and the service. */
export const help: Feature = {
  commands: [landfallCommand, statusCommand],
  prompts: [{ title: 'What can I ask?', line: 'help' }],
  homeFooter: (reader, ctx) => [healthLine(serviceState(ctx), reader)],
};

function parse(words: string, { commands = [] }: ParseContext): HelpValues {
  const [first = 'help', ...rest] = words
    .toLowerCase()
    .replace(/^help (?:with|on|about|for) (?:the |my |our )?/, 'help ')
    .split(' ')
    .filter(Boolean);
  if (first !== 'help' || rest.length > 1)
    throw new UserError({
      code: 'unexpected-words',
      message: '“help” takes one command.',
      choices: [showAllCommands],
      example: helpFor(commands),
    });
  const [typed] = rest;
  if (typed === undefined) return {};
  const name = typed.replace(/^\//, '');
  const meant = commands.find((each) => new RegExp(`^${each.name}(?:e?s)?$`).test(name));
  if (meant) return { command: meant.name };
  throw new UserError({
    code: 'unknown-command',
    message: `${quote(typed)} isn't a command.`,
    choices: nearestCommands(name, commands).map((near) => ({
      label: `Help for ${near}`,
      line: `${ownLines.help} ${near}`,
    })),
    example: ownLines.help,
  });
}

/** The slash commands with the names nearest to a misspelt name, best first. */
export const nearestCommands = (name: string, commands: readonly CommandHelp[]): string[] =>
  nearest(name, namesOf(commands), 3);

/**
 * The slash command that a misspelt name means; undefined if it may mean several, or none. `isOwn`: it follows `landfall`,
 * as `help` and others may.
 */
export const misspeltCommand = (
  name: string,
  { commands, isOwn = false }: { commands: readonly CommandHelp[]; isOwn?: boolean },
): string | undefined =>
  meantBy(name, isOwn ? [...commands.map(({ name: own }) => own), 'help'].map(named) : namesOf(commands));

const named = (name: string) => ({ key: name, value: name });

const namesOf = (commands: readonly CommandHelp[]) =>
  commands.filter(({ isUnderLandfall }) => !isUnderLandfall).map(({ name }) => named(name));

/** With the examples for buttons: none that change something or belong to another command. */
function shownIn(shown: CommandHelp, { registry, vessels }: AskCtx): ShownCommand {
  const runs = shown.examples.flatMap((label) => {
    const read = registry.parseLine(label, { vessels });
    return read.repeatable && read.command.name === shown.name ? [{ label, line: read.line }] : [];
  });
  return { ...shown, runs };
}
