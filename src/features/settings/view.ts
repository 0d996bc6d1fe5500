import { formActionId } from '../../messages/action-ids.ts';
import { actions, button, context, sections } from '../../messages/blocks.ts';
import { lineButtons } from '../../messages/frame/answer-actions.ts';
import { blocksOf, type Message } from '../../messages/message.ts';
import { channelMention } from '../../messages/mrkdwn.ts';
import { dataTable } from '../../messages/rich-blocks.ts';
import type { ChannelSettings, GuestRights, LinkMode } from '../../workspaces/settings.ts';
import { linkChoices } from '../links/index.ts';

/** Words for the settings of a channel; the keys are values from workspaces/settings.ts. */
export const settingChoices = {
  mode: {
    label: 'Alerts of watches',
    options: {
      thread: { label: 'In the thread only', says: 'Each alert is a reply under the card of its watch.' },
      'broadcast-critical': {
        label: 'In the thread, critical ones in the channel too',
        says: 'Diversions and other critical alerts appear in the channel too.',
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

export const guestChoices = {
  ask: { label: 'Guests may ask', says: "They can't change anything." },
  full: { label: 'Guests can do what members can', says: 'In the channels that they are in.' },
  none: { label: 'Guests are not served', says: 'They only see what is posted in their channels.' },
} as const;

/** The settings of the whole workspace, by the word that is typed. */
export const workspaceChoices = { guests: guestChoices, links: linkChoices } as const;

export type WorkspaceChange =
  | { setting: 'guests'; value: GuestRights }
  | { setting: 'links'; value: LinkMode };

export const lineFor = ({ setting, value }: WorkspaceChange): string =>
  `landfall settings ${setting} ${value}`;

export interface SettingsAnswer {
  kind: 'settings';
  channelId: string;
  settings: ChannelSettings;
  /** For the whole workspace. */
  guests: GuestRights;
  links: LinkMode;
  mayChange: boolean;
  /** The settings have just been saved. */
  isSaved?: boolean;
}

/** For an admin who has changed a setting of the workspace. */
export type ChangedAnswer = { kind: 'changed' } & (
  | { setting: 'guests'; value: GuestRights; before: GuestRights }
  | { setting: 'links'; value: LinkMode; before: LinkMode }
);

export function channelSettingsView(answer: SettingsAnswer): Message {
  const { channelId, settings, guests, links, mayChange, isSaved } = answer;
  const { mode, visibility, whoMayAdd } = settingChoices;
  const chosen = [
    { setting: mode.label, ...mode.options[settings.mode] },
    { setting: visibility.label, ...visibility.options[settings.visibility] },
    { setting: whoMayAdd.label, ...whoMayAdd.options[settings.whoMayAdd] },
  ];
  const all = [
    ...chosen,
    { setting: 'Guests, in the whole workspace', ...guestChoices[guests] },
    { setting: 'Links, in the whole workspace', ...linkChoices[links] },
  ];
  const what = `${isSaved ? 'Settings saved for' : 'Settings of'} ${channelMention(channelId)}`;
  const value = JSON.stringify({ channelId });
  const change = button({ id: formActionId('channel'), label: 'Change …', value });
  return {
    text: `${what}: ${chosen.map(({ setting, label }) => `${setting}: ${label}`).join('; ')}; in the whole workspace: ${guestChoices[guests].label}; ${linkChoices[links].label}`,
    ...blocksOf([
      ...sections([`*${what}*`]),
      ...dataTable({
        caption: 'Settings',
        columns: [{ header: 'Setting' }, { header: 'Now' }, { header: 'What it means' }],
        rows: all.map(({ setting, label, says }) => [setting, label, says]),
        lines: all.map(({ setting, label, says }) => `${setting}: ${label}. ${says}`),
      }),
      context(
        mayChange
          ? 'Admins change what is for the whole workspace: `/landfall settings guests ask|full|none`, `/landfall settings links off|on|composer`'
          : 'Only workspace admins can change these settings',
      ),
      ...(mayChange ? actions([change]) : []),
    ]),
  };
}

export function changedView(answer: ChangedAnswer): Message {
  const [now, former, undo] =
    answer.setting === 'guests'
      ? [
          guestChoices[answer.value],
          guestChoices[answer.before],
          lineFor({ ...answer, value: answer.before }),
        ]
      : [linkChoices[answer.value], linkChoices[answer.before], lineFor({ ...answer, value: answer.before })];
  const isChanged = answer.before !== answer.value;
  const was = isChanged ? `Before: ${former.label.toLowerCase()}.` : 'Nothing has changed.';
  const back = isChanged ? [{ label: 'Undo', line: undo }] : [];
  return {
    text: `${now.label}, in the whole workspace. ${now.says} ${was}`,
    blocks: [
      ...sections([`*${now.label}*, in the whole workspace. ${now.says}`, was]),
      ...actions(lineButtons(back)),
    ],
  };
}
