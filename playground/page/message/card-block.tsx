import type { CardBlock as Block, TextObject } from '@slack/types';
import { ActionElement } from './action-element.tsx';
import { Picture } from './image-block.tsx';
import { LibraryBlock } from './library-block.tsx';

/** A card with its buttons, which slack-blocks-to-jsx draws without callbacks. */
export function CardBlock({ block }: { block: Block }) {
  const { hero_image, icon, title, subtitle, body, actions = [] } = block;
  return (
    <section className="block-card">
      {hero_image && (
        <div className="card-hero">
          <Picture image={hero_image} />
        </div>
      )}
      <div className="card-content">
        {(icon || title || subtitle) && (
          <div className="card-head">
            {icon && (
              <span className="card-icon">
                <Picture image={icon} />
              </span>
            )}
            <div>
              {title && <CardText text={title} className="card-title" />}
              {subtitle && <CardText text={subtitle} className="card-subtitle" />}
            </div>
          </div>
        )}
        {body && <CardText text={body} className="card-body" />}
        {actions.length > 0 && (
          <div className="block-actions">
            {actions.map((button, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: buttons have no identity but their position.
              <ActionElement key={index} element={button} blockId={block.block_id} />
            ))}
          </div>
        )}
      </div>
    </section>
  );
}

function CardText({ text, className }: { text: TextObject; className: string }) {
  return (
    <div className={className}>
      <LibraryBlock block={{ type: 'section', text }} />
    </div>
  );
}
