import type { EmailInput, NumberInput, PlainTextInput, URLInput } from '@slack/types';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { FieldAria } from './field-element.ts';

const TYPING_PAUSE_MS = 400;

interface Props {
  element: PlainTextInput | NumberInput | EmailInput | URLInput;
  value: string;
  placeholder: string;
  aria: FieldAria;
  onChange: (value: string) => void;
  onDispatch: ((value: string) => void) | undefined;
}

/** One line or several. The element decides whether Enter or a pause in typing notifies the app. */
export function TextField({ element, value, placeholder, aria, onChange, onDispatch }: Props) {
  const triggers = element.dispatch_action_config?.trigger_actions_on ?? ['on_enter_pressed'];
  const onTyped = useDebounced(
    onDispatch && triggers.includes('on_character_entered') ? onDispatch : undefined,
  );
  const multiline = element.type === 'plain_text_input' && element.multiline === true;
  const shared = {
    ...aria,
    value,
    placeholder,
    className: 'text-field',
    maxLength: element.type === 'plain_text_input' ? (element.max_length ?? 3000) : undefined,
    onChange: (event: { target: { value: string } }) => {
      onChange(event.target.value);
      onTyped(event.target.value);
    },
    onKeyDown: (event: KeyboardEvent) => {
      const dispatchesOnEnter = onDispatch && triggers.includes('on_enter_pressed') && !event.shiftKey;
      if (event.key !== 'Enter' || multiline || !dispatchesOnEnter) return;
      // As in Slack, Enter notifies the app instead of submitting the form.
      event.preventDefault();
      onDispatch(value);
    },
  };
  if (multiline) return <textarea {...shared} rows={4} />;
  const inputMode = element.type === 'number_input' ? 'decimal' : undefined;
  return <input {...shared} type="text" inputMode={inputMode} autoComplete="off" />;
}

/** Calls back with the latest text after a pause in typing. */
function useDebounced(callback: ((value: string) => void) | undefined): (value: string) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const newest = useRef(callback);
  useEffect(() => {
    newest.current = callback;
  }, [callback]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (value) => {
    clearTimeout(timer.current);
    if (callback) timer.current = setTimeout(() => newest.current?.(value), TYPING_PAUSE_MS);
  };
}
