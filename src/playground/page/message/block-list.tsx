import type { KnownBlock } from '@slack/types';
import { BlockBoundary } from './block-boundary.tsx';
import { BlockView } from './block-view.tsx';

/** A list of blocks, each with an error boundary. */
export function BlockList({ blocks }: { blocks: KnownBlock[] }) {
  return blocks.map((block, index) => (
    // A field keyed by its id keeps its text when its block moves.
    <BlockBoundary key={block.type === 'input' ? block.block_id : index} type={block.type}>
      <BlockView block={block} />
    </BlockBoundary>
  ));
}
