import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import type { ElementValue } from '../../src/blocks/element-values.ts';
import { Icon } from '../chrome/icons.tsx';
import type { FieldAria } from './field-element.ts';
import type { PickerOption } from './use-picker-options.ts';

interface Props {
  options: PickerOption[];
  /** The selected values. */
  selected: string[];
  multiple: boolean;
  clearable: boolean;
  placeholder: string;
  aria: FieldAria;
  onChange: (value: ElementValue) => void;
}

/** A searchable select for one or several options: ARIA's combobox with a list. */
export function Picker(props: Props) {
  const { options, selected, multiple, clearable, placeholder, aria, onChange } = props;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState<string>();
  const [active, setActive] = useState(0);
  const open = typed !== undefined;
  const found = open ? matching(options, typed) : [];
  const labelOf = (value: string) => options.find((option) => option.value === value)?.label ?? value;
  useListPosition(list, open, found.length);

  const close = () => setTyped(undefined);
  const openList = () => {
    if (!open) setTyped('');
    setActive(Math.max(0, multiple ? 0 : options.findIndex(({ value }) => value === selected[0])));
  };
  const choose = ({ value }: PickerOption) => {
    if (!multiple) {
      onChange(value);
      return close();
    }
    onChange(selected.includes(value) ? without(selected, value) : [...selected, value]);
    setTyped('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = selected.at(-1);
    const option = found[active];
    if (event.key === 'Backspace' && multiple && !typed && last !== undefined) {
      return onChange(selected.slice(0, -1));
    }
    if (!open) {
      if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
      openList();
    } else if (event.key === 'ArrowDown') setActive((active + 1) % Math.max(1, found.length));
    else if (event.key === 'ArrowUp') setActive((active + found.length - 1) % Math.max(1, found.length));
    else if (event.key === 'Escape') close();
    else if (event.key === 'Enter') option && choose(option);
    else return;
    event.preventDefault();
  };
  return (
    <div className="picker">
      {multiple &&
        selected.map((value) => (
          <span key={value} className="picker-chip">
            {labelOf(value)}
            <button
              type="button"
              aria-label={`Remove ${labelOf(value)}`}
              onClick={() => onChange(without(selected, value))}
            >
              <Icon name="close" />
            </button>
          </span>
        ))}
      <input
        {...aria}
        ref={field}
        role="combobox"
        aria-expanded={open}
        aria-controls={open ? `${id}-list` : undefined}
        aria-autocomplete="list"
        aria-activedescendant={open && found[active] ? `${id}-${active}` : undefined}
        autoComplete="off"
        spellCheck={false}
        value={typed ?? (multiple || selected[0] === undefined ? '' : labelOf(selected[0]))}
        placeholder={multiple && selected.length > 0 ? '' : placeholder || 'Choose'}
        size={multiple && selected.length > 0 ? 4 : undefined}
        onClick={openList}
        onFocus={(event) => event.target.select()}
        onBlur={close}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setTyped(event.target.value);
          setActive(0);
        }}
      />
      {clearable && !multiple && selected.length > 0 ? (
        <button type="button" className="picker-clear" aria-label="Clear" onClick={() => onChange(null)}>
          <Icon name="close" />
        </button>
      ) : (
        <Icon name="caret" />
      )}
      {open && <PickerList {...{ id, list, found, active, selected, multiple }} onChoose={choose} />}
    </div>
  );
}

interface ListProps {
  id: string;
  list: { current: HTMLDivElement | null };
  found: PickerOption[];
  active: number;
  selected: string[];
  multiple: boolean;
  onChoose: (option: PickerOption) => void;
}

/** The focus stays in the field, which references the active option. */
function PickerList({ id, list, found, active, selected, multiple, onChoose }: ListProps) {
  useLayoutEffect(() => {
    list.current?.querySelector(`[id="${id}-${active}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [list, id, active]);
  return (
    <div
      className="picker-list"
      id={`${id}-list`}
      ref={list}
      role="listbox"
      aria-label="Choices"
      aria-multiselectable={multiple}
    >
      {found.length === 0 && <p className="picker-empty">No matches</p>}
      {found.map((option, index) => (
        <div key={option.value}>
          {option.group !== undefined && option.group !== found[index - 1]?.group && (
            <p className="picker-group">{option.group}</p>
          )}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys. */}
          <div
            id={`${id}-${index}`}
            className={`picker-option${index === active ? ' active' : ''}`}
            role="option"
            tabIndex={-1}
            aria-selected={selected.includes(option.value)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(option)}
          >
            <span>{option.label}</span>
            {option.detail && <small>{option.detail}</small>}
          </div>
        </div>
      ))}
    </div>
  );
}

const without = (values: string[], removed: string): string[] => values.filter((value) => value !== removed);

function matching(options: PickerOption[], typed: string): PickerOption[] {
  const words = typed.trim().toLowerCase();
  return options.filter(({ label }) => label.toLowerCase().includes(words));
}

const GAP_PX = 4;

/** Puts the list below its field, or above it if there is no room. Its position is fixed, so nothing clips it. */
function useListPosition(list: { current: HTMLDivElement | null }, open: boolean, count: number): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: its height depends on the matches.
  useLayoutEffect(() => {
    const element = list.current;
    const field = element?.parentElement?.getBoundingClientRect();
    if (!open || !element || !field) return;
    element.style.width = `${field.width}px`;
    element.style.left = `${field.left}px`;
    const below = field.bottom + GAP_PX + element.offsetHeight <= innerHeight;
    element.style.top = `${below ? field.bottom + GAP_PX : Math.max(GAP_PX, field.top - GAP_PX - element.offsetHeight)}px`;
  }, [open, count]);
}
