import { z } from 'zod';
import { adders, type ChannelSettings, channelModes, visibilities } from '../../workspaces/settings.ts';
import { defineForm } from '../form.ts';
import { actorInChannel } from './answer.ts';
import { channelForm, channelFormIds } from './form-view.ts';
import type { SettingsServices } from './services.ts';
import { channelSettingsView } from './view.ts';

const Target = z.object({ channelId: z.string() });

interface State {
  channelId: string;
  settings: ChannelSettings;
}

/** Slack lets nobody choose what is not offered. */
const Settings = z.object({
  mode: z.enum(channelModes),
  visibility: z.enum(visibilities),
  whoMayAdd: z.enum(adders),
});

/** The settings of a channel. */
export const channel = defineForm<z.infer<typeof Target>, State, SettingsServices>({
  name: 'channel',
  target: Target,
  async open({ channelId }, context) {
    const actor = actorInChannel(context);
    const refused = await context.channels.refusal(channelId, actor);
    if (refused) throw refused;
    return { channelId, settings: await context.channels.settings(channelId) };
  },
  instead: () => 'landfall settings',
  view: ({ settings }) => channelForm(settings),
  read: (filled, { target: { channelId } }) => ({
    channelId,
    settings: Settings.parse({
      mode: filled.text(channelFormIds.mode),
      visibility: filled.text(channelFormIds.visibility),
      whoMayAdd: filled.text(channelFormIds.whoMayAdd),
    }),
  }),
  async submit({ channelId, settings }, context) {
    const actor = actorInChannel(context);
    const saved = await context.channels.change(channelId, settings, actor);
    const mayChange = (await context.channels.refusal(channelId, actor)) === undefined;
    const guests = await context.guests.get();
    const about = { channelId, settings: saved, guests, mayChange };
    const answer = { kind: 'settings', ...about, isSaved: true } as const;
    return { view: () => channelSettingsView(answer) };
  },
});
