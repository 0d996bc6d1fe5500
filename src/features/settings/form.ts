import type { InputBlock } from '@slack/types';
import { z } from 'zod';
import { radioField } from '../../messages/fields.ts';
import type { Modal } from '../../messages/message.ts';
import {
  type ChannelSettings,
  channelModes,
  visibilities,
  whoMayAddChoices,
} from '../../workspaces/settings.ts';
import { defineForm } from '../form.ts';
import { actorInChannel, type SettingsServices } from './service.ts';
import { channelSettingsView, settingChoices } from './view.ts';

const Target = z.object({ channelId: z.string() });

interface State {
  channelId: string;
  settings: ChannelSettings;
}

/** Each name is also the id of its field. */
const settingNames = ['mode', 'visibility', 'whoMayAdd'] as const;

const Settings = z.object({
  mode: z.enum(channelModes),
  visibility: z.enum(visibilities),
  whoMayAdd: z.enum(whoMayAddChoices),
});

export const channel = defineForm<z.infer<typeof Target>, State, SettingsServices>({
  name: 'channel',
  target: Target,
  async open({ channelId }, context) {
    const actor = actorInChannel(context);
    const refusal = await context.channels.refusal(channelId, actor);
    if (refusal) throw refusal;
    return { channelId, settings: await context.channels.settings(channelId) };
  },
  instead: () => 'landfall settings',
  view: ({ settings }) => channelForm(settings),
  read: (filled, { target: { channelId } }) => ({
    channelId,
    settings: Settings.parse(Object.fromEntries(settingNames.map((name) => [name, filled.text(name)]))),
  }),
  async submit({ channelId, settings }, context) {
    const actor = actorInChannel(context);
    const saved = await context.channels.change(channelId, settings, actor);
    const mayChange = (await context.channels.refusal(channelId, actor)) === undefined;
    const [guests, links] = await Promise.all([context.guests.get(), context.links.get()]);
    const answer = { channelId, settings: saved, guests, links, mayChange, isSaved: true };
    return { view: () => channelSettingsView({ kind: 'settings', ...answer }) };
  },
});

export function channelForm(settings: ChannelSettings): Modal {
  return {
    title: 'Channel settings',
    submit: 'Save',
    blocks: settingNames.map((name) => fieldOf(name, settings[name])),
  };
}

function fieldOf(name: keyof ChannelSettings, chosen: string): InputBlock {
  const { label, options } = settingChoices[name];
  return radioField({
    id: name,
    label,
    value: chosen,
    options: Object.entries(options).map(([value, { label, says }]) => ({ value, label, description: says })),
  });
}
