import type { Answer } from '../../answers/answer.ts';
import { text } from '../../answers/kinds.ts';
import { table } from '../../answers/table.ts';
import { onlyInTable } from '../../answers/text.ts';
import { ownLines } from '../../errors.ts';
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
      public: {
        label: 'Everyone in the channel',
        says: 'A line that ends in “private” is answered privately.',
      },
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

/** The settings of the whole workspace, by the word that is typed. */
const workspaceChoices = {
  guests: {
    ask: { label: 'Guests may ask', says: "They can't change anything." },
    full: { label: 'Guests can do what members can', says: 'In the channels that they are in.' },
    none: { label: 'Guests are not served', says: 'They only see what is posted in their channels.' },
  },
  links: linkChoices,
} as const;

export type WorkspaceChange =
  | { setting: 'guests'; value: GuestRights }
  | { setting: 'links'; value: LinkMode };

interface Words {
  label: string;
  says: string;
}

export const wordsFor = (change: WorkspaceChange): Words =>
  change.setting === 'guests' ? workspaceChoices.guests[change.value] : workspaceChoices.links[change.value];

export const lineFor = ({ setting, value }: WorkspaceChange): string =>
  `${ownLines.settings} ${setting} ${value}`;

/** On a phone the first two columns show. */
const settingsTable = table<Words & { setting: string }>({
  name: 'settings',
  about: 'A setting of the channel or of the workspace',
  columns: {
    setting: text('Setting', 'which one', ({ setting }) => setting, {
      words: ({ setting, label, says }) => ({ inTable: setting, inLine: `${setting}: ${label}. ${says}` }),
    }),
    now: text('Now', 'what is chosen', ({ label }) => label, { words: ({ label }) => onlyInTable(label) }),
    meaning: text('What it means', 'in words', ({ says }) => says, {
      words: ({ says }) => onlyInTable(says),
    }),
  },
});

interface ShownSettings {
  channelId: string;
  settings: ChannelSettings;
  /** For the whole workspace. */
  guests: GuestRights;
  links: LinkMode;
  mayChange: boolean;
  /** They have just been saved. */
  isSaved?: boolean;
}

export function settingsAnswer(shown: ShownSettings): Answer {
  const { channelId, settings, guests, links, mayChange, isSaved = false } = shown;
  const { mode, visibility, whoMayAdd } = settingChoices;
  return {
    isOwn: true,
    verdict: { strong: [isSaved ? 'Settings saved for ' : 'Settings of ', { channel: channelId }] },
    sections: [
      settingsTable.of({
        caption: 'Settings',
        rows: [
          { setting: mode.label, ...mode.options[settings.mode] },
          { setting: visibility.label, ...visibility.options[settings.visibility] },
          { setting: whoMayAdd.label, ...whoMayAdd.options[settings.whoMayAdd] },
          { setting: 'Guests, in the whole workspace', ...workspaceChoices.guests[guests] },
          { setting: 'Links, in the whole workspace', ...workspaceChoices.links[links] },
        ],
      }),
    ],
    notes: [
      mayChange
        ? [
            'Admins change what is for the whole workspace: ',
            { code: `/${ownLines.settings} guests ${Object.keys(workspaceChoices.guests).join('|')}` },
            ', ',
            { code: `/${ownLines.settings} links ${Object.keys(workspaceChoices.links).join('|')}` },
          ]
        : 'Only workspace admins can change these settings',
    ],
    ...(mayChange && {
      actions: { runs: [{ label: 'Change …', form: 'channel', target: { channelId } }] },
    }),
  };
}

/** For an admin who has changed a setting of the workspace. */
export function changedAnswer(change: WorkspaceChange, before: WorkspaceChange): Answer {
  const { label, says } = wordsFor(change);
  const isChanged = before.value !== change.value;
  return {
    isOwn: true,
    verdict: {
      strong: label,
      rest: `, in the whole workspace. ${says}`,
      lines: [isChanged ? `Before: ${wordsFor(before).label.toLowerCase()}.` : 'Nothing has changed.'],
    },
    ...(isChanged && { actions: { runs: [{ label: 'Undo', line: lineFor(before) }] } }),
  };
}
