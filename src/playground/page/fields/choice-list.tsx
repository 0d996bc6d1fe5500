import type { Checkboxes, RadioButtons, TextObject } from '@slack/types';
import { useId } from 'react';
import type { ElementValue } from '../../blocks/element-values.ts';
import { LibraryBlock } from '../message/library-block.tsx';
import { plainText } from '../message/plain-text.ts';
import type { FieldAria } from './field-element.ts';

interface Props {
  element: Checkboxes | RadioButtons;
  value: ElementValue;
  aria: FieldAria;
  onChange: (value: ElementValue) => void;
}

/** Checkboxes, or radio buttons of which one is chosen. */
export function ChoiceList({ element, value, aria, onChange }: Props) {
  const name = useId();
  const isOne = element.type === 'radio_buttons';
  const chosen = Array.isArray(value) ? value : value === null ? [] : [value];
  const { 'aria-invalid': invalid, 'data-autofocus': autofocus, ...names } = aria;
  return (
    <div className="choices" role={isOne ? 'radiogroup' : 'group'} {...names}>
      {element.options.map((option, index) => {
        const own = option.value ?? '';
        const others = chosen.filter((each) => each !== own);
        return (
          <label key={own} className="choice">
            <input
              type={isOne ? 'radio' : 'checkbox'}
              name={name}
              checked={chosen.includes(own)}
              aria-invalid={invalid}
              data-autofocus={index === 0 ? autofocus : undefined}
              onChange={(event) => {
                if (isOne) onChange(own);
                else onChange(event.target.checked ? [...others, own] : others);
              }}
            />
            <span>
              <Words text={option.text} />
              {option.description && (
                <small>
                  <Words text={option.description} />
                </small>
              )}
            </span>
          </label>
        );
      })}
    </div>
  );
}

function Words({ text }: { text: TextObject }) {
  return text.type === 'mrkdwn' ? <LibraryBlock block={{ type: 'section', text }} /> : plainText(text);
}
