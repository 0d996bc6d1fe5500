import type { KnownBlock, ModalView, PlainTextElement } from '@slack/types';

export const plain = (text: string): PlainTextElement => ({ type: 'plain_text', text });
const option = (value: string) => ({ text: plain(value.toUpperCase()), value });

/** One of each element that the page can render, by block id. Only `mode` has a value. */
export const everyInput: KnownBlock[] = [
  input('vessel', { type: 'plain_text_input', action_id: 'v', min_length: 3, max_length: 40 }),
  input('number', {
    type: 'number_input',
    action_id: 'v',
    is_decimal_allowed: false,
    min_value: '1',
    max_value: '99',
  }),
  input('mail', { type: 'email_text_input', action_id: 'v' }),
  input('page', { type: 'url_text_input', action_id: 'v' }),
  input('mode', {
    type: 'static_select',
    action_id: 'v',
    options: [option('thread'), option('broadcast')],
    initial_option: option('thread'),
  }),
  input('rules', {
    type: 'multi_static_select',
    action_id: 'v',
    max_selected_items: 2,
    options: ['eta', 'below', 'arriving'].map(option),
  }),
  input('channel', { type: 'conversations_select', action_id: 'v', default_to_current_conversation: true }),
  input('people', { type: 'multi_users_select', action_id: 'v' }),
  input('day', { type: 'datepicker', action_id: 'v' }),
  input('time', { type: 'timepicker', action_id: 'v' }),
  input('at', { type: 'datetimepicker', action_id: 'v' }),
  input('days', { type: 'checkboxes', action_id: 'v', options: ['mon', 'tue'].map(option) }),
  input('until', { type: 'radio_buttons', action_id: 'v', options: ['port', 'date'].map(option) }),
];

type InputElement = Extract<KnownBlock, { type: 'input' }>['element'];

/** Optional by default, so that tests set only the values they need. */
export function input(blockId: string, element: InputElement, optional = true): KnownBlock {
  return { type: 'input', block_id: blockId, label: plain(blockId), element, optional };
}

export const modal = (blocks: KnownBlock[], over: Partial<ModalView> = {}): ModalView => ({
  type: 'modal',
  callback_id: 'watch',
  title: plain('Watch a vessel'),
  submit: plain('Watch'),
  close: plain('Cancel'),
  blocks,
  ...over,
});
