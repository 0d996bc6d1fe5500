import { useId } from 'react';
import type { StepField } from '../../src/page-api/step-api.ts';
import { Picker } from '../fields/picker.tsx';
import { usePickerOptions } from '../fields/use-picker-options.ts';

interface Props {
  field: StepField;
  value: string;
  onChange: (value: string) => void;
}

/** One input parameter. The app, not the page, says what is missing. */
export function StepInput({ field: { type, title, description, isRequired }, value, onChange }: Props) {
  const people = usePickerOptions({ type: 'users_select' });
  const id = useId();
  const isPerson = type === 'slack#/types/user_id';
  return (
    <div className="input-block">
      <span className="input-label" id={`${id}-label`}>
        {title}
        {!isRequired && <span className="input-optional"> (optional)</span>}
      </span>
      {isPerson ? (
        <Picker
          options={people.filter(({ detail }) => detail === undefined)}
          selected={value === '' ? [] : [value]}
          multiple={false}
          clearable
          placeholder="Nobody"
          aria={{
            'aria-labelledby': `${id}-label`,
            'aria-label': undefined,
            'aria-describedby': `${id}-hint`,
            'aria-invalid': undefined,
            'data-autofocus': undefined,
          }}
          onChange={(chosen) => onChange(typeof chosen === 'string' ? chosen : '')}
        />
      ) : (
        <input
          className="text-field"
          type="text"
          autoComplete="off"
          maxLength={3000}
          aria-labelledby={`${id}-label`}
          aria-describedby={`${id}-hint`}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
      <p className="input-hint" id={`${id}-hint`}>
        {description}
      </p>
    </div>
  );
}
