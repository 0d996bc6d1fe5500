import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { Message, Reader } from '../../messages/message.ts';
import type { DigestMessage, OutgoingDigest } from './digest-message.ts';
import { type DigestLinesDeps, readerOf } from './run-lines.ts';
import { type DigestFrame, digestNoticeView, digestView } from './views/digest.ts';

type Framing = Pick<DigestLinesDeps, 'vessels' | 'slack' | 'source'>;

/** What a digest, one of its whole answers, or the notice that it is paused looks like. */
export async function renderDigest(
  message: OutgoingDigest,
  channelId: string,
  deps: Framing,
): Promise<Message> {
  if (message.kind === 'digest-notice') return digestNoticeView(message);
  if (message.kind === 'digest-detail') return readMessage(message.message);
  const { frame, reader } = await digestFrame(message, channelId, deps);
  return digestView(message, frame, reader);
}

/** What its view needs beside its own data, where it is in that channel. */
export async function digestFrame(
  { ownerId, destination, zone, ranAt }: DigestMessage,
  channelId: string,
  deps: Framing,
): Promise<{ frame: DigestFrame; reader: Reader }> {
  const [vessels, owner, reader] = await Promise.all([
    deps.vessels(),
    deps.slack.personOf(ownerId),
    readerOf({ channelId, destination, zone }, { ...deps, now: ranAt }),
  ]);
  return { frame: { ownerName: owner.name, nameOf: (imo) => vessels.nameOf(imo) }, reader };
}

/** As `runLine` gave it, back from the store; the blocks are those of our own views. */
const storedMessage = z.object({
  text: z.string(),
  blocks: z.array(z.custom<KnownBlock>()),
  plain: z.array(z.custom<KnownBlock>()).optional(),
});

function readMessage(message: unknown): Message {
  const { text, blocks, plain } = storedMessage.parse(message);
  return { text, blocks, ...(plain && { plain }) };
}
