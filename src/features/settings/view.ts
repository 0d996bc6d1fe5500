import { formActionId } from '../../messages/action-ids.ts';
import { actions, button, context, sections } from '../../messages/blocks.ts';
import type { Message } from '../../messages/message.ts';
import { channelMention } from '../../messages/mrkdwn.ts';
import { guestChoices } from './guests-view.ts';

/** What can be chosen for a channel, in the words of people; workspaces/channels.ts says what each does. */
export const settingChoices = {
  mode: {
    label: 'Alerts of watches',
    options: {
      thread: {
        label: 'In the thread only',
        says: 'Each alert is a reply under the card of its watch.',
      },
      'broadcast-critical': {
        label: 'In the thread, critical ones in the channel too',
        says: 'Changed next ports and other critical alerts appear in the channel too.',
      },
      'new-message': {
        label: 'Each as its own message',
        says: 'No threads: every alert is posted in the channel.',
      },
    },
  },
  visibility: {
    label: 'Who sees answers here',
    options: {
      private: {
        label: 'Only the person who asks',
        says: 'Others see an answer when it is shared, or typed with “public”.',
      },
      public: { label: 'Everyone in the channel', says: 'Unless the line ends in “private”.' },
    },
  },
  whoMayAdd: {
    label: 'Who may add and change watches and digests',
    options: {
      members: { label: 'Everybody in the channel', says: 'They can also change what others have added.' },
      admins: { label: 'Workspace admins', says: 'Owners can still change their own.' },
    },
  },
} as const;

export interface ShownSettings {
  mode: keyof typeof settingChoices.mode.options;
  visibility: keyof typeof settingChoices.visibility.options;
  whoMayAdd: keyof typeof settingChoices.whoMayAdd.options;
}

/** The settings of a channel, and whether the reader may change them. */
export interface SettingsAnswer {
  kind: 'settings';
  channelId: string;
  settings: ShownSettings;
  /** Of the whole workspace. */
  guests: keyof typeof guestChoices;
  mayChange: boolean;
  /** They have just been saved. */
  isSaved?: boolean;
}

export function channelSettingsView({
  channelId,
  settings,
  guests,
  mayChange,
  isSaved,
}: SettingsAnswer): Message {
  const { mode, visibility, whoMayAdd } = settingChoices;
  const chosen = [
    { setting: mode.label, ...mode.options[settings.mode] },
    { setting: visibility.label, ...visibility.options[settings.visibility] },
    { setting: whoMayAdd.label, ...whoMayAdd.options[settings.whoMayAdd] },
  ];
  const what = `${isSaved ? 'Settings saved for' : 'Settings of'} ${channelMention(channelId)}`;
  const change = button({
    id: formActionId('channel'),
    label: 'Change …',
    value: JSON.stringify({ channelId }),
  });
  return {
    text: `${what}: ${chosen.map(({ setting, label }) => `${setting}: ${label}`).join('; ')}; in the whole workspace: ${guestChoices[guests].label}`,
    blocks: [
      ...sections([
        `*${what}*`,
        ...chosen.map(({ setting, label, says }) => `${setting}: *${label}*. ${says}`),
        `In the whole workspace: *${guestChoices[guests].label}*. ${guestChoices[guests].says} Admins change it with \`/landfall settings guests ask|full|none\`.`,
      ]),
      ...(mayChange ? actions([change]) : [context('_Only workspace admins can change them_')]),
    ],
  };
}
