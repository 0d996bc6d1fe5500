import { useState } from 'react';
import type { WireEntry } from '../../page-api/page-api.ts';
import { Icon } from './icons.tsx';

interface Props {
  entries: WireEntry[];
  onClear: () => void;
  onClose: () => void;
}

/** The requests between Slack and the app, newest first. */
export function Inspector({ entries, onClear, onClose }: Props) {
  const [selectedId, setSelectedId] = useState<number>();
  const newestFirst = entries.toReversed();
  const selected = entries.find(({ id }) => id === selectedId) ?? newestFirst[0];
  return (
    <section className="inspector" aria-label="Inspector">
      <header className="inspector-header">
        <h2>
          Inspector <span>Requests between Slack and the app, without tokens</span>
        </h2>
        <button type="button" className="text-button" onClick={onClear}>
          Clear
        </button>
        <button type="button" className="icon-button" aria-label="Close the inspector" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {selected ? (
        <div className="inspector-body">
          <ul className="wire-list" aria-label="Requests">
            {newestFirst.map((entry) => (
              <li key={entry.id}>
                <WireLine
                  entry={entry}
                  open={entry.id === selected.id}
                  onOpen={() => setSelectedId(entry.id)}
                />
              </li>
            ))}
          </ul>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard. */}
          <section className="wire-payload" aria-label={`Payload of ${selected.label}`} tabIndex={0}>
            <pre>{JSON.stringify(selected.payload, unpackJson, 2)}</pre>
          </section>
        </div>
      ) : (
        <p className="inspector-empty">
          No requests yet. Type a command to see what Slack and the app exchange.
        </p>
      )}
    </section>
  );
}

/** Shows blocks, views and forms as objects: Slack's clients send them as JSON text. */
function unpackJson(_key: string, value: unknown): unknown {
  if (typeof value !== 'string' || !/^[{[]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function WireLine({ entry, open, onOpen }: { entry: WireEntry; open: boolean; onOpen: () => void }) {
  const toApp = entry.direction === 'to-app';
  return (
    <button type="button" className="wire-line" aria-pressed={open} onClick={onOpen}>
      <span className={`wire-direction ${entry.direction}`}>{toApp ? 'to app →' : '← from app'}</span>
      <span className="wire-label">{entry.label}</span>
      {entry.teamName && <span className="wire-team">{entry.teamName}</span>}
      {!entry.ok && <span className="wire-failed">failed</span>}
      {entry.tookMs !== undefined && <span className="wire-took">{Math.round(entry.tookMs)} ms</span>}
      <time className="wire-time" dateTime={entry.at}>
        {new Date(entry.at).toLocaleTimeString('en-GB', { hour12: false })}
      </time>
    </button>
  );
}
