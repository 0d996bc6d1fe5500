import { z } from 'zod';
import type { Answer } from '../../answers/answer.ts';
import { radioField } from '../../answers/fields.ts';
import type { Modal } from '../../answers/message.ts';
import { toReply } from '../../answers/slack/render.ts';
import { UserError } from '../../errors.ts';
import { type Actor, notInChannel } from '../../workspaces/permissions.ts';
import {
  type ChannelSettings,
  channelModes,
  visibilities,
  whoMayAddChoices,
} from '../../workspaces/settings.ts';
import { type AskCtx, actorIn, placeIn, type WorkCtx } from '../ctx.ts';
import { form } from '../form.ts';
import { settingChoices, settingsAnswer, settingsLine } from './answer.ts';

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

export const channelSettingsForm = form<{ channelId: string }, State>({
  name: 'channel',
  target: z.object({ channelId: z.string() }),
  async open({ channelId }, ctx) {
    const refusal = await refusalFor(channelId, actorInChannel(ctx), ctx);
    if (refusal) throw refusal;
    return { channelId, settings: await ctx.services.channels.get(channelId) };
  },
  instead: () => settingsLine,
  view: ({ settings }) => channelForm(settings),
  read: (filled, { target: { channelId } }) => ({
    channelId,
    settings: Settings.parse(Object.fromEntries(settingNames.map((name) => [name, filled.text(name)]))),
  }),
  async submit({ channelId, settings }, ctx) {
    const actor = actorInChannel(ctx);
    await changeSettings(channelId, settings, actor, ctx);
    const answer = await readSettings(channelId, actor, ctx, { isSaved: true });
    return { view: (reader) => toReply(answer, { reader, lineOf: ctx.registry.lineOf }) };
  },
});

export const channelForm = (settings: ChannelSettings): Modal => ({
  title: 'Channel settings',
  submit: 'Save',
  blocks: settingNames.map((name) => {
    const { label, options } = settingChoices[name];
    return radioField({
      id: name,
      label,
      value: settings[name],
      options: Object.entries(options).map(([value, { label, says }]) => ({
        ...{ value, label, description: says },
      })),
    });
  }),
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
export async function readSettings(
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
export function actorInChannel(ctx: AskCtx): Actor {
  if (placeIn(ctx).destination === 'channel') return actorIn(ctx);
  throw new UserError({
    code: 'bad-channel',
    message: 'Settings belong to a channel.',
    hint: 'Type the line in that channel.',
    example: settingsLine,
  });
}
