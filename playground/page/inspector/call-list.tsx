import { memo } from 'react';
import type { WireEntry } from '../../src/page-api/inspector-api.ts';
import { directionLabels } from './call-filter.ts';

interface Props {
  calls: readonly WireEntry[];
  selectedId: number;
  onSelect: (id: number) => void;
}

/** One line per call. The arrow keys go from one to the next. */
export function CallList({ calls, selectedId, onSelect }: Props) {
  return (
    <ul
      className="call-list"
      aria-label="Calls"
      onKeyDown={(event) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        const next = step && calls[calls.findIndex(({ id }) => id === selectedId) + step];
        if (!next) return;
        event.preventDefault();
        onSelect(next.id);
        event.currentTarget.querySelector<HTMLElement>(`[data-call="${next.id}"]`)?.focus();
      }}
    >
      {calls.map((call) => (
        <CallLine key={call.id} call={call} isSelected={call.id === selectedId} onSelect={onSelect} />
      ))}
    </ul>
  );
}

interface LineProps {
  call: WireEntry;
  isSelected: boolean;
  onSelect: (id: number) => void;
}

const CallLine = memo(function CallLine({ call, isSelected, onSelect }: LineProps) {
  return (
    <li>
      <button
        type="button"
        className={`call${call.ok ? '' : ' failed'}`}
        data-call={call.id}
        aria-current={isSelected}
        onClick={() => onSelect(call.id)}
      >
        <time className="call-time" dateTime={call.at}>
          {timeOf(call)}
        </time>
        <span className={`call-direction ${call.direction}`}>{directionLabels[call.direction]}</span>
        <span className="call-label" title={call.label}>
          {call.label}
        </span>
        {call.teamName && <span className="call-team">{call.teamName}</span>}
        <span className="call-status">{outcomeOf(call)}</span>
        <span className="call-took">{tookOf(call)}</span>
      </button>
    </li>
  );
});

export const timeOf = ({ at }: WireEntry): string =>
  new Date(at).toLocaleTimeString('en-GB', { hour12: false });

/** `200`, `not_in_channel`, `no answer`; for a delivery, `ack`. */
export function outcomeOf({ direction, error, status, ok }: WireEntry): string {
  if (error !== undefined) return error;
  if (status !== undefined) return String(status);
  if (!ok) return 'failed';
  return direction === 'to-app' ? 'ack' : 'ok';
}

/** `12 ms`, `8.0 s` */
export function tookOf({ tookMs }: WireEntry): string {
  if (tookMs === undefined) return '';
  return tookMs < 1000 ? `${Math.round(tookMs)} ms` : `${(tookMs / 1000).toFixed(1)} s`;
}
