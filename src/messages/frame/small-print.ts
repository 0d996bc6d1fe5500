import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import { context } from '../blocks.ts';
import { limits } from '../limits.ts';
import type { Message } from '../message.ts';
import { escaped, plain } from '../mrkdwn.ts';

const sharedBlockId = 'shared_by';

/** Says who shared the answer, and marks the place for `keepSharer`. */
export function withSharer(message: Message, name: string): Message {
  return withNote(message, `Shared by ${name}`, sharedBlockId);
}

/** A refreshed answer takes over who shared it from the message that it replaces, as Slack sent that along. */
export function keepSharer(message: Message, replaced: unknown): Message {
  const blocks: unknown[] = Array.isArray(replaced) ? replaced : [];
  const said = blocks.map((block) => SharedBlock.safeParse(block)).find(({ success }) => success)?.data;
  return said ? insert(message, said) : message;
}

/** Our own small print as Slack returns it. It is built again, since Slack adds fields. */
const SharedBlock = z
  .object({
    block_id: z.literal(sharedBlockId),
    elements: z.tuple([z.object({ type: z.literal('mrkdwn'), text: z.string() })]),
  })
  .transform(({ elements: [{ text }] }) => ({ ...context(text), block_id: sharedBlockId }));

export const refreshedNote = (agoMs: number) =>
  `Refreshed ${Math.max(1, Math.round(agoMs / 1000))} s ago; you can refresh again after a minute`;

export const utcNote = "Slack doesn't give me your time zone, so days and times are in UTC";

/** Puts a line of small print under the answer, above its buttons. */
export function withNote(message: Message, note: string, blockId?: string): Message {
  const block = { ...context(`_${escaped(note)}_`), ...(blockId && { block_id: blockId }) };
  return insert({ ...message, text: `${message.text} (${plain(note)})` }, block);
}

function insert(message: Message, smallPrint: KnownBlock): Message {
  const add = (blocks: KnownBlock[]) => {
    if (blocks.length >= limits.blocks) return blocks;
    const buttons = blocks.at(-1)?.type === 'actions' ? 1 : 0;
    return blocks.toSpliced(blocks.length - buttons, 0, smallPrint);
  };
  return { ...message, blocks: add(message.blocks), ...(message.plain && { plain: add(message.plain) }) };
}
