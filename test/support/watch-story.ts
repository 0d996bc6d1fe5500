import type { Prediction } from '../../src/analytics/answers.ts';
import { evaluate } from '../../src/features/rules/evaluation/evaluate.ts';
import { type Snapshot, type WatchState, watchState } from '../../src/features/rules/evaluation/state.ts';
import type { ActiveRules, WatchEvent } from '../../src/features/rules/list.ts';
import { chooseRules, defaultRules } from '../../src/features/rules/registry.ts';
import type { Imo, Locode } from '../../src/reference/codes.ts';

export const cypress = 9461477 as Imo;
export const diana = 9755933 as Imo;
export const given = 9811000 as Imo;
/** Any number is a vessel here. */
export const vessel = (imo: number = cypress) => ({ kind: 'vessel', imo: imo as Imo }) as const;
export const start = new Date('2026-11-21T00:00:00Z');
export const hour = (hours: number): Date => new Date(start.getTime() + hours * 3_600_000);

/** Port → probability, or [probability, ETA in hours after the start]. */
export type Ports = Record<string, number | readonly [number, number]>;

export function predictions(ports: Ports, imo = cypress): Prediction[] {
  return Object.entries(ports).map(([port, value]) => {
    const [probability, eta] = typeof value === 'number' ? [value] : value;
    return {
      imo,
      port: port as Locode,
      probability,
      etaZone: 'given' as const,
      ...(eta === undefined ? {} : { eta: hour(eta) }),
    };
  });
}

export const vesselSnapshot = (
  at: Date,
  ports: Ports,
  scale: 'fraction' | 'percent' = 'fraction',
): Snapshot => ({
  kind: 'vessel',
  imo: cypress,
  at,
  scale,
  predictions: predictions(ports),
});

/** A poll without an answer, of a service that has been silent since then. */
export const failedSnapshot = (hours: number, silentSince = 0): Snapshot => ({
  kind: 'failed',
  isPort: false,
  at: hour(hours),
  silentSince: hour(silentSince),
  intervalMinutes: 60,
});

/** With `eta 12h`, which alerts at the first poll, whatever the distance. */
export const exactRules = chooseRules({ etaMoved: { hours: 12, isScaled: false } });

export interface Story {
  /** Polls once, at this number of hours after the start. Returns the kinds of the events. */
  poll(hours: number, ports: Ports, scale?: 'fraction' | 'percent'): string[];
  /** Polls with any snapshot. Returns the events. */
  take(snapshot: Snapshot): WatchEvent[];
  /** The events of the last poll, and what edited alerts show after it. */
  last: WatchEvent[];
  edits: WatchEvent[];
  state: WatchState | null;
  rules: ActiveRules;
  woke: boolean;
  ended: boolean;
}

/** A watch over several polls; its state goes through JSON each time, as in the store. `first`: its first answer, at hour 0. */
export function createStory(rules: Partial<ActiveRules> = {}, first?: Ports): Story {
  const story: Story = {
    last: [],
    edits: [],
    state: null,
    rules: { ...defaultRules, snooze: null, ...rules },
    woke: false,
    ended: false,
    poll: (hours, ports, scale) =>
      story.take(vesselSnapshot(hour(hours), ports, scale)).map(({ kind }) => kind),
    take(snapshot) {
      const { events, edits, state, woke, ended } = evaluate(story.state, snapshot, story.rules, snapshot.at);
      story.state = watchState.parse(JSON.parse(JSON.stringify(state)));
      Object.assign(story, { last: events, edits, woke, ended });
      return events;
    },
  };
  if (first) story.poll(0, first);
  return story;
}
