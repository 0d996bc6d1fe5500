import type { KnownBlock } from '@slack/types';
import { randomId } from '../ids.ts';
import { isJsonObject, type JsonObject, nonEmptyString } from '../json.ts';
import { blockSchemas, type Surface } from './block-schemas.ts';
import type { DataVisualizationBlock } from './chart-schemas.ts';
import { type Images, imagesIn } from './images.ts';
import { textLength } from './text-length.ts';

export type CheckedBlock = KnownBlock | DataVisualizationBlock;
export type CheckedBlocks = CheckedBlock[];

export interface BlockChecks {
  /** Block types that this workspace refuses as unknown; may change at any time. */
  refusedTypes: Set<string>;
  /** The images that could not be downloaded. Default: none. */
  images?: Pick<Images, 'isRefused'>;
}

type BlockResult =
  | { ok: true; blocks: CheckedBlocks }
  | { ok: false; error: 'invalid_blocks' | 'msg_blocks_too_long'; messages: string[] };

const MAX_BLOCKS: Record<Surface, number> = { message: 50, modal: 100, home: 100 };
/** Slack documents no limit for all text of the blocks; developers report one of about 12,000 characters. */
const MAX_CUMULATIVE_TEXT = 12_000;
/** At most this many blocks of these types on a surface, those in containers included. */
const MAX_OF_TYPES = [
  { types: ['table', 'data_table'], max: 1 },
  { types: ['data_visualization'], max: 2 },
];

/** Applies Slack's checks to the blocks of a surface, and adds the ids that are missing, as Slack does. */
export function checkBlocks(
  given: unknown[],
  checks: BlockChecks,
  surface: Surface = 'message',
): BlockResult {
  const messages = [
    ...countErrors(given, surface),
    ...given.flatMap((block, index) => blockErrors(block, `/blocks/${index}`, { ...checks, place: surface })),
  ];
  if (messages.length > 0) return { ok: false, error: 'invalid_blocks', messages };
  // Every block has just passed the schema of its type.
  const blocks = given.map(withIds) as CheckedBlocks;
  const all = allBlocks(blocks);
  const repeats = [...repeatedBlockIds(all), ...all.flatMap(repeatedActionIds)];
  if (repeats.length > 0) return { ok: false, error: 'invalid_blocks', messages: repeats };
  if (surface === 'message' && textLength(given) > MAX_CUMULATIVE_TEXT)
    return { ok: false, error: 'msg_blocks_too_long', messages: [] };
  return { ok: true, blocks };
}

function countErrors(given: unknown[], surface: Surface): string[] {
  const max = MAX_BLOCKS[surface];
  if (given.length > max) return [`no more than ${max} items allowed [json-pointer:/blocks]`];
  const types = allBlocks(given).map(({ type }) => String(type));
  return MAX_OF_TYPES.filter(
    (limit) => types.filter((type) => limit.types.includes(type)).length > limit.max,
  ).map((limit) => `no more than ${limit.max} ${limit.types.join(' or ')} allowed [json-pointer:/blocks]`);
}

/** The given blocks, each followed by those that it contains. */
export function allBlocks(blocks: readonly unknown[]): JsonObject[] {
  return blocks.filter(isJsonObject).flatMap((block) => [block, ...allBlocks(childrenOf(block))]);
}

const childrenOf = (block: unknown): unknown[] =>
  isJsonObject(block) && Array.isArray(block.child_blocks) ? block.child_blocks : [];

const withoutChildren = (block: unknown): unknown =>
  isJsonObject(block) ? { ...block, child_blocks: undefined } : block;

function blockErrors(
  block: unknown,
  pointer: string,
  checks: BlockChecks & { place: keyof typeof blockSchemas },
): string[] {
  const type = isJsonObject(block) ? nonEmptyString(block.type) : undefined;
  const schema = type && !checks.refusedTypes.has(type) ? blockSchemas[checks.place].get(type) : undefined;
  if (!schema) return [`unsupported type: ${type ?? 'missing'} [json-pointer:${pointer}/type]`];
  const result = schema.safeParse(block);
  if (!result.success) {
    return result.error.issues.map(
      (issue) => `${issue.message} [json-pointer:${[pointer, ...issue.path.map(String)].join('/')}]`,
    );
  }
  return [
    ...imagesIn(withoutChildren(block), pointer)
      .filter(({ url }) => checks.images?.isRefused(url))
      .map(({ path }) => `downloading image failed [json-pointer:${path}]`),
    ...childrenOf(block).flatMap((child, index) =>
      blockErrors(child, `${pointer}/child_blocks/${index}`, { ...checks, place: 'container' }),
    ),
  ];
}

function repeatedBlockIds(blocks: JsonObject[]): string[] {
  const ids = blocks.map((block) => String(block.block_id));
  return repeated(ids).map((id) => `block_id ${id} already exists [json-pointer:/blocks]`);
}

/** The elements of a container belong to the blocks in it. */
function repeatedActionIds(block: JsonObject): string[] {
  const ids = interactiveElements(withoutChildren(block)).map((element) => String(element.action_id));
  return repeated(ids).map((id) => `action_id ${id} already exists [json-pointer:/blocks]`);
}

const repeated = (ids: string[]): string[] => ids.filter((id, index) => ids.indexOf(id) < index);

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
  if (Array.isArray(block.actions)) result.actions = block.actions.map(withId);
  if (block.accessory) result.accessory = withId(block.accessory);
  if (block.element) result.element = withId(block.element);
  if (Array.isArray(block.child_blocks)) result.child_blocks = block.child_blocks.map(withIds);
  return result;
}
