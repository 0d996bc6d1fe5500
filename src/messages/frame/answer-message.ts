import type { ContextBlock, KnownBlock } from '@slack/types';
import type { Provenance } from '../../reference/provenance.ts';
import { context } from '../blocks.ts';
import { utcTime } from '../formatting/times.ts';
import { counted } from '../formatting/words.ts';
import type { Message, Reader } from '../message.ts';
import { type AnswerActions, answerActions } from './answer-actions.ts';
import { inventedNotes, smallPrint } from './small-print.ts';

interface AnswerParts {
  /** The answer in words, escaped, its verdict in the first 80 characters. */
  text: string;
  body: readonly KnownBlock[];
  /** The body without newer blocks, if it has any. */
  plainBody?: readonly KnownBlock[];
  /** Small print, escaped, in this order. */
  notes: readonly string[];
  provenance: Provenance;
  actions: AnswerActions;
}

/** The frame of every answer: a warning if it is old, the body, the small print, the buttons. */
export function answerMessage(parts: AnswerParts, reader: Reader): Message {
  const { staleSince, fetchedAt } = parts.provenance;
  const stale = staleNotice(parts.provenance, reader);
  const notes = [...parts.notes, ...provenanceNotes(parts.provenance, reader)];
  const frame = (body: readonly KnownBlock[]): KnownBlock[] => [
    ...stale,
    ...body,
    ...smallPrint(notes),
    ...answerActions(parts.actions),
  ];
  const staleText = staleSince ? `. Old answer, from ${utcTime(fetchedAt, reader.now)}` : '';
  return {
    text: `${parts.text}${staleText}${inventedSuffix(reader)}`,
    blocks: frame(parts.body),
    ...(parts.plainBody ? { plain: frame(parts.plainBody) } : {}),
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

function provenanceNotes({ droppedRecords, fetchedAt }: Provenance, reader: Reader): string[] {
  return [
    ...(droppedRecords > 0 ? [`${counted(droppedRecords, 'record')} could not be read`] : []),
    `asked ${utcTime(fetchedAt, reader.now)}`,
    ...inventedNotes(reader),
  ];
}

function staleNotice({ staleSince, throttled, fetchedAt }: Provenance, { now }: Reader): ContextBlock[] {
  if (!staleSince) return [];
  const trouble = throttled ? 'is limiting our calls' : `has not answered since ${utcTime(staleSince, now)}`;
  return [context(`⚠ The analytics service ${trouble}; this answer is from ${utcTime(fetchedAt, now)}`)];
}
