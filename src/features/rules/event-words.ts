import { capitalised, referenceNote, vesselShort } from '../../answers/formatting/words.ts';
import type { Text } from '../../answers/text.ts';
import type { Imo } from '../../reference/codes.ts';
import { knownVessel } from '../ctx.ts';
import type { EventText } from './event-text.ts';
import type { WatchEvent } from './list.ts';
import { watchRules } from './registry.ts';

/** What a reader should do: act (🔴), check (🟠), or nothing (⚪). */
export type Marker = '🔴' | '🟠' | '⚪';

/** The names that a watch's message needs. */
export interface WatchNames {
  nameOf: (imo: Imo) => string | undefined;
  /** The newest first; none where people of other organisations read. */
  referencesOf: (imo: Imo) => readonly string[];
  ownerName?: string;
  acknowledgedBy?: string;
  /** Who shall act on the most urgent open alert. */
  assigneeName?: string;
}

export interface EventWords extends EventText {
  marker: Marker;
  /** Undefined if the event isn't about a vessel. */
  vessel: string | undefined;
  /** The vessel's references, the newest first. */
  references: readonly string[];
}

export function eventInWords(
  event: WatchEvent,
  names: Pick<WatchNames, 'nameOf' | 'referencesOf'>,
  now: Date,
): EventWords {
  const text = watchRules.ruleOf(event).view(event, { now });
  const vessel = 'imo' in event ? vesselShort(knownVessel(event.imo, names)) : undefined;
  const references = 'imo' in event ? names.referencesOf(event.imo) : [];
  return { ...text, vessel, references, marker: eventMarker(event, now) };
}

export function eventMarker(event: WatchEvent, now: Date): Marker {
  if (watchRules.isCritical(event)) return '🔴';
  return watchRules.ruleOf(event).view(event, { now }).isRoutine ? '⚪' : '🟠';
}

/** `DS CYPRESS: Rotterdam → Antwerp, 80%`; `DS CYPRESS · Settled: Rotterdam 82%`, since two colons read badly. */
export const headed = (name: string, verdict: string): string =>
  `${name}${verdict.includes(': ') ? ' ·' : ':'} ${verdict}`;

/** An alert in bold, ` (was 50%)` after it, and its figures below. */
interface AlertWords {
  strong: Text;
  rest: string;
  lines: readonly string[];
}

/** `🔴 Southampton → Rotterdam, 86%` and so on. `name` stands before the headline: only in a notification if it is `known`. */
export function alertInWords(words: EventWords, name: string | { known: string }): AlertWords {
  const { marker, headline, aside, figures = [], references, isLinePerFigure } = words;
  const all = [...figures, ...referenceNote(references)];
  const lines = isLinePerFigure ? all : all.length > 0 ? [all.join(' · ')] : [];
  const heading = (text: string) => headed(text, headline).slice(0, -headline.length);
  return {
    strong: [
      `${marker} `,
      typeof name === 'string' ? heading(name) : { inNotification: heading(name.known) },
      headline,
    ],
    rest: aside === undefined ? '' : ` (${aside})`,
    lines: lines.map(capitalised),
  };
}
