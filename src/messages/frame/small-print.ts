import type { ContextBlock } from '@slack/types';
import { z } from 'zod';
import type { Locode } from '../../reference/locode.ts';
import { context } from '../blocks.ts';
import { limits } from '../limits.ts';
import type { Message, MessageBlock, Reader } from '../message.ts';
import { escaped, plain } from '../mrkdwn.ts';

const sharedBlockId = 'shared_by';

/** Adds the name of the person who shared the answer, in a block that `keepSharer` can find later. */
export const withSharer = (message: Message, name: string): Message =>
  withNote(message, `Shared by ${name}`, sharedBlockId);

/** Copies the block of `withSharer` from the message that is replaced. `oldBlocks` is what Slack sent. */
export function keepSharer(message: Message, oldBlocks: unknown): Message {
  const blocks: unknown[] = Array.isArray(oldBlocks) ? oldBlocks : [];
  const shared = blocks.map((block) => sharedBlock.safeParse(block)).find(({ success }) => success)?.data;
  return shared ? insertAboveButtons(message, shared) : message;
}

/** The block of `withSharer` as Slack returns it. It is built again because Slack adds fields. */
const sharedBlock = z
  .object({
    block_id: z.literal(sharedBlockId),
    elements: z.tuple([z.object({ type: z.literal('mrkdwn'), text: z.string() })]),
  })
  .transform(({ elements: [{ text }] }) => ({ ...context(text), block_id: sharedBlockId }));

/** One line of small print, from escaped notes; nothing without notes. */
export const smallPrint = (notes: readonly string[]): ContextBlock[] =>
  notes.length === 0 ? [] : [context(notes.join(' · '))];

/** The note of every message with data of the sandbox. */
export const inventedNotes = ({ source }: Pick<Reader, 'source'>): string[] =>
  source === 'sandbox' ? ['invented data'] : [];

export const refreshedNote = (agoMs: number) =>
  `Refreshed ${Math.max(1, Math.round(agoMs / 1000))} s ago; you can refresh again after a minute`;

/** The service had no answer for the typed code, so the answer is about another code of the same port. */
export const otherCodeNote = (typed: Locode, port: Locode) =>
  `no answer for ${typed}: this is for ${port}, another code for the same port`;

/** Under the answer to a plain question. `line`: the command line that it was understood as. */
export const understoodNote = (line: string) => `Understood as /${line}`;

export const utcNote = "Slack doesn't give me your time zone, so days and times are in UTC";

/** Puts a line of small print under the answer, above its buttons. */
export function withNote(message: Message, note: string, blockId?: string): Message {
  const block = { ...context(escaped(note)), ...(blockId && { block_id: blockId }) };
  return insertAboveButtons({ ...message, text: `${message.text} (${plain(note)})` }, block);
}

function insertAboveButtons(message: Message, added: ContextBlock): Message {
  const add = <Block extends MessageBlock>(blocks: readonly Block[]): (Block | ContextBlock)[] => {
    if (blocks.length >= limits.blocks) return [...blocks];
    const end = blocks.length - (blocks.at(-1)?.type === 'actions' ? 1 : 0);
    return [...blocks.slice(0, end), added, ...blocks.slice(end)];
  };
  return { ...message, blocks: add(message.blocks), ...(message.plain && { plain: add(message.plain) }) };
}
