import { ApiError, type Content, type ContentReader } from '../blocks/content.ts';
import { randomId, randomSecret } from '../ids.ts';
import { isJson, isTrue, type Json, stringOf } from '../json.ts';
import type { Message } from '../world/message.ts';
import type { Store } from '../world/store.ts';

const USES = 5;
const LIFETIME_MS = 30 * 60_000;

export interface ResponseTarget {
  kind: 'commands' | 'actions';
  channelId: string;
  userId: string;
  /** The message that was clicked; only an action can replace or delete it (bolt-js#2287). */
  messageTs?: string;
  /** Told of every message that comes back this way. */
  onAnswer?: (message: Message) => void;
}

export interface ResponseUrls {
  open(target: ResponseTarget): string;
  /** One use of the address with this id. Throws ApiError. */
  use(id: string, body: unknown): void;
  /** What the app said in its acknowledgement of a slash command: the same, without an address. */
  answer(target: ResponseTarget, body: unknown): void;
}

/** Addresses that take five answers within 30 minutes. The newest `keep` are remembered. */
export function createResponseUrls(options: {
  base: () => string;
  store: Store;
  now: () => number;
  readContent: ContentReader;
  keep: number;
}): ResponseUrls {
  const { store } = options;
  const open = new Map<string, { target: ResponseTarget; until: number; uses: number }>();

  function answer(target: ResponseTarget, body: unknown): void {
    const fields = isJson(body) ? body : { text: String(body ?? '') };
    const original = target.kind === 'actions' ? target.messageTs : undefined;
    if (isTrue(fields.delete_original)) {
      if (original) store.remove(target.channelId, original);
      return;
    }
    const content = options.readContent(fields);
    const replaced =
      original && isTrue(fields.replace_original) && store.edit(target.channelId, original, content);
    const message = replaced || post(target, fields, content);
    target.onAnswer?.(message);
  }

  function post(target: ResponseTarget, fields: Json, content: Content): Message {
    const { botId, botUserId } = store.world.app;
    const threadTs = stringOf(fields.thread_ts);
    return store.post({
      channelId: target.channelId,
      userId: botUserId,
      botId,
      ...content,
      ...(threadTs ? { threadTs } : {}),
      ...(fields.response_type === 'in_channel' ? {} : { ephemeralTo: target.userId }),
    });
  }

  return {
    open(target) {
      const id = `${store.world.team.id}/${randomId('', 12)}/${randomSecret(12)}`;
      open.set(id, { target, until: options.now() + LIFETIME_MS, uses: 0 });
      const oldest = open.size > options.keep ? open.keys().next().value : undefined;
      if (oldest) open.delete(oldest);
      return `${options.base()}/${target.kind}/${id}`;
    },
    use(id, body) {
      const entry = open.get(id);
      if (!entry) throw new ApiError('invalid_url');
      if (entry.until < options.now()) throw new ApiError('expired_url');
      if (entry.uses >= USES) throw new ApiError('used_url');
      if (!isJson(body)) throw new ApiError('invalid_payload');
      answer(entry.target, body);
      entry.uses += 1;
    },
    answer,
  };
}
