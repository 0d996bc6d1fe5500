import type { ContextBlock } from '@slack/types';
import { z } from 'zod';
import type { Locode } from '../../reference/locode.ts';
import { joinWithin, limits } from '../limits.ts';
import type { Message, MessageBlock, Reader } from '../message.ts';
import { context } from './blocks.ts';
import { escaped, plain } from './mrkdwn.ts';

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

const mrkdwn = z.object({ type: z.literal('mrkdwn'), text: z.string() });

/** The block of `withSharer` as Slack returns it. It is built again because Slack adds fields. */
const sharedBlock = z
  .object({
    block_id: z.literal(sharedBlockId),
    elements: z.tuple([mrkdwn]),
  })
  .transform(({ elements: [{ text }] }) => ({ ...context(text), block_id: sharedBlockId }));

/** One line of small print, from escaped notes, the most important first; nothing without notes. `last` is never left out. */
export function smallPrint(notes: readonly string[], last: readonly string[] = []): ContextBlock[] {
  const end = last.join(' · ');
  const begin = joinWithin(notes, ' · ', limits.contextText - end.length - 10);
  const texts = [begin, end].filter((text) => text !== '');
  return texts.length === 0 ? [] : [context(texts.join(' · '))];
}

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

/** For an admin of some workspace, whom Slack doesn't call an admin of this one. */
export const organisationAdminsNote =
  'Landfall is installed for your whole organisation, where only its admins and owners count as admins for people in several workspaces: ask one of them';

/** Adds small print under the answer, above its buttons: to the line that is there, unless it needs an id of its own. */
export function withNote(message: Message, note: string, blockId?: string): Message {
  const worded = { ...message, text: `${message.text} (${plain(note)})` };
  if (blockId !== undefined)
    return insertAboveButtons(worded, { ...context(escaped(note)), block_id: blockId });
  return insertAboveButtons(worded, context(escaped(note)), joined);
}

/** One line of small print from two; undefined if they need a block each. */
function joined(last: MessageBlock | undefined, added: ContextBlock): ContextBlock | undefined {
  const line = z.object({ type: z.literal('context'), elements: z.tuple([mrkdwn]) }).safeParse(last);
  const [more] = z.tuple([mrkdwn]).parse(added.elements);
  if (!line.success || (last && 'block_id' in last)) return undefined;
  const text = `${line.data.elements[0].text} · ${more.text}`;
  return text.length > limits.contextText ? undefined : context(text);
}

function insertAboveButtons(
  message: Message,
  added: ContextBlock,
  join: typeof joined = () => undefined,
): Message {
  const add = <Block extends MessageBlock>(blocks: readonly Block[]): (Block | ContextBlock)[] => {
    const end = blocks.length - (blocks.at(-1)?.type === 'actions' ? 1 : 0);
    const one = join(blocks[end - 1], added);
    if (one) return [...blocks.slice(0, end - 1), one, ...blocks.slice(end)];
    if (blocks.length >= limits.blocks) return [...blocks];
    return [...blocks.slice(0, end), added, ...blocks.slice(end)];
  };
  return { ...message, blocks: add(message.blocks), ...(message.plain && { plain: add(message.plain) }) };
}
