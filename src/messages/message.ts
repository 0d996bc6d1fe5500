import type { KnownBlock } from '@slack/types';

/** The result of a view. `text` is a complete answer in words, with the verdict in the first 80 characters. */
export interface Message {
  text: string;
  blocks: KnownBlock[];
  /** The same without newer blocks, sent if a workspace refuses the newer ones (`invalid_blocks`). */
  plain?: KnownBlock[];
}

/** The person who reads an answer, and the time. A view has no clock of its own. */
export interface Reader {
  now: Date;
  /** IANA name. */
  zone: string;
  /** `sandbox`: every view says «invented data». */
  source: 'service' | 'sandbox';
  /** `outside`: a channel with people of another organisation: no usage, no costs, no owners. */
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
