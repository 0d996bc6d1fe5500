import { isJsonObject, type JsonObject, parseJson } from '../json.ts';
import { type BlockChecks, type CheckedBlocks, checkBlocks } from './block-checks.ts';

/** An error that Slack returns as `{ ok: false, error: code }`, with the fields of `detail` added. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly detail: JsonObject;

  constructor(code: string, detail: JsonObject = {}) {
    super(code);
    this.code = code;
    this.detail = detail;
  }
}

export interface Content {
  text: string;
  blocks?: CheckedBlocks;
}

export type ContentReader = (fields: JsonObject) => Content;

/** Slack truncates longer message texts. */
const MAX_TEXT = 40_000;

/**
 * Reads the `text` and `blocks` of a message.
 * Throws ApiError: no_text, invalid_blocks, invalid_blocks_format, msg_blocks_too_long.
 */
export function createContentReader(checks: BlockChecks): ContentReader {
  return (fields) => {
    const text = typeof fields.text === 'string' ? fields.text.slice(0, MAX_TEXT) : '';
    const given = typeof fields.blocks === 'string' ? parseJson(fields.blocks) : fields.blocks;
    if (fields.blocks !== undefined && fields.blocks !== null && !Array.isArray(given)) {
      throw new ApiError('invalid_blocks_format');
    }
    if (!Array.isArray(given) || given.length === 0) {
      if (text.trim() === '') throw new ApiError('no_text');
      return { text };
    }
    const result = checkBlocks(given, checks);
    if (result.ok) return { text, blocks: result.blocks };
    throw new ApiError(result.error, {
      errors: result.messages,
      response_metadata: { messages: result.messages.map((message) => `[ERROR] ${message}`) },
    });
  };
}

/** Reads message metadata. Throws ApiError if Slack would refuse it. */
export function readMetadata(value: unknown): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  const metadata = typeof value === 'string' ? parseJson(value) : value;
  if (!isJsonObject(metadata)) throw new ApiError('invalid_metadata_format');
  if (Object.keys(metadata).length === 0) return {};
  if (typeof metadata.event_type !== 'string' || !isJsonObject(metadata.event_payload)) {
    throw new ApiError('invalid_metadata_schema');
  }
  if (JSON.stringify(metadata).length > 16_000) throw new ApiError('metadata_too_large');
  return metadata;
}
