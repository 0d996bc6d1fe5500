import type { KnownBlock } from '@slack/types';
import { holdsValue } from '../../src/blocks/element-values.ts';

type AnyElement =
  | Extract<KnownBlock, { type: 'actions' | 'context_actions' }>['elements'][number]
  | Extract<KnownBlock, { type: 'input' }>['element']
  | NonNullable<Extract<KnownBlock, { type: 'section' }>['accessory']>;

/** The elements that hold a value: texts, choices, pickers and dates. */
export type FieldElement = Extract<
  AnyElement,
  {
    type:
      | 'plain_text_input'
      | 'number_input'
      | 'email_text_input'
      | 'url_text_input'
      | 'static_select'
      | 'multi_static_select'
      | 'users_select'
      | 'multi_users_select'
      | 'conversations_select'
      | 'multi_conversations_select'
      | 'channels_select'
      | 'multi_channels_select'
      | 'checkboxes'
      | 'radio_buttons'
      | 'datepicker'
      | 'timepicker'
      | 'datetimepicker';
  }
>;

export const isField = (element: AnyElement): element is FieldElement => holdsValue(element.type);

/** The attributes that every field passes on to its control. */
export interface FieldAria {
  'aria-labelledby': string | undefined;
  'aria-label': string | undefined;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  'data-autofocus': true | undefined;
}
