import type { KnownBlock } from '@slack/types';

/** The result of a view. `text` is a complete answer in words, with the verdict in the first 80 characters. */
export interface Message {
  text: string;
  blocks: KnownBlock[];
  /** The same content without newer block types, for a workspace that refuses them (`invalid_blocks`). */
  plain?: KnownBlock[];
}

/** The person who reads an answer, and the time, because a view has no clock. */
export interface Reader {
  now: Date;
  /** IANA name. */
  zone: string;
  /** With `sandbox`, every view says “invented data”. */
  source: 'service' | 'sandbox';
  /** `outside`: people of another organisation read the channel, so it shows no usage, costs or owners. */
  audience: 'private' | 'channel' | 'outside';
}

/** The result of a form's view; slack/ makes a modal of it. Titles are plain text. */
export interface Modal {
  /** At most 24 characters. */
  title: string;
  blocks: KnownBlock[];
  /** The label of the submit button; left out if there is nothing to submit. */
  submit?: string;
}
