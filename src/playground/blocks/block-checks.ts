import type { KnownBlock } from '@slack/types';
import { randomId } from '../ids.ts';
import { isJson, type Json, stringOf } from '../json.ts';
import { blockSchemas, type Surface } from './block-schemas.ts';

export type CheckedBlocks = KnownBlock[];

export interface BlockChecks {
  /** Block types that this workspace refuses as if it had never heard of them; may change at any time. */
  refused: Set<string>;
}

export type BlockResult =
  | { ok: true; blocks: CheckedBlocks }
  | { ok: false; error: 'invalid_blocks' | 'msg_blocks_too_long'; messages: string[] };

const MAX_BLOCKS: Record<Surface, number> = { message: 50, modal: 100, home: 100 };
/** Undocumented; seen by others at about 12,000 characters of all the text in the blocks. */
const MAX_CUMULATIVE_TEXT = 12_000;
const ONCE_A_MESSAGE = ['table'];

/** Slack's own checks of a surface's blocks, and the ids that Slack adds where none are given. */
export function checkBlocks(
  given: unknown[],
  checks: BlockChecks,
  surface: Surface = 'message',
): BlockResult {
  const messages = [
    ...tooMany(given, surface),
    ...given.flatMap((block, index) => blockFaults(block, `/blocks/${index}`, { ...checks, surface })),
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

function tooMany(given: unknown[], surface: Surface): string[] {
  const most = MAX_BLOCKS[surface];
  if (given.length > most) {
    return [`no more than ${most} items allowed [json-pointer:/blocks]`];
  }
  return ONCE_A_MESSAGE.filter(
    (type) => given.filter((block) => isJson(block) && block.type === type).length > 1,
  ).map((type) => `only one ${type} block is allowed [json-pointer:/blocks]`);
}

function blockFaults(block: unknown, pointer: string, checks: BlockChecks & { surface: Surface }): string[] {
  const type = isJson(block) ? stringOf(block.type) : undefined;
  const schema = type && !checks.refused.has(type) ? blockSchemas[checks.surface].get(type) : undefined;
  if (!schema) return [`unsupported type: ${type ?? 'missing'} [json-pointer:${pointer}/type]`];
  const result = schema.safeParse(block);
  const children = isJson(block) && Array.isArray(block.child_blocks) ? block.child_blocks : [];
  if (result.success) {
    return children.flatMap((child, index) => blockFaults(child, `${pointer}/child_blocks/${index}`, checks));
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
  for (const element of interactive(block)) {
    const id = String(element.action_id);
    if (seen.has(id)) repeated.push(`action_id ${id} already exists [json-pointer:/blocks/${index}]`);
    seen.add(id);
  }
  return repeated;
}

/** The elements of a block that can be clicked, nested ones too. */
export function interactive(value: unknown): Json[] {
  if (Array.isArray(value)) return value.flatMap(interactive);
  if (!isJson(value)) return [];
  const own = typeof value.action_id === 'string' ? [value] : [];
  return [...own, ...Object.values(value).flatMap(interactive)];
}

const CLICKABLE = /^(button|overflow|checkboxes|(date|time|datetime)picker|radio_buttons|.*_(select|input))$/;

function withIds(block: unknown): unknown {
  if (!isJson(block)) return block;
  return { ...withActionIds(block), block_id: stringOf(block.block_id) ?? randomId('', 5) };
}

function withActionIds(block: Json): Json {
  const give = (element: unknown) =>
    isJson(element) && CLICKABLE.test(String(element.type)) && !stringOf(element.action_id)
      ? { ...element, action_id: randomId('', 5) }
      : element;
  const result = { ...block };
  if (Array.isArray(block.elements)) result.elements = block.elements.map(give);
  if (block.accessory) result.accessory = give(block.accessory);
  if (block.element) result.element = give(block.element);
  if (Array.isArray(block.child_blocks)) result.child_blocks = block.child_blocks.map(withIds);
  return result;
}

/** Characters in all texts of the blocks; ids, values and addresses don't count. */
function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + textLength(item), 0);
  if (!isJson(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [key, item]) => sum + (key === 'text' && typeof item === 'string' ? item.length : textLength(item)),
    0,
  );
}
