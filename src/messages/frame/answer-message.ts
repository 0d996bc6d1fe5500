import type { ContextBlock, KnownBlock } from '@slack/types';
import { context } from '../blocks.ts';
import { utcTime } from '../formatting/times.ts';
import type { Message, Reader } from '../message.ts';
import { type AnswerActions, answerActions } from './answer-actions.ts';

/** Where an answer comes from, and how old it is; as the analytics client gives it. */
export interface Provenance {
  fetchedAt: Date;
  /** Answered from the cache, without a call. */
  cached: boolean;
  /** Set if the service fails and this is an older answer: since when it has been failing. */
  staleSince?: Date;
  /** Set with `staleSince` if the service does answer but asks for fewer calls. */
  throttled?: true;
  /** Records that could not be read, or were about something else. */
  faults: number;
}

interface AnswerParts {
  /** The answer in words, escaped, its verdict in the first 80 characters. */
  text: string;
  body: readonly KnownBlock[];
  /** The body without newer blocks, where it has any. */
  plainBody?: readonly KnownBlock[];
  /** Small print, escaped, in this order. */
  notes: readonly string[];
  provenance: Provenance;
  actions: AnswerActions;
}

/** The frame of every answer: a warning where it is old, the body, the small print, the buttons. */
export function answerMessage(parts: AnswerParts, reader: Reader): Message {
  const stale = staleNotice(parts.provenance, reader);
  const notes = [...parts.notes, ...provenanceNotes(parts.provenance, reader)];
  const frame = (body: readonly KnownBlock[]): KnownBlock[] => [
    ...stale,
    ...body,
    context(`_${notes.join(' · ')}_`),
    ...answerActions(parts.actions),
  ];
  const staleText = parts.provenance.staleSince
    ? `. Old answer, from ${askedAt(parts.provenance, reader)}`
    : '';
  return {
    text: `${parts.text}${staleText}${inventedSuffix(reader)}`,
    blocks: frame(parts.body),
    ...(parts.plainBody ? { plain: frame(parts.plainBody) } : {}),
  };
}

/** For texts: everything the sandbox says is said to be invented. */
export function inventedSuffix(reader: Reader): string {
  return reader.source === 'sandbox' ? ' (invented data)' : '';
}

/** Several answers shown as one: as old as the oldest, as faulty as all of them. */
export function mergeProvenance(all: readonly [Provenance, ...Provenance[]]): Provenance {
  const stale = all.filter(({ staleSince }) => staleSince);
  const silent = stale.filter(({ throttled }) => !throttled);
  const since = (silent.length > 0 ? silent : stale).flatMap(({ staleSince }) => staleSince ?? []);
  return {
    fetchedAt: new Date(Math.min(...all.map(({ fetchedAt }) => fetchedAt.getTime()))),
    cached: all.every(({ cached }) => cached),
    ...(since.length > 0 && { staleSince: new Date(Math.min(...since.map((time) => time.getTime()))) }),
    ...(stale.length > 0 && silent.length === 0 && { throttled: true as const }),
    faults: all.reduce((sum, { faults }) => sum + faults, 0),
  };
}

function provenanceNotes(provenance: Provenance, reader: Reader): string[] {
  const { faults } = provenance;
  return [
    ...(faults > 0 ? [`${faults} ${faults === 1 ? 'record' : 'records'} could not be read`] : []),
    `asked ${askedAt(provenance, reader)}`,
    ...(reader.source === 'sandbox' ? ['invented data'] : []),
  ];
}

function staleNotice(provenance: Provenance, reader: Reader): ContextBlock[] {
  if (!provenance.staleSince) return [];
  const trouble = provenance.throttled
    ? 'asks for fewer calls'
    : `has not answered since ${utcTime(provenance.staleSince, reader.now)}`;
  return [context(`⚠ The analytics service ${trouble}; this is from ${askedAt(provenance, reader)}`)];
}

function askedAt({ fetchedAt }: Provenance, reader: Reader): string {
  return utcTime(fetchedAt, reader.now);
}
