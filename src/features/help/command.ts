import { UserError } from '../../errors.ts';
import { quote } from '../../grammar/line-help.ts';
import { nearest } from '../../reference/nearest.ts';
import { type GuestRights, guestRights } from '../../workspaces/guests.ts';
import { askAudit } from '../audit/answer.ts';
import { type AuditAnswer, auditEntryView, auditView } from '../audit/view.ts';
import { type AuditArgs, formatAudit, parseAudit } from '../audit/words.ts';
import { type Command, defineCommand, type ParseContext } from '../feature.ts';
import { askSettings, changeGuests } from '../settings/answer.ts';
import { type GuestsAnswer, guestChoices, guestsView } from '../settings/guests-view.ts';
import { channelSettingsView, type SettingsAnswer } from '../settings/view.ts';
import { serviceState } from './status.ts';
import { type StatusAnswer, statusView } from './status-view.ts';
import { type HelpAnswer, helpView } from './view.ts';

export type LandfallArgs =
  | { kind: 'help'; command?: string }
  | { kind: 'status' | 'settings' }
  | { kind: 'guests'; guests: GuestRights }
  | AuditArgs;

/**
 * `/landfall`, `help` and `status`. That it also runs any other line is known to prepare-line, which comes
 * first. The registry comes in as a function, since this command stands in it.
 */
export function createLandfall(commands: () => readonly Command[]): Command {
  return defineCommand<LandfallArgs, HelpAnswer | StatusAnswer | AuditAnswer | SettingsAnswer | GuestsAnswer>(
    {
      name: 'landfall',
      summary: 'Help, status, settings of the channel, who changed what, or any other command line',
      usage: '[help [command] | status | settings | audit [of #channel] [by @person] | <any line>]',
      examples: [
        'landfall',
        'landfall status',
        'landfall help nextport',
        'landfall settings',
        'landfall audit',
        'landfall nextport 9461477',
      ],
      more: [
        'Workspace admins choose what guests may do:',
        ...guestRights.map((rights) => {
          const { label, says } = guestChoices[rights];
          return `\`landfall settings guests ${rights}\`: ${label}. ${says}`;
        }),
      ],
      repeatable: ({ kind }) => kind === 'help' || kind === 'status',
      onlyAsks: ({ kind }) => kind !== 'guests',
      // Who may change the settings sees other buttons under them.
      privacy: ({ kind }) => (isAudit(kind) ? 'closed' : kind === 'settings' ? 'personal' : 'asked'),
      inSlack: ({ kind }) => kind === 'settings' || kind === 'guests' || isAudit(kind),
      parse: (words) => parse(words, commands()),
      format,
      async run(args, context) {
        switch (args.kind) {
          case 'help':
            return helpAnswer(args, commands(), context);
          case 'status':
            return { kind: 'status', line: format(args), ...serviceState(context) };
          case 'settings':
            return askSettings(context);
          case 'guests':
            return changeGuests(args.guests, context);
          case 'audit':
          case 'audit-entry':
            return askAudit(args, format(args), context);
        }
      },
      view(answer, reader) {
        switch (answer.kind) {
          case 'help':
            return helpView(answer);
          case 'status':
            return statusView(answer, reader);
          case 'settings':
            return channelSettingsView(answer);
          case 'guests':
            return guestsView(answer);
          case 'audit':
            return auditView(answer, reader);
          case 'audit-entry':
            return auditEntryView(answer, reader);
        }
      },
    },
  );
}

const isAudit = (kind: LandfallArgs['kind']): boolean => kind === 'audit' || kind === 'audit-entry';

function parse(words: string, commands: readonly Command[]): LandfallArgs {
  const [first = 'help', ...rest] = words.toLowerCase().split(' ').filter(Boolean);
  if ((first === 'status' || first === 'settings') && rest.length === 0) return { kind: first };
  if (first === 'settings' && rest[0] === 'guests')
    return { kind: 'guests', guests: readGuests(rest.slice(1)) };
  if (first === 'audit') return parseAudit(words.replace(/^\s*audit\b\s*/i, ''));
  if (first !== 'help' || rest.length > 1)
    throw new UserError({
      code: 'unexpected-words',
      message:
        first === 'status' || first === 'settings'
          ? `Nothing follows the word ${first}.`
          : 'The word help takes one command after it.',
      example: 'landfall help nextport',
    });
  const [asked] = rest;
  if (asked === undefined) return { kind: 'help' };
  const name = asked.replace(/^\//, '');
  if (commands.some((command) => command.name === name)) return { kind: 'help', command: name };
  throw new UserError({
    code: 'unknown-command',
    message: `${quote(asked)} is no command.`,
    choices: nearestCommands(name, commands).map((near) => ({
      label: `Help for ${near}`,
      line: `landfall help ${near}`,
    })),
    example: 'landfall help',
  });
}

function readGuests([typed, ...others]: string[]): GuestRights {
  const guests = guestRights.find((known) => known === typed);
  if (guests && others.length === 0) return guests;
  throw new UserError({
    code: typed === undefined ? 'missing-argument' : 'unexpected-words',
    message: 'What may guests of the workspace do?',
    choices: guestRights.map((one) => ({
      label: guestChoices[one].label,
      line: format({ kind: 'guests', guests: one }),
    })),
    example: format({ kind: 'guests', guests: 'ask' }),
  });
}

/** The commands whose names are nearest to a misspelt one, best first. */
export function nearestCommands(name: string, commands: readonly Command[]): string[] {
  const names = commands.map((command) => ({ key: command.name, value: command.name }));
  return nearest(name, names, { count: 3, weigh: (value) => names.findIndex(({ key }) => key === value) });
}

function format(args: LandfallArgs): string {
  switch (args.kind) {
    case 'help':
      return args.command === undefined ? 'landfall' : `landfall help ${args.command}`;
    case 'status':
    case 'settings':
      return `landfall ${args.kind}`;
    case 'guests':
      return `landfall settings guests ${args.guests}`;
    default:
      return formatAudit(args);
  }
}

function helpAnswer(
  args: LandfallArgs & { kind: 'help' },
  commands: readonly Command[],
  context: ParseContext,
): HelpAnswer {
  const asked = args.command;
  return {
    kind: 'help',
    line: format(args),
    commands: commands
      .filter(({ name }) => asked === undefined || name === asked)
      .map((command) => {
        const { name, summary, usage, examples, more } = command;
        return { name, summary, usage, examples, more, runs: runsOf(command, context) };
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
