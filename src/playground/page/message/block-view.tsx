import type { KnownBlock } from '@slack/types';
import { InputBlock } from '../views/input-block.tsx';
import { ActionElement, isActionable } from './action-element.tsx';
import { BlockTable } from './block-table.tsx';
import { LibraryBlock } from './library-block.tsx';

/** One block. Interactive blocks are rendered here because slack-blocks-to-jsx has no callbacks. */
export function BlockView({ block }: { block: KnownBlock }) {
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
    case 'data_table':
      return <BlockTable block={block} />;
    case 'container':
      return <Container block={block} />;
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

type ContainerBlock = Extract<KnownBlock, { type: 'container' }>;

function Container({ block }: { block: ContainerBlock }) {
  const children = block.child_blocks.map((child, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no identity but their position.
    <BlockView key={index} block={child} />
  ));
  const title = (
    <>
      <strong>{block.title?.text}</strong>
      {block.subtitle && <span className="container-subtitle">{block.subtitle.text}</span>}
    </>
  );
  if (!block.is_collapsible) {
    return (
      <section className="block-container">
        <p>{title}</p>
        {children}
      </section>
    );
  }
  return (
    <details className="block-container" open={!block.default_collapsed}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}
