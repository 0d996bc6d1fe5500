import type { EmailInput, NumberInput, PlainTextInput, URLInput } from '@slack/types';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { FieldAria } from './field-element.ts';

const QUIET_MS = 400;

interface Props {
  element: PlainTextInput | NumberInput | EmailInput | URLInput;
  value: string;
  placeholder: string;
  aria: FieldAria;
  onChange: (value: string) => void;
  onDispatch: ((value: string) => void) | undefined;
}

/** A line or several. The app hears of it by Enter, or once the typing pauses, as the element says. */
export function TextField({ element, value, placeholder, aria, onChange, onDispatch }: Props) {
  const triggers = element.dispatch_action_config?.trigger_actions_on ?? ['on_enter_pressed'];
  const typed = useTypingPause(
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
      typed(event.target.value);
    },
    onKeyDown: (event: KeyboardEvent) => {
      const enters = onDispatch && triggers.includes('on_enter_pressed') && !event.shiftKey;
      if (event.key !== 'Enter' || multiline || !enters) return;
      // As in Slack: the app is told instead of the form being submitted.
      event.preventDefault();
      onDispatch(value);
    },
  };
  if (multiline) return <textarea {...shared} rows={4} />;
  const inputMode = element.type === 'number_input' ? 'decimal' : undefined;
  return <input {...shared} type="text" inputMode={inputMode} autoComplete="off" />;
}

/** Tells of the newest text when nothing has been typed for a moment. */
function useTypingPause(tell: ((value: string) => void) | undefined): (value: string) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const newest = useRef(tell);
  useEffect(() => {
    newest.current = tell;
  }, [tell]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (value) => {
    clearTimeout(timer.current);
    if (tell) timer.current = setTimeout(() => newest.current?.(value), QUIET_MS);
  };
}
