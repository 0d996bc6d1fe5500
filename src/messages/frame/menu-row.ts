import type { SectionBlock } from '@slack/types';
import { homeActionIds } from '../action-ids.ts';
import { overflow, sections } from '../blocks.ts';
import { clip, limits } from '../limits.ts';

/** A row of a list on the Home tab, with a menu of actions; `id` is unique within the tab. */
export function rowWithMenu(
  lines: readonly string[],
  id: string,
  menuItems: readonly { label: string; value: string }[],
): SectionBlock {
  const menu = overflow(homeActionIds.menu, menuItems.slice(0, limits.overflowOptions));
  const [section = { type: 'section' } satisfies SectionBlock] = sections([
    clip(lines.join('\n'), limits.sectionText),
  ]);
  return { ...section, block_id: `row ${id}`, accessory: menu };
}
