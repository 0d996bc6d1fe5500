import { z } from 'zod';
import { adders, type ChannelSettings, channelModes, visibilities } from '../../workspaces/channels.ts';
import { defineForm } from '../form.ts';
import { keptOf } from '../stored.ts';
import { channelForm, channelFormIds } from './form-view.ts';
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
export const channel = defineForm<z.infer<typeof Target>, State>({
  name: 'channel',
  target: Target,
  async open({ channelId }, context) {
    const { kept, actor } = keptOf(context);
    const refused = await kept.channels.refusal(channelId, actor);
    if (refused) throw refused;
    return { channelId, settings: await kept.channels.settings(channelId) };
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
    const { kept, actor } = keptOf(context);
    const saved = await kept.channels.change(channelId, settings, actor);
    const mayChange = (await kept.channels.refusal(channelId, actor)) === undefined;
    const guests = await kept.guests.get();
    const answer = {
      kind: 'settings',
      channelId,
      settings: saved,
      guests,
      mayChange,
      isSaved: true,
    } as const;
    return { view: () => channelSettingsView(answer) };
  },
});
