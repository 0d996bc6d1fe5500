import { capitalised, referenceNote, vesselShort } from '../../answers/formatting/words.ts';
import { escaped } from '../../answers/slack/blocks.ts';
import type { Imo } from '../../reference/codes.ts';
import { knownVessel } from '../ctx.ts';
import type { EventText } from './event-text.ts';
import type { WatchEvent } from './list.ts';
import { watchRules } from './registry.ts';

/** What a reader should do: act (🔴), check (🟠), or nothing (⚪). */
export type Marker = '🔴' | '🟠' | '⚪';

/** The names that a watch's message needs, not escaped. */
export interface WatchNames {
  nameOf: (imo: Imo) => string | undefined;
  /** The newest first; none where people of other organisations read. */
  referencesOf: (imo: Imo) => readonly string[];
  ownerName?: string;
  acknowledgedBy?: string;
  /** Who shall act on the most urgent open alert. */
  assigneeName?: string;
}

/** An event's text, neither escaped nor marked up. */
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

/** `🔴 *Southampton → Rotterdam, 86%* (was 50%)` and its figures, in mrkdwn. `name` stands before the verdict. */
export function alertLines(words: EventWords, name?: string): string[] {
  const { marker, headline, aside } = words;
  const named = name === undefined ? headline : headed(name, headline);
  const verdict = `${marker} *${escaped(named)}*${aside === undefined ? '' : ` (${escaped(aside)})`}`;
  const figures = figuresOf(words);
  const lines = words.isLinePerFigure ? figures : figures.length > 0 ? [figures.join(' · ')] : [];
  return [verdict, ...lines.map((line) => escaped(capitalised(line)))];
}

const figuresOf = ({ figures = [], references }: EventWords): string[] => [
  ...figures,
  ...referenceNote(references),
];

/** The same in one line, without bold. `name` is mrkdwn, such as a link. */
export function alertText(words: EventWords, name?: string): string {
  const { marker, headline, aside } = words;
  const verdict = escaped(`${headline}${aside === undefined ? '' : ` (${aside})`}`);
  const named = name === undefined ? verdict : headed(name, verdict);
  return `${marker} ${[named, ...figuresOf(words).map(escaped)].join(' · ')}`;
}
