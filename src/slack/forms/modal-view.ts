import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { Opened } from '../../features/form.ts';
import { sections } from '../../messages/blocks.ts';
import { withoutShare } from '../../messages/frame/answer-actions.ts';
import { workingNotice } from '../../messages/frame/notices.ts';
import { clip, limits } from '../../messages/limits.ts';
import type { Message } from '../../messages/message.ts';

/** The `callback_id` of a form's modal: `form:<name>`. */
export const formPattern = /^form:([a-z-]+)$/;

/**
 * What a modal remembers. `channelId`: where it was opened; the person's own id where that was no channel.
 * `onForm`: it was opened by a form, which is to be seen again. `formId`: of this opening of a form.
 */
const Metadata = z
  .object({
    channelId: z.string(),
    // Something to read has neither; zod takes `unknown` alone for a key that must be there.
    target: z.unknown().optional(),
    memo: z.unknown().optional(),
    onForm: z.boolean().optional(),
    formId: z.string().optional(),
  })
  .transform(({ target, memo, ...others }) => ({ ...others, target, memo }));

/** Of what is not ours there is nothing but the person: what follows then fails once, with a reference. */
export function readMetadata(text: string, { userId }: { userId: string }): z.infer<typeof Metadata> {
  try {
    return Metadata.parse(JSON.parse(text));
  } catch {
    return { channelId: userId, target: undefined, memo: undefined };
  }
}

/** A form to fill in. */
export function formView(
  name: string,
  { modal, target, memo }: Opened,
  place: { channelId: string; onForm?: boolean | undefined; formId?: string | undefined },
): ModalView {
  const { title, submit, blocks } = modal;
  return {
    type: 'modal',
    callback_id: `form:${name}`,
    private_metadata: JSON.stringify({ ...place, target, memo }),
    title: plainText(title),
    close: plainText(submit ? 'Cancel' : 'Close'),
    ...(submit && { submit: plainText(submit) }),
    blocks,
  };
}

interface Reading {
  channelId: string;
  /** By which it will be changed. */
  externalId?: string;
  /** Closing it closes the forms below too. */
  clears?: boolean;
  title?: string;
}

/** Something to read. */
export function messageView(
  message: Message,
  { channelId, externalId, clears, title = 'Landfall' }: Reading,
): ModalView {
  return {
    type: 'modal',
    callback_id: 'message',
    private_metadata: JSON.stringify({ channelId }),
    title: plainText(title),
    close: plainText('Close'),
    ...(externalId && { external_id: externalId }),
    ...(clears && { clear_on_close: true }),
    blocks: viewBlocks(message),
  };
}

export const workingView = (options: Reading): ModalView => messageView(workingNotice, options);

/** Tables are for messages only, and from a modal or the Home tab nothing can be shared in a channel. */
export function viewBlocks(message: Message): KnownBlock[] {
  const { text, blocks, plain } = withoutShare(message);
  const fitting = plain ?? blocks;
  return fitting.length > 0 ? fitting.slice(0, limits.viewBlocks) : sections([text]);
}

const plainText = (text: string) => ({
  type: 'plain_text' as const,
  text: clip(text, limits.modalTitle),
});
