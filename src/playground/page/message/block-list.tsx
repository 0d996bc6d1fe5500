import type { KnownBlock } from '@slack/types';
import { BlockBoundary } from './block-boundary.tsx';
import { BlockView } from './block-view.tsx';

/** Blocks one below the other. One that can't be drawn costs its own place only. */
export function BlockList({ blocks }: { blocks: KnownBlock[] }) {
  return blocks.map((block, index) => (
    // Fields keep what was typed while their block keeps its id, wherever it moves.
    <BlockBoundary key={block.type === 'input' ? block.block_id : index} type={block.type}>
      <BlockView block={block} />
    </BlockBoundary>
  ));
}
