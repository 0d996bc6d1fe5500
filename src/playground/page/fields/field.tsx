import type { KnownBlock } from '@slack/types';
import { type ElementValue, holdsValue, initialValue, isSeveral } from '../../blocks/element-values.ts';
import { plainText } from '../message/plain-text.ts';
import { useSurface } from '../model/surface.ts';
import { ChoiceList } from './choice-list.tsx';
import { DateField } from './date-field.tsx';
import { Picker } from './picker.tsx';
import { TextField } from './text-field.tsx';
import { usePickerOptions } from './use-picker-options.ts';

type AnyElement =
  | Extract<KnownBlock, { type: 'actions' | 'context_actions' }>['elements'][number]
  | Extract<KnownBlock, { type: 'input' }>['element']
  | NonNullable<Extract<KnownBlock, { type: 'section' }>['accessory']>;

/** Whatever holds a value: texts, choices, pickers, dates. */
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

interface Props {
  element: FieldElement;
  blockId: string;
  onChange: (value: ElementValue) => void;
  /** Where the app wants to hear of changes as they are made. */
  onDispatch?: (value: ElementValue) => void;
  labelledBy?: string;
  describedBy?: string | undefined;
  invalid?: boolean;
  /** A single choice may be taken back. */
  clearable?: boolean;
}

/** One element with its value, as Slack draws it. */
export function Field({ element, blockId, onChange, onDispatch, clearable = false, ...names }: Props) {
  const surface = useSurface();
  const options = usePickerOptions(element);
  const set = surface.valueOf(blockId, element.action_id ?? '');
  // Its elements are typed more narrowly than the fields that are read here.
  const value = set === undefined ? initialValue({ ...element }, surface.channelId) : set;
  const placeholder = 'placeholder' in element && element.placeholder ? plainText(element.placeholder) : '';
  const aria = {
    'aria-labelledby': names.labelledBy,
    'aria-label': names.labelledBy ? undefined : placeholder || 'Choose',
    'aria-describedby': names.describedBy,
    'aria-invalid': names.invalid || undefined,
    'data-autofocus': element.focus_on_load || undefined,
  };
  const change = (next: ElementValue) => {
    onChange(next);
    onDispatch?.(next);
  };
  const single = typeof value === 'string' ? value : '';
  switch (element.type) {
    case 'plain_text_input':
    case 'number_input':
    case 'email_text_input':
    case 'url_text_input':
      return <TextField {...{ element, aria, placeholder, onChange, onDispatch }} value={single} />;
    case 'datepicker':
    case 'timepicker':
    case 'datetimepicker':
      return <DateField {...{ element, aria }} value={single} onChange={change} />;
    case 'checkboxes':
    case 'radio_buttons':
      return <ChoiceList {...{ element, aria, value }} onChange={change} />;
    default:
      return (
        <Picker
          {...{ aria, options, placeholder, clearable }}
          several={isSeveral(element.type)}
          chosen={Array.isArray(value) ? value : value === null ? [] : [value]}
          onChange={change}
        />
      );
  }
}

/** The names and marks that every field gives to its own control. */
export interface FieldAria {
  'aria-labelledby': string | undefined;
  'aria-label': string | undefined;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  'data-autofocus': true | undefined;
}
