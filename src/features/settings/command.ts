import { UserError } from '../../errors.ts';
import { quote } from '../../grammar/line-help.ts';
import { guestRights, linkModes, type Visibility } from '../../workspaces/settings.ts';
import { legacyCommand } from '../command.ts';
import type { ParseContext } from '../line.ts';
import { actorIn } from '../run-context.ts';
import { askSettings, type SettingsServices } from './service.ts';
import {
  type ChangedAnswer,
  changedView,
  channelSettingsView,
  lineFor,
  type SettingsAnswer,
  type WorkspaceChange,
  workspaceChoices,
} from './view.ts';

interface SettingsArgs {
  /** If left out, the line shows the settings. */
  change?: WorkspaceChange;
}

/** What can be typed, setting by setting. */
const changes: { [Setting in WorkspaceChange['setting']]: readonly WorkspaceChange[] } = {
  guests: guestRights.map((value) => ({ setting: 'guests', value })),
  links: linkModes.map((value) => ({ setting: 'links', value })),
};

export const settings = legacyCommand<SettingsArgs, SettingsAnswer | ChangedAnswer, SettingsServices>({
  name: 'settings',
  isUnderLandfall: true,
  summary:
    'The settings of the channel, what guests may do, and whether links to vessels show the next ports',
  usage: `[guests ${guestRights.join('|')} | links ${linkModes.join('|')}]`,
  examples: ['landfall settings', 'landfall settings guests ask', 'landfall settings links on'],
  options: Object.values(changes)
    .flat()
    .map((change) => {
      const { label, says } = wordsFor(change);
      return { typed: `${change.setting} ${change.value}`, help: `${label}. ${says}` };
    }),
  optionsNote: 'Workspace admins choose what guests may do, and what links show',
  repeatable: false,
  onlyAsks: ({ change }) => change === undefined,
  // The buttons depend on whether the reader may change the settings.
  privacy: ({ change }) => (change === undefined ? 'personal' : 'on-request'),
  needsSlack: true,
  parse,
  format: ({ change }) => (change === undefined ? 'landfall settings' : lineFor(change)),
  run: async ({ change }, context) => {
    if (change === undefined) return await askSettings(context);
    const actor = actorIn(context);
    return change.setting === 'guests'
      ? { kind: 'changed', ...change, before: await context.guests.change(change.value, actor) }
      : { kind: 'changed', ...change, before: await context.links.change(change.value, actor) };
  },
  view: (answer) => (answer.kind === 'changed' ? changedView(answer) : channelSettingsView(answer)),
});

function parse(words: string, { visibility }: ParseContext): SettingsArgs {
  const [first, typed, ...others] = words.toLowerCase().split(' ').filter(Boolean);
  if (first === undefined && visibility !== undefined) throw notTyped(visibility);
  if (first === undefined) return {};
  if (first !== 'guests' && first !== 'links')
    throw new UserError({
      code: 'unexpected-words',
      message: 'Only “guests” or “links” can follow “settings”.',
      example: 'landfall settings',
    });
  const change = changes[first].find(({ value }) => value === typed);
  if (change && others.length === 0) return { change };
  throw new UserError({
    code: typed === undefined ? 'missing-argument' : 'unexpected-words',
    message: questions[first],
    choices: changes[first].map((each) => ({ label: wordsFor(each).label, line: lineFor(each) })),
    example: first === 'guests' ? 'landfall settings guests ask' : 'landfall settings links on',
  });
}

/** `settings public` would show the settings to everybody; it is rather meant as a change of them. */
const notTyped = (visibility: Visibility): UserError =>
  new UserError({
    code: 'unexpected-words',
    message: `${quote(visibility)} isn't a setting that can be typed.`,
    hint: "Who sees the answers is one of the channel's settings: open them to change it.",
    choices: [{ label: 'Show the settings', line: 'landfall settings' }],
    example: 'landfall settings',
  });

const questions = {
  guests: 'What may guests of the workspace do?',
  links: 'What happens to links to vessels in this workspace?',
} as const;

function wordsFor(change: WorkspaceChange): { label: string; says: string } {
  return change.setting === 'guests'
    ? workspaceChoices.guests[change.value]
    : workspaceChoices.links[change.value];
}
