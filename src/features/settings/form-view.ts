import { type Option, radioField } from '../../messages/fields.ts';
import type { Modal } from '../../messages/modal.ts';
import { type ShownSettings, settingChoices } from './view.ts';

/** The ids of the fields. */
export const channelFormIds = { mode: 'mode', visibility: 'visibility', whoMayAdd: 'who-may-add' } as const;

/** How alerts come to a channel, who sees answers, who may add. */
export function channelForm({ mode, visibility, whoMayAdd }: ShownSettings): Modal {
  return {
    title: 'Channel settings',
    submit: 'Save',
    blocks: [
      radioField({ ...fieldOf('mode'), id: channelFormIds.mode, value: mode }),
      radioField({ ...fieldOf('visibility'), id: channelFormIds.visibility, value: visibility }),
      radioField({ ...fieldOf('whoMayAdd'), id: channelFormIds.whoMayAdd, value: whoMayAdd }),
    ],
  };
}

function fieldOf(name: keyof typeof settingChoices): { label: string; options: Option[] } {
  const { label, options } = settingChoices[name];
  return {
    label,
    options: Object.entries(options).map(([value, option]) => ({
      value,
      label: option.label,
      description: option.says,
    })),
  };
}
