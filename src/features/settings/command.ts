import { UserError } from '../../errors.ts';
import { type GuestRights, guestRights } from '../../workspaces/settings.ts';
import { defineCommand } from '../command.ts';
import { actorIn } from '../run-context.ts';
import { askSettings, type SettingsServices } from './service.ts';
import {
  channelSettingsView,
  type GuestsAnswer,
  guestChoices,
  guestsView,
  type SettingsAnswer,
} from './view.ts';

interface SettingsArgs {
  /** If left out, the line shows the settings. */
  guests?: GuestRights;
}

export const settings = defineCommand<SettingsArgs, SettingsAnswer | GuestsAnswer, SettingsServices>({
  name: 'settings',
  isUnderLandfall: true,
  summary: 'The settings of the channel, and what guests of the workspace may do',
  usage: `[guests ${guestRights.join('|')}]`,
  examples: ['landfall settings', 'landfall settings guests ask'],
  options: guestRights.map((rights) => {
    const { label, says } = guestChoices[rights];
    return { typed: `guests ${rights}`, help: `${label}. ${says}` };
  }),
  optionsNote: 'Workspace admins choose what guests may do',
  repeatable: false,
  onlyAsks: ({ guests }) => guests === undefined,
  // The buttons depend on whether the reader may change the settings.
  privacy: ({ guests }) => (guests === undefined ? 'personal' : 'on-request'),
  needsSlack: true,
  parse,
  format,
  run: async ({ guests }, context) => {
    if (guests === undefined) return await askSettings(context);
    return { kind: 'guests', guests, before: await context.guests.change(guests, actorIn(context)) };
  },
  view: (answer) => (answer.kind === 'guests' ? guestsView(answer) : channelSettingsView(answer)),
});

function parse(words: string): SettingsArgs {
  const [first, typed, ...others] = words.toLowerCase().split(' ').filter(Boolean);
  if (first === undefined) return {};
  if (first !== 'guests')
    throw new UserError({
      code: 'unexpected-words',
      message: 'Only “guests” can follow “settings”.',
      example: 'landfall settings',
    });
  const guests = guestRights.find((rights) => rights === typed);
  if (guests && others.length === 0) return { guests };
  throw new UserError({
    code: typed === undefined ? 'missing-argument' : 'unexpected-words',
    message: 'What may guests of the workspace do?',
    choices: guestRights.map((rights) => ({
      label: guestChoices[rights].label,
      line: format({ guests: rights }),
    })),
    example: format({ guests: 'ask' }),
  });
}

function format({ guests }: SettingsArgs): string {
  return guests === undefined ? 'landfall settings' : `landfall settings guests ${guests}`;
}
