import { Component, type ReactNode } from 'react';
import type { CheckedBlock } from '../../src/blocks/block-checks.ts';
import { BlockView } from './block-view.tsx';

/** A list of blocks, each with an error boundary. */
export function BlockList({ blocks }: { blocks: CheckedBlock[] }) {
  return blocks.map((block, index) => (
    // A field keyed by its id keeps its text when its block moves.
    <BlockBoundary key={block.type === 'input' ? block.block_id : index} type={block.type}>
      <BlockView block={block} />
    </BlockBoundary>
  ));
}

interface BoundaryProps {
  type: string;
  children: ReactNode;
}

/** Replaces a block that fails to render, and keeps the rest of the page. React needs a class for this. */
class BlockBoundary extends Component<BoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return <p className="unsupported">The playground can't show this “{this.props.type}” block</p>;
  }
}
