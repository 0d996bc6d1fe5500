import { useEffect, useRef } from 'react';
import type { Suggestion } from './suggestions.ts';

interface Props {
  id: string;
  items: Suggestion[];
  active: number;
  onChoose: (item: Suggestion) => void;
}

/** The list over the composer; the focus stays in the text, which names the active option. */
export function SuggestionList({ id, items, active, onChoose }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Not returned: browsers of 2026 give a promise here, which is no clean-up.
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div className="suggestions" id={id} ref={list} role="listbox" aria-label="Suggestions">
      {items.map((item, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the composer has the focus and the keys.
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
