import type { Checkboxes, RadioButtons, TextObject } from '@slack/types';
import { useId } from 'react';
import type { ElementValue } from '../../src/blocks/element-values.ts';
import { LibraryBlock } from '../message/library-block.tsx';
import { plainText } from '../message/plain-text.ts';
import type { FieldAria } from './field-element.ts';

interface Props {
  element: Checkboxes | RadioButtons;
  value: ElementValue;
  aria: FieldAria;
  onChange: (value: ElementValue) => void;
}

/** Checkboxes or radio buttons. */
export function ChoiceList({ element, value, aria, onChange }: Props) {
  const name = useId();
  const isSingle = element.type === 'radio_buttons';
  const selected = Array.isArray(value) ? value : value === null ? [] : [value];
  const { 'aria-invalid': invalid, 'data-autofocus': autofocus, ...names } = aria;
  return (
    <div className="choices" role={isSingle ? 'radiogroup' : 'group'} {...names}>
      {element.options.map((option, index) => {
        const optionValue = option.value ?? '';
        const others = selected.filter((other) => other !== optionValue);
        return (
          <label key={optionValue} className="choice">
            <input
              type={isSingle ? 'radio' : 'checkbox'}
              name={name}
              checked={selected.includes(optionValue)}
              aria-invalid={invalid}
              data-autofocus={index === 0 ? autofocus : undefined}
              onChange={(event) => {
                if (isSingle) onChange(optionValue);
                else onChange(event.target.checked ? [...others, optionValue] : others);
              }}
            />
            <span>
              <OptionText text={option.text} />
              {option.description && (
                <small>
                  <OptionText text={option.description} />
                </small>
              )}
            </span>
          </label>
        );
      })}
    </div>
  );
}

function OptionText({ text }: { text: TextObject }) {
  return text.type === 'mrkdwn' ? <LibraryBlock block={{ type: 'section', text }} /> : plainText(text);
}
