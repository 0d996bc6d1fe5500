import { useId, useState } from 'react';
import type { PageClock } from '../../src/page-api/page-api.ts';
import { api } from '../model/api.ts';
import { format } from '../model/time.ts';
import { useMinute } from '../model/world-time.ts';
import { Icon } from './icons.tsx';

const STEPS = [
  { hours: 1, label: 'Forward 1 h' },
  { hours: 6, label: 'Forward 6 h' },
  { hours: 24, label: 'Forward 1 day' },
];
const SPEEDS = [1, 60, 600];

/** Shows the clock of the invented world and moves it. */
export function ClockControl({ clock, note }: { clock: PageClock; note: string | undefined }) {
  const id = useId();
  const [error, setError] = useState<string>();
  const now = useMinute();
  const move = async (request: Parameters<typeof api.clock>[0]) => {
    const reply = await api
      .clock(request)
      .catch((reason: Error) => ({ ok: false as const, error: reason.message }));
    setError(reply.ok ? undefined : reply.error);
  };
  return (
    <>
      <button type="button" className="clock" popoverTarget={id}>
        {clock.isBusy ? <span className="spinner" aria-hidden="true" /> : <Icon name="clock" />}
        <span className="hidden-narrow">World clock:</span>
        <time dateTime={new Date(now).toISOString()}>
          <span className="only-wide">{worldTime(now)}</span>
          <span className="only-narrow">{shortWorldTime(now)}</span>
        </time>
        {clock.speed !== 1 && <span>{clock.speed}×</span>}
      </button>
      <div id={id} popover="auto" className="clock-panel" role="dialog" aria-label="World clock">
        <p className="clock-time">{worldTime(now)}</p>
        <p>{note ?? 'The times of messages follow this clock.'}</p>
        <div className="clock-buttons">
          {STEPS.map(({ hours, label }) => (
            <button
              key={hours}
              type="button"
              className="text-button"
              disabled={clock.isBusy}
              onClick={() => void move({ forwardHours: hours })}
            >
              {label}
            </button>
          ))}
        </div>
        <fieldset className="clock-buttons">
          <legend>Speed</legend>
          {SPEEDS.map((speed) => (
            <button
              key={speed}
              type="button"
              className="text-button"
              aria-pressed={clock.speed === speed}
              onClick={() => void move({ speed })}
            >
              {speed}×
            </button>
          ))}
        </fieldset>
        <output className="clock-note">{clock.isBusy ? 'Moving forward …' : error}</output>
      </div>
    </>
  );
}

/** `Sat 21 Nov 2026, 14:05 UTC` */
const worldTime = (ms: number): string => `${format(ms, 'UTC', { ...DAY, year: 'numeric', ...TIME })} UTC`;

const shortWorldTime = (ms: number): string => `${format(ms, 'UTC', { ...DAY, ...TIME })} UTC`;

const DAY = { weekday: 'short', day: 'numeric', month: 'short' } as const;
const TIME = { hour: '2-digit', minute: '2-digit' } as const;
