import { z } from 'zod';
import type { Answer } from '../../answers/answer.ts';
import type { FormView } from '../../answers/fields.ts';
import { ownLines, UserError } from '../../errors.ts';
import { quote } from '../../grammar/line.ts';
import { type Actor, notInChannel } from '../../workspaces/permissions.ts';
import {
  type ChannelSettings,
  channelModes,
  guestRights,
  linkModes,
  type Visibility,
  visibilities,
  whoMayAddChoices,
} from '../../workspaces/settings.ts';
import { readAbout } from '../bot-topics.ts';
import { command, replyOf, type VariantLine, variant } from '../command.ts';
import {
  type AskCtx,
  actorIn,
  currentActor,
  type ParseContext,
  placeIn,
  type Question,
  type WorkCtx,
} from '../ctx.ts';
import { form } from '../feature.ts';
import {
  changedAnswer,
  lineFor,
  settingChoices,
  settingsAnswer,
  type WorkspaceChange,
  wordsFor,
} from './answer.ts';

const shown = variant<object>({
  format: () => ownLines.settings,
  effect: 'opens',
  // The buttons depend on whether the reader may change the settings.
  privacy: 'personal',
  of: 'workspace',
  async run(_, ctx) {
    const actor = actorInChannel(ctx);
    return await readSettings(actor.channelId, actor, ctx);
  },
});

const changed = variant<WorkspaceChange>({
  format: lineFor,
  confirmation: 'Yes, change it',
  effect: 'changes',
  of: 'workspace',
  run: change,
});

/** What can be typed, setting by setting. */
const changes: { [Setting in WorkspaceChange['setting']]: readonly WorkspaceChange[] } = {
  guests: guestRights.map((value) => ({ setting: 'guests', value })),
  links: linkModes.map((value) => ({ setting: 'links', value })),
};

const here = '(?: (?:in |of |for )?(?:here|this channel|this workspace|the channel))?';

const settingsQuestions: readonly Question[] = [
  {
    example: 'What are the settings of this channel?',
    asked: [
      `(?:(?:what|which)(?: are|'re)? |show |see )?(?:the |our )?(?:channel |channel's |workspace )?settings${here}`,
      `how is (?:landfall|the bot|this channel) (?:set up|configured)${here}`,
    ],
    words: '',
  },
  {
    example: 'Can guests ask here?',
    asked: [
      `(?:can|may|could|do|are) (?:our |the )?guests (?:allowed to |able to )?(?:ask|use|see|read|do|change|add)(?: (?:you|it|this|landfall|the bot|questions|something|anything|the answers|answers))?${here}`,
      `what (?:can|may|are) (?:our |the )?guests (?:allowed to )?(?:ask|see|do)${here}`,
    ],
    words: '',
  },
  {
    example: 'Who can see the answers here?',
    asked: [
      `who (?:can|may|else can) (?:see|read) (?:the |your |my )?answers${here}`,
      `are (?:the |your |my )?answers (?:public|private|visible(?: (?:to|for) (?:everybody|everyone|all))?)${here}`,
      `who (?:can|may|is allowed to) (?:add|create|set up|change) (?:watches|digests|watches (?:and|or) digests|the settings|settings)${here}`,
    ],
    words: '',
  },
];

export const settingsCommand = command({
  name: 'settings',
  isUnderLandfall: true,
  summary:
    'The settings of the channel, what guests may do, and whether links to vessels show the next ports',
  usage: `[guests ${guestRights.join('|')} | links ${linkModes.join('|')}]`,
  examples: [ownLines.settings, `${ownLines.settings} guests ask`, `${ownLines.settings} links on`],
  questions: settingsQuestions,
  ...readAbout('settings'),
  options: Object.values(changes)
    .flat()
    .map((each) => {
      const { label, says } = wordsFor(each);
      return { typed: `${each.setting} ${each.value}`, help: `${label}. ${says}` };
    }),
  optionsNote: 'Workspace admins choose what guests may do, and what links show',
  variants: [shown, changed],
  parse,
});

function parse(words: string, { visibility }: ParseContext): VariantLine {
  const [first, typed, ...others] = words.toLowerCase().split(' ').filter(Boolean);
  if (first === undefined && visibility !== undefined) throw notTyped(visibility);
  if (first === undefined) return shown.of({});
  if (first !== 'guests' && first !== 'links')
    throw new UserError({
      code: 'unexpected-words',
      message: 'Only “guests” or “links” can follow “settings”.',
      example: ownLines.settings,
    });
  const found = changes[first].find(({ value }) => value === typed);
  if (found && others.length === 0) return changed.of(found);
  throw new UserError({
    code: typed === undefined ? 'missing-argument' : 'unexpected-words',
    message: questions[first],
    choices: changes[first].map((each) => ({ label: wordsFor(each).label, line: lineFor(each) })),
    example: `${ownLines.settings} ${first === 'guests' ? 'guests ask' : 'links on'}`,
  });
}

/** `settings public` would show the settings to everybody; it is rather meant as a change of them. */
const notTyped = (visibility: Visibility): UserError =>
  new UserError({
    code: 'unexpected-words',
    message: `${quote(visibility)} isn't a setting that can be typed.`,
    hint: "Who sees the answers is one of the channel's settings: open them to change it.",
    choices: [{ label: 'Show the settings', line: ownLines.settings }],
    example: ownLines.settings,
  });

const questions = {
  guests: 'What may guests of the workspace do?',
  links: 'What happens to links to vessels in this workspace?',
} as const;

async function change(wanted: WorkspaceChange, ctx: AskCtx): Promise<Answer> {
  const actor = await currentActor(ctx);
  const { guests, links } = ctx.services;
  return changedAnswer(
    wanted,
    wanted.setting === 'guests'
      ? { setting: 'guests', value: await guests.change(wanted.value, actor) }
      : { setting: 'links', value: await links.change(wanted.value, actor) },
  );
}

/** Each name is also the id of its field. */
const settingNames = ['mode', 'visibility', 'whoMayAdd'] as const;

const Settings = z.object({
  mode: z.enum(channelModes),
  visibility: z.enum(visibilities),
  whoMayAdd: z.enum(whoMayAddChoices),
});

interface State {
  channelId: string;
  settings: ChannelSettings;
}

const channelSettingsForm = form<{ channelId: string }, State>({
  name: 'channel',
  target: z.object({ channelId: z.string() }),
  async open({ channelId }, ctx) {
    const refusal = await refusalFor(channelId, actorInChannel(ctx), ctx);
    if (refusal) throw refusal;
    return { channelId, settings: await ctx.services.channels.get(channelId) };
  },
  instead: () => ownLines.settings,
  view: ({ settings }) => channelForm(settings),
  read: (filled, { target: { channelId } }) => ({
    channelId,
    settings: Settings.parse(Object.fromEntries(settingNames.map((name) => [name, filled.text(name)]))),
  }),
  async submit({ channelId, settings }, ctx) {
    const actor = actorInChannel(ctx);
    await changeSettings(channelId, settings, actor, ctx);
    return replyOf(await readSettings(channelId, actor, ctx, { isSaved: true }), ctx);
  },
});

/** The settings of channels, and those of the whole workspace: guests, links to vessels. */
export const settings = { commands: [settingsCommand], forms: [channelSettingsForm] };

export const channelForm = (settings: ChannelSettings): FormView => ({
  title: 'Channel settings',
  submit: 'Save',
  parts: settingNames.map((name) => ({
    kind: 'radio',
    id: name,
    label: settingChoices[name].label,
    value: settings[name],
    options: Object.entries(settingChoices[name].options).map(([value, { label, says }]) => ({
      ...{ value, label, description: says },
    })),
  })),
});

/** Settings that are missing in `change` keep their values. Throws UserError for people who may not change them. */
export async function changeSettings(
  channelId: string,
  change: Partial<ChannelSettings>,
  actor: Actor,
  { services }: SettingsCtx,
): Promise<ChannelSettings> {
  const refusal = await refusalFor(channelId, actor, { services });
  if (refusal) throw refusal;
  const { channels, now, newId } = services;
  return await channels.save(channelId, { change, actorId: actor.userId, now: now(), id: newId() });
}

/** The services that the settings of a channel need. */
interface SettingsCtx {
  services: Pick<WorkCtx['services'], 'channels' | 'access' | 'now' | 'newId'>;
}

/** Why the actor can't change the settings; undefined if they can. */
async function refusalFor(
  channelId: string,
  actor: Actor,
  { services: { access } }: SettingsCtx,
): Promise<UserError | undefined> {
  if (!(await access.mayUse(channelId, actor))) return notInChannel();
  if (await access.mayAdd(channelId, actor)) return undefined;
  return new UserError({
    code: 'not-allowed',
    message: "You can't change the settings of this channel. Nothing was saved.",
    hint: 'Only workspace admins can: that is one of its settings.',
  });
}

/** Throws UserError for people who are not in the channel: they can't see its settings either. */
async function readSettings(
  channelId: string,
  actor: Actor,
  ctx: AskCtx,
  { isSaved = false } = {},
): Promise<Answer> {
  const { channels, guests, links } = ctx.services;
  const refusal = await refusalFor(channelId, actor, ctx);
  if (refusal?.code === 'bad-channel') throw refusal;
  return settingsAnswer({
    channelId,
    settings: await channels.get(channelId),
    guests: await guests.get(),
    links: await links.get(),
    mayChange: refusal === undefined,
    isSaved,
  });
}

/** Throws UserError unless the line was typed in a channel. */
function actorInChannel(ctx: AskCtx): Actor {
  if (placeIn(ctx).destination === 'channel') return actorIn(ctx);
  throw new UserError({
    code: 'bad-channel',
    message: 'Settings belong to a channel.',
    hint: 'Type the line in that channel.',
    example: ownLines.settings,
  });
}
