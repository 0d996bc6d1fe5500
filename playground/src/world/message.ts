import type { JsonObject } from '../json.ts';
import type { PageMessage } from '../page-api/page-api.ts';
import type { SharedFile } from './files.ts';

export interface Message extends Omit<PageMessage, 'files'> {
  /** As they were when shared. */
  files?: SharedFile[];
  /** Set if the app posted it. */
  botId?: string;
  metadata?: JsonObject;
}

/** A message before the store assigns its `ts` and `postedAt`. */
export type NewMessage = Omit<Message, 'ts' | 'postedAt' | 'replyCount' | 'editedTs'>;

export interface Edit {
  text: string;
  blocks?: Message['blocks'];
  metadata?: JsonObject | undefined;
}
