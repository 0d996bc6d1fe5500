import type { KnownBlock } from '@slack/types';

/** What a view gives back. `text` is a complete answer in words, its verdict in the first 80 characters. */
export interface Message {
  text: string;
  blocks: KnownBlock[];
  /** The twin without newer blocks, sent when a workspace refuses them (`invalid_blocks`). */
  plain?: KnownBlock[];
}

/** Who reads an answer, and when. A view has no clock of its own. */
export interface Reader {
  now: Date;
  /** IANA name. */
  zone: string;
  /** `sandbox`: every view says «invented data». */
  source: 'service' | 'sandbox';
  /** `outside`: a channel with people of another organisation: no usage, no costs, no owners. */
  audience: 'private' | 'channel' | 'outside';
}
