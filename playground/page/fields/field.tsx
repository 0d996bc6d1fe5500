import { type ElementValue, initialValue, isMultiple } from '../../src/blocks/element-values.ts';
import { plainText } from '../message/plain-text.ts';
import { useSurface } from '../model/surface.ts';
import { ChoiceList } from './choice-list.tsx';
import { DateField } from './date-field.tsx';
import type { FieldElement } from './field-element.ts';
import { Picker } from './picker.tsx';
import { TextField } from './text-field.tsx';
import { usePickerOptions } from './use-picker-options.ts';

interface Props {
  element: FieldElement;
  blockId: string;
  onChange: (value: ElementValue) => void;
  /** Set if the app wants to receive each change. */
  onDispatch?: (value: ElementValue) => void;
  labelledBy?: string;
  describedBy?: string | undefined;
  invalid?: boolean;
  /** A single choice can be cleared. */
  clearable?: boolean;
}

/** One element with its value, as Slack draws it. */
export function Field({ element, blockId, onChange, onDispatch, clearable = false, ...names }: Props) {
  const surface = useSurface();
  const options = usePickerOptions(element);
  const current = surface.valueOf(blockId, element.action_id ?? '');
  // `initialValue` takes any record; the spread satisfies its type.
  const value = current === undefined ? initialValue({ ...element }, surface.channelId) : current;
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
          multiple={isMultiple(element.type)}
          selected={Array.isArray(value) ? value : value === null ? [] : [value]}
          onChange={change}
        />
      );
  }
}
