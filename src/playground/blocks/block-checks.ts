import type { KnownBlock } from '@slack/types';
import { randomId } from '../ids.ts';
import { isJsonObject, type JsonObject, nonEmptyString } from '../json.ts';
import { blockSchemas, type Surface } from './block-schemas.ts';

export type CheckedBlocks = KnownBlock[];

export interface BlockChecks {
  /** Block types that this workspace refuses as unknown; may change at any time. */
  refusedTypes: Set<string>;
}

type BlockResult =
  | { ok: true; blocks: CheckedBlocks }
  | { ok: false; error: 'invalid_blocks' | 'msg_blocks_too_long'; messages: string[] };

const MAX_BLOCKS: Record<Surface, number> = { message: 50, modal: 100, home: 100 };
/** Slack documents no limit for all text of the blocks; developers report one of about 12,000 characters. */
const MAX_CUMULATIVE_TEXT = 12_000;
const ONE_PER_MESSAGE = ['table'];

/** Applies Slack's checks to the blocks of a surface, and adds the ids that are missing, as Slack does. */
export function checkBlocks(
  given: unknown[],
  checks: BlockChecks,
  surface: Surface = 'message',
): BlockResult {
  const messages = [
    ...countErrors(given, surface),
    ...given.flatMap((block, index) => blockErrors(block, `/blocks/${index}`, { ...checks, surface })),
  ];
  if (messages.length > 0) return { ok: false, error: 'invalid_blocks', messages };
  // Every block has just passed the schema of its type.
  const blocks = given.map(withIds) as CheckedBlocks;
  const repeated = [...repeatedBlockIds(blocks), ...blocks.flatMap(repeatedActionIds)];
  if (repeated.length > 0) return { ok: false, error: 'invalid_blocks', messages: repeated };
  if (surface === 'message' && textLength(given) > MAX_CUMULATIVE_TEXT)
    return { ok: false, error: 'msg_blocks_too_long', messages: [] };
  return { ok: true, blocks };
}

function countErrors(given: unknown[], surface: Surface): string[] {
  const max = MAX_BLOCKS[surface];
  if (given.length > max) {
    return [`no more than ${max} items allowed [json-pointer:/blocks]`];
  }
  return ONE_PER_MESSAGE.filter(
    (type) => given.filter((block) => isJsonObject(block) && block.type === type).length > 1,
  ).map((type) => `only one ${type} block is allowed [json-pointer:/blocks]`);
}

function blockErrors(block: unknown, pointer: string, checks: BlockChecks & { surface: Surface }): string[] {
  const type = isJsonObject(block) ? nonEmptyString(block.type) : undefined;
  const schema = type && !checks.refusedTypes.has(type) ? blockSchemas[checks.surface].get(type) : undefined;
  if (!schema) return [`unsupported type: ${type ?? 'missing'} [json-pointer:${pointer}/type]`];
  const result = schema.safeParse(block);
  const children = isJsonObject(block) && Array.isArray(block.child_blocks) ? block.child_blocks : [];
  if (result.success) {
    return children.flatMap((child, index) => blockErrors(child, `${pointer}/child_blocks/${index}`, checks));
  }
  return result.error.issues.map(
    (issue) => `${issue.message} [json-pointer:${[pointer, ...issue.path.map(String)].join('/')}]`,
  );
}

function repeatedBlockIds(blocks: CheckedBlocks): string[] {
  const seen = new Set<string>();
  return blocks.flatMap((block, index) => {
    const id = block.block_id ?? '';
    if (seen.has(id)) return [`block_id ${id} already exists [json-pointer:/blocks/${index}/block_id]`];
    seen.add(id);
    return [];
  });
}

function repeatedActionIds(block: KnownBlock, index: number): string[] {
  const seen = new Set<string>();
  const repeated: string[] = [];
  for (const element of interactiveElements(block)) {
    const id = String(element.action_id);
    if (seen.has(id)) repeated.push(`action_id ${id} already exists [json-pointer:/blocks/${index}]`);
    seen.add(id);
  }
  return repeated;
}

/** The interactive elements of a block, including nested ones. */
export function interactiveElements(value: unknown): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(interactiveElements);
  if (!isJsonObject(value)) return [];
  const own = typeof value.action_id === 'string' ? [value] : [];
  return [...own, ...Object.values(value).flatMap(interactiveElements)];
}

const INTERACTIVE =
  /^(button|overflow|checkboxes|(date|time|datetime)picker|radio_buttons|.*_(select|input))$/;

function withIds(block: unknown): unknown {
  if (!isJsonObject(block)) return block;
  return { ...withActionIds(block), block_id: nonEmptyString(block.block_id) ?? randomId('', 5) };
}

function withActionIds(block: JsonObject): JsonObject {
  const withId = (element: unknown) =>
    isJsonObject(element) && INTERACTIVE.test(String(element.type)) && !nonEmptyString(element.action_id)
      ? { ...element, action_id: randomId('', 5) }
      : element;
  const result = { ...block };
  if (Array.isArray(block.elements)) result.elements = block.elements.map(withId);
  if (block.accessory) result.accessory = withId(block.accessory);
  if (block.element) result.element = withId(block.element);
  if (Array.isArray(block.child_blocks)) result.child_blocks = block.child_blocks.map(withIds);
  return result;
}

/** Characters in all text of the blocks; ids, values and URLs don't count. */
function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + textLength(item), 0);
  if (!isJsonObject(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [key, item]) => sum + (key === 'text' && typeof item === 'string' ? item.length : textLength(item)),
    0,
  );
}
