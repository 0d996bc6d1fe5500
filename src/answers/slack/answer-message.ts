import type { ActionsBlock } from '@slack/types';
import type { Provenance } from '../../reference/prediction.ts';
import { utcTime } from '../formatting/times.ts';
import { counted } from '../formatting/words.ts';
import { blocksOf, type Message, type Piece, type Reader } from '../message.ts';
import { context } from './blocks.ts';
import { inventedNotes, smallPrint } from './small-print.ts';

interface AnswerParts {
  /** The answer in words, escaped, its verdict in the first 80 characters. */
  text: string;
  /** Its first block is the verdict. */
  body: readonly Piece[];
  /** Small print, escaped: before the age of the answer, and after it. */
  firstNotes?: readonly string[];
  notes: readonly string[];
  /** The answer is a forecast, which the small print says once. Default: true. */
  isForecast?: boolean;
  /** Left out if nothing of it comes from the service. */
  provenance?: Provenance | undefined;
  actions: readonly ActionsBlock[];
}

/** The frame of every answer: the verdict, a warning if it is old, the rest of the body, the small print, the buttons. */
export function answerMessage(parts: AnswerParts, reader: Reader): Message {
  const { firstNotes = [], notes, isForecast = true, provenance } = parts;
  const asked = provenance && utcTime(provenance.fetchedAt, reader.now);
  const allNotes = [
    ...firstNotes,
    ...(isForecast && asked ? [`Forecast as of ${asked}`] : []),
    ...notes,
    ...(isForecast || !asked ? [] : [`asked ${asked}`]),
    ...(provenance ? droppedNotes(provenance) : []),
  ];
  const [verdict, ...figures] = parts.body;
  const warning = provenance ? staleWords(provenance, reader).map(context) : [];
  const body = [...(verdict ? [verdict] : []), ...warning, ...figures];
  const staleText = provenance?.staleSince ? `. Old answer, from ${asked}` : '';
  return {
    text: `${parts.text}${staleText}${inventedSuffix(reader)}`,
    ...blocksOf([...body, ...smallPrint(allNotes, inventedNotes(reader)), ...parts.actions]),
  };
}

/** The mark that every text with data of the sandbox needs. */
export const inventedSuffix = (reader: Reader): string =>
  reader.source === 'sandbox' ? ' (invented data)' : '';

/** The provenance of several answers that are shown together: the age of the oldest, the dropped records of all. */
export function mergeProvenance(all: readonly [Provenance, ...Provenance[]]): Provenance {
  const stale = all.filter(({ staleSince }) => staleSince);
  const unanswered = stale.filter(({ throttled }) => !throttled);
  const since = (unanswered.length > 0 ? unanswered : stale).flatMap(({ staleSince }) => staleSince ?? []);
  return {
    fetchedAt: new Date(Math.min(...all.map(({ fetchedAt }) => Number(fetchedAt)))),
    cached: all.every(({ cached }) => cached),
    ...(since.length > 0 && { staleSince: new Date(Math.min(...since.map(Number))) }),
    ...(stale.length > 0 && unanswered.length === 0 && { throttled: true as const }),
    droppedRecords: all.reduce((sum, { droppedRecords }) => sum + droppedRecords, 0),
  };
}

const droppedNotes = ({ droppedRecords }: Provenance): string[] =>
  droppedRecords > 0 ? [`${counted(droppedRecords, 'record')} could not be read`] : [];

/** The warning under the verdict of an old answer, in mrkdwn. */
export function staleWords(
  { staleSince, throttled, fetchedAt }: Provenance,
  { now }: Pick<Reader, 'now'>,
): string[] {
  if (!staleSince) return [];
  const trouble = throttled ? 'is limiting our calls' : `has not answered since ${utcTime(staleSince, now)}`;
  return [`🟠 The analytics service ${trouble}; this answer is from ${utcTime(fetchedAt, now)}`];
}
