import { ApiError, type Content, type ContentReader } from '../blocks/content.ts';
import { randomId, randomSecret } from '../ids.ts';
import { isJsonObject, isTrue, type JsonObject, nonEmptyString } from '../json.ts';
import type { Message } from '../world/message.ts';
import type { Store } from '../world/store.ts';

const MAX_USES = 5;
const LIFETIME_MS = 30 * 60_000;

export interface ResponseTarget {
  kind: 'commands' | 'actions';
  channelId: string;
  userId: string;
  /** The clicked message. Only an action can replace or delete it (bolt-js#2287). */
  messageTs?: string;
  /** Called with every message posted through this URL. */
  onAnswer?: (message: Message) => void;
}

export interface ResponseUrls {
  open(target: ResponseTarget): string;
  /** Uses the URL with this id once. Throws ApiError. */
  use(id: string, body: unknown): void;
  /** Handles an answer in the acknowledgement of a slash command, which needs no URL. */
  answer(target: ResponseTarget, body: unknown): void;
}

/** URLs that accept five answers within 30 minutes each. Only the newest `maxOpen` stay valid. */
export function createResponseUrls(options: {
  base: () => string;
  store: Store;
  now: () => number;
  readContent: ContentReader;
  maxOpen: number;
}): ResponseUrls {
  const { store } = options;
  const open = new Map<string, { target: ResponseTarget; expiresAt: number; uses: number }>();

  function answer(target: ResponseTarget, body: unknown): void {
    const fields = isJsonObject(body) ? body : { text: String(body ?? '') };
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

  function post(target: ResponseTarget, fields: JsonObject, content: Content): Message {
    const { botId, botUserId } = store.world.app;
    const threadTs = nonEmptyString(fields.thread_ts);
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
      open.set(id, { target, expiresAt: options.now() + LIFETIME_MS, uses: 0 });
      const oldest = open.size > options.maxOpen ? open.keys().next().value : undefined;
      if (oldest) open.delete(oldest);
      return `${options.base()}/${target.kind}/${id}`;
    },
    use(id, body) {
      const entry = open.get(id);
      if (!entry) throw new ApiError('invalid_url');
      if (entry.expiresAt < options.now()) throw new ApiError('expired_url');
      if (entry.uses >= MAX_USES) throw new ApiError('used_url');
      if (!isJsonObject(body)) throw new ApiError('invalid_payload');
      answer(entry.target, body);
      entry.uses += 1;
    },
    answer,
  };
}
