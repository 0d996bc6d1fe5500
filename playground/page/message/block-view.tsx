import type { KnownBlock } from '@slack/types';
import type { CheckedBlock } from '../../src/blocks/block-checks.ts';
import { InputBlock } from '../views/input-block.tsx';
import { ActionElement, isActionable } from './action-element.tsx';
import { BlockDataTable, BlockTable } from './block-table.tsx';
import { CardBlock } from './card-block.tsx';
import { ChartBlock } from './chart-block.tsx';
import { ContainerBlock } from './container-block.tsx';
import { ImageBlock } from './image-block.tsx';
import { LibraryBlock } from './library-block.tsx';

/** One block. Interactive blocks are rendered here because slack-blocks-to-jsx has no callbacks. */
export function BlockView({ block }: { block: CheckedBlock }) {
  switch (block.type) {
    case 'actions':
    case 'context_actions':
      return (
        <div className="block-actions">
          {block.elements.map((element, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: elements have no identity but their position.
            <ActionElement key={index} element={element} blockId={block.block_id} />
          ))}
        </div>
      );
    case 'section': {
      const { accessory, ...rest } = block;
      if (!accessory || !isActionable(accessory)) return <LibraryBlock block={block} />;
      return (
        <div className="block-with-accessory">
          <LibraryBlock block={rest} />
          <ActionElement element={accessory} blockId={block.block_id} />
        </div>
      );
    }
    case 'input':
      return <InputBlock block={block} />;
    case 'alert':
      return <Alert block={block} />;
    case 'table':
      return <BlockTable block={block} />;
    case 'data_table':
      return <BlockDataTable block={block} />;
    case 'data_visualization':
      return <ChartBlock block={block} />;
    case 'container':
      return (
        <ContainerBlock block={block}>
          {block.child_blocks.map((child, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no identity but their position.
            <BlockView key={index} block={child} />
          ))}
        </ContainerBlock>
      );
    case 'card':
      return <CardBlock block={block} />;
    case 'image':
      return <ImageBlock block={block} />;
    default:
      return <LibraryBlock block={block} />;
  }
}

function Alert({ block }: { block: Extract<KnownBlock, { type: 'alert' }> }) {
  return (
    <div className={`block-alert ${block.level ?? 'default'}`} role="note">
      <LibraryBlock block={{ type: 'section', text: block.text }} />
    </div>
  );
}
