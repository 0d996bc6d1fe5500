import { useEffect, useRef } from 'react';
import type { Suggestion } from './suggestions.ts';

interface Props {
  id: string;
  items: Suggestion[];
  active: number;
  onChoose: (item: Suggestion) => void;
}

/** The list above the composer. The focus stays in the text field, which references the active option. */
export function SuggestionList({ id, items, active, onChoose }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // In braces, since newer browsers return a promise here, and React would take that for a clean-up function.
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div className="suggestions" id={id} ref={list} role="listbox" aria-label="Suggestions">
      {items.map((item, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the composer has the focus and handles the keys.
        <div
          key={item.key}
          id={`${id}-${index}`}
          className="suggestion"
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(item)}
        >
          <span className="suggestion-title">
            <strong>{item.title}</strong> {item.hint && <code>{item.hint}</code>}
          </span>
          <span className="suggestion-detail">{item.detail}</span>
        </div>
      ))}
    </div>
  );
}
