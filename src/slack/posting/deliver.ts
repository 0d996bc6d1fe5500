import type { KnownBlock } from '@slack/types';
import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api';
import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import { request } from 'undici';
import type { Message, MessageBlock } from '../../answers/message.ts';
import { context } from '../../answers/slack/blocks.ts';
import { escaped } from '../../answers/text.ts';
import { createCache } from '../../cache.ts';
import { type Measure, measureNothing } from '../../measure.ts';
import { PostError } from '../../outbox/outgoing-message.ts';

export interface Rendering {
  text: string;
  blocks?: KnownBlock[];
}

export type RefusedBlocks = ReturnType<typeof createRefusedBlocks>;

/** Slack refuses a picture that it can't fetch, and the bot's server may be reachable again soon. */
const pictureTtlMs = 10 * millisecondsInMinute;

/** The block types that a workspace refuses, remembered for a day; pictures for ten minutes. */
export function createRefusedBlocks({ realNow }: { realNow: () => number }) {
  /** Keys: block types, at least one of them at fault. Values: the texts of messages that Slack took only without them. */
  const refusals = createCache<Set<string>>({ ttlMs: millisecondsInDay, realNow, max: 50 });
  return {
    /** A single refused message may be at fault itself; two different ones mean that their types are refused. */
    areRefused: (types: ReadonlySet<string>): boolean =>
      refusals
        .entries()
        .some(([key, texts]) => texts.size >= 2 && key.split(' ').every((type) => types.has(type))),
    add(types: ReadonlySet<string>, { text }: Message): void {
      if (types.size === 0) return;
      const key = [...types].sort().join(' ');
      const texts = refusals.get(key) ?? new Set();
      const ttl = key === 'image' ? pictureTtlMs : millisecondsInDay;
      if (texts.size < 2) refusals.set(key, texts.add(text), { ttl });
    },
  };
}

/** Slack's codes for invalid blocks. */
const blockRefusals = new Set(['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long']);

/**
 * Sends the blocks. While Slack refuses them, sends them without pictures, with simple tables, without any newer block,
 * and in the end only the text. Begins with what the workspace has not refused lately.
 */
export async function deliver<T>(
  message: Message,
  send: (rendering: Rendering) => Promise<T>,
  refused?: RefusedBlocks,
): Promise<T> {
  const { text } = message;
  const renderings = renderingsOf(message);
  const first = renderings.findIndex((blocks) => !refused?.areRefused(typesIn(blocks)));
  const refusedTypes: Set<string>[] = [];
  for (const blocks of first < 0 ? [] : renderings.slice(first)) {
    try {
      // Slack knows the newer types, which its package of types does not.
      const sent = await send(blocks.length > 0 ? { text, blocks: blocks as KnownBlock[] } : { text });
      const taken = typesIn(blocks);
      if (blocks.length > 0) for (const types of refusedTypes) refused?.add(without(types, taken), message);
      return sent;
    } catch (error) {
      const code = slackCode(error) ?? '';
      if (!blockRefusals.has(code)) throw error;
      if (code !== 'msg_blocks_too_long') refusedTypes.push(typesIn(blocks));
    }
  }
  return await send({ text });
}

/** The richest first, each once. */
function renderingsOf({ blocks, plain }: Message): readonly (readonly MessageBlock[])[] {
  const withoutImages = mapBlocks(blocks, 'image', ({ alt_text }) => context(escaped(alt_text)));
  const simpler = mapBlocks(withoutImages, 'data_table', ({ rows }) => ({ type: 'table', rows }));
  return [...new Set([blocks, withoutImages, simpler, ...(plain ? [plain] : [])])];
}

/** The same array if no block is of the type. */
function mapBlocks<Type extends 'image' | 'data_table'>(
  blocks: readonly MessageBlock[],
  type: Type,
  change: (block: Extract<MessageBlock, { type: Type }>) => KnownBlock,
): readonly MessageBlock[] {
  const isOfType = (block: MessageBlock): block is Extract<MessageBlock, { type: Type }> =>
    block.type === type;
  return blocks.some(isOfType) ? blocks.map((block) => (isOfType(block) ? change(block) : block)) : blocks;
}

const without = (types: ReadonlySet<string>, taken: ReadonlySet<string>): Set<string> =>
  new Set([...types].filter((type) => !taken.has(type)));

const typesIn = (blocks: readonly MessageBlock[]): Set<string> =>
  new Set(
    blocks.flatMap((block) => [block.type, ...('child_blocks' in block ? typesIn(block.child_blocks) : [])]),
  );

interface ResponseOptions {
  response_type?: 'ephemeral' | 'in_channel';
  replace_original?: boolean;
  thread_ts?: string;
}

/** Longer than a picture may take: Slack refuses one that doesn't come, and then the answer goes out without it. */
export const postTimeoutMs = 10_000;

export type ResponseUrl = ReturnType<typeof createResponseUrl>;

/**
 * Answers a click or a slash command. Bolt's `respond` has no timeout, and hides the reason of a refusal. The global
 * `fetch` takes four times the CPU time of undici's `request`, which it is made of; both share their connections.
 */
export function createResponseUrl(
  url: string,
  { refused, measure = measureNothing }: { refused?: RefusedBlocks; measure?: Measure } = {},
) {
  async function post(content: object): Promise<void> {
    let outcome = 'none';
    try {
      const { statusCode, body } = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(content),
        signal: AbortSignal.timeout(postTimeoutMs),
      });
      const isOk = statusCode >= 200 && statusCode < 300;
      outcome = refusalIn(await body.text()) ?? (isOk ? 'ok' : `http_${statusCode}`);
    } finally {
      measure({ kind: 'slack', method: 'response_url', outcome });
    }
    if (outcome !== 'ok') throw new ResponseUrlError(outcome);
  }

  return {
    send: (message: Message, options: ResponseOptions) =>
      deliver(message, (rendering) => post({ ...rendering, ...options }), refused),
    deleteOriginal: () => post({ delete_original: true }),
  };
}

/** Slack answers `ok`, `{"ok":true}`, a bare word such as `invalid_blocks`, or `{"ok":false,"error":…}`. */
function refusalIn(answer: string): string | undefined {
  const json = /"error"\s*:\s*"([a-z_]+)"/.exec(answer)?.[1];
  if (json) return json;
  return /^[a-z_]{3,40}$/.test(answer) ? answer : undefined;
}

/** A response URL refused a message. The Web API has error classes of its own. */
export class ResponseUrlError extends Error {
  override readonly name = 'ResponseUrlError';
  readonly code: string;

  constructor(code: string) {
    super(`Slack refused a message: ${code}`);
    this.code = code;
  }
}

/** Slack's own error code, or `http_` and the status of an answer without one; undefined without an answer, and for a rate limit. */
export function slackCode(error: unknown): string | undefined {
  if (error instanceof WebAPIPlatformError) return error.data.error;
  if (error instanceof WebAPIHTTPError) return `http_${error.statusCode}`;
  return error instanceof ResponseUrlError ? error.code : undefined;
}

/** Turns Slack's refusal into a PostError. An error with an unknown outcome stays as it is: a timeout, or an HTTP status. */
export function asPostError(error: unknown): unknown {
  if (error instanceof WebAPIRateLimitedError) {
    return new PostError({ code: 'ratelimited', isPermanent: false, retryAfterMs: error.retryAfter * 1000 });
  }
  const code = slackCode(error);
  if (code === undefined || code.startsWith('http_') || unknownOutcomeErrors.has(code)) return error;
  return new PostError({ code, isPermanent: permanentErrors.has(code) });
}

/** After these the outcome is unknown: Slack may have done part of the work. */
const unknownOutcomeErrors: ReadonlySet<string> = new Set([
  'fatal_error',
  'internal_error',
  'service_unavailable',
  'request_timeout',
]);

/** After these Slack accepts the token no more, for any request. */
export const deadTokenCodes: ReadonlySet<string> = new Set([
  'account_inactive',
  'invalid_auth',
  'not_authed',
  'token_expired',
  'token_revoked',
]);

/** Slack repeats these until a person acts: invites the bot, unarchives the channel, reinstalls the app. */
const permanentErrors: ReadonlySet<string> = new Set([
  ...deadTokenCodes,
  'channel_not_found',
  'not_in_channel',
  'is_archived',
  'restricted_action',
  'restricted_action_read_only_channel',
  'restricted_action_thread_only_channel',
  'restricted_action_thread_locked',
  'restricted_action_non_threadable_channel',
  'user_not_found',
  'user_disabled',
  'cannot_dm_bot',
  'messages_tab_disabled',
  'missing_scope',
  'no_permission',
  'not_allowed_token_type',
  'access_denied',
  'team_access_not_granted',
]);
