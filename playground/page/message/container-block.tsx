import type { ContainerBlock as Block } from '@slack/types';
import type { ReactNode } from 'react';
import { Icon } from '../chrome/icons.tsx';
import { Picture } from './image-block.tsx';
import { LibraryBlock } from './library-block.tsx';
import { plainText } from './plain-text.ts';

/** A box with a title; a collapsible one opens with a click on it. The children are the drawn blocks. */
export function ContainerBlock({ block, children }: { block: Block; children: ReactNode }) {
  const className = `block-container container-${block.width ?? 'standard'}`;
  if (!block.is_collapsible) {
    return (
      <section className={className}>
        <div className={`container-head${block.has_header_divider ? ' divided' : ''}`}>
          <Head block={block} />
        </div>
        <div className="container-body">{children}</div>
      </section>
    );
  }
  return (
    <details className={className} open={!block.default_collapsed}>
      <summary className="container-head">
        <Head block={block} />
        <Icon name="caret" />
      </summary>
      <div className="container-body">{children}</div>
    </details>
  );
}

function Head({ block: { icon, title, rich_text_title, subtitle } }: { block: Block }) {
  return (
    <>
      {icon && (
        <span className="card-icon">
          <Picture image={icon} />
        </span>
      )}
      <span className="container-titles">
        <span className="container-title">
          {rich_text_title ? <LibraryBlock block={rich_text_title} /> : title && plainText(title)}
        </span>
        {subtitle && (
          <span className="container-subtitle">
            <LibraryBlock block={{ type: 'section', text: subtitle }} />
          </span>
        )}
      </span>
    </>
  );
}
