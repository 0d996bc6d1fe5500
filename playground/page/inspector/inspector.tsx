import { memo, useDeferredValue, useId, useMemo, useState } from 'react';
import type { WireEntry } from '../../src/page-api/inspector-api.ts';
import { Icon } from '../chrome/icons.tsx';
import { usePage } from '../model/page-context.ts';
import { CallDetail } from './call-detail.tsx';
import { allCalls, type CallFilter, createCallFilter, directionLabels } from './call-filter.ts';
import { CallList } from './call-list.tsx';

interface Props {
  entries: readonly WireEntry[];
  onClear: () => void;
  onClose: () => void;
}

/** The calls between Slack and the bot and to the service, newest first, with one of them in full. */
export const Inspector = memo(function Inspector({ entries, onClear, onClose }: Props) {
  const [filter, setFilter] = useState(allCalls);
  const [selectedId, setSelectedId] = useState<number>();
  const deferred = useDeferredValue(filter);
  const [select] = useState(createCallFilter);
  const shown = useMemo(() => select(entries, deferred), [select, entries, deferred]);
  const selected = shown.find(({ id }) => id === selectedId) ?? shown[0];
  return (
    <section className="inspector" aria-label="Inspector">
      <header className="inspector-header">
        <h2>Inspector</h2>
        <Filters filter={filter} onChange={setFilter} />
        <button type="button" className="text-button" onClick={onClear}>
          Clear
        </button>
        <button type="button" className="icon-button" aria-label="Close the inspector" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {selected ? (
        <div className="inspector-body">
          <CallList calls={shown} selectedId={selected.id} onSelect={setSelectedId} />
          <CallDetail call={selected} />
        </div>
      ) : (
        <Empty isFiltered={entries.length > 0} direction={filter.direction} />
      )}
    </section>
  );
});

function Filters({ filter, onChange }: { filter: CallFilter; onChange: (filter: CallFilter) => void }) {
  const name = useId();
  return (
    <div className="call-filters">
      <fieldset className="call-directions">
        <legend className="hidden">Direction</legend>
        {Object.entries({ all: 'All', ...directionLabels }).map(([value, label]) => (
          <label key={value}>
            <input
              type="radio"
              name={name}
              checked={(filter.direction ?? 'all') === value}
              onChange={() =>
                // The keys of `directionLabels` are the directions.
                onChange({
                  ...filter,
                  direction: value === 'all' ? undefined : (value as WireEntry['direction']),
                })
              }
            />
            {label}
          </label>
        ))}
      </fieldset>
      <label className="call-errors">
        <input
          type="checkbox"
          checked={filter.errorsOnly}
          onChange={({ target }) => onChange({ ...filter, errorsOnly: target.checked })}
        />
        Errors only
      </label>
      <input
        type="search"
        className="call-search"
        placeholder="Filter by any text"
        aria-label="Filter by any text"
        value={filter.text}
        onChange={({ target }) => onChange({ ...filter, text: target.value })}
      />
    </div>
  );
}

function Empty({ isFiltered, direction }: { isFiltered: boolean; direction: CallFilter['direction'] }) {
  const { isServiceRecorded } = usePage().world;
  const isAboutService = direction === undefined || direction === 'to-service';
  return (
    <div className="inspector-empty">
      {isFiltered ? (
        <p>No call matches the filter.</p>
      ) : (
        <p>No calls yet. Type a command to see what Slack, the bot and the service exchange.</p>
      )}
      {!isServiceRecorded && isAboutService && (
        <p>Calls to the service don't appear here: the bot works with the real one, not with the sandbox.</p>
      )}
    </div>
  );
}
