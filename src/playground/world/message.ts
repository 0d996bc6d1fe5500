import type { Json } from '../json.ts';
import type { PageMessage } from '../page-api/page-api.ts';
import type { SharedFile } from './files.ts';

export interface Message extends Omit<PageMessage, 'files'> {
  /** As they were when they were shared. */
  files?: SharedFile[];
  /** Set where the app posted it. */
  botId?: string;
  metadata?: Json;
}

/** What is needed for a new message; the store gives the `ts`. */
export type NewMessage = Omit<Message, 'ts' | 'replyCount' | 'editedTs'>;

export interface Edit {
  text: string;
  blocks?: Message['blocks'];
  metadata?: Json | undefined;
}
