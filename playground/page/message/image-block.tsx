import type { ImageBlock as Block, ImageElement } from '@slack/types';
import { isLoopback } from '../../src/blocks/loopback.ts';
import { imageSource } from './image-source.ts';
import { plainText } from './plain-text.ts';

/** A picture with its title. A click opens it in full, as the page can't show more than its own width. */
export function ImageBlock({ block }: { block: Block }) {
  return (
    <figure className="block-image">
      {block.title && <figcaption>{plainText(block.title)}</figcaption>}
      <Picture image={block} linked />
    </figure>
  );
}

/** Shows the alt text instead of what isn't on this machine. */
export function Picture({ image, linked = false }: { image: ImageElement | Block; linked?: boolean }) {
  const url = 'image_url' in image ? image.image_url : undefined;
  if (!url || !isLoopback(url)) return <span className="image-missing">{image.alt_text}</span>;
  const picture = <img src={imageSource(url)} alt={image.alt_text} />;
  if (!linked) return picture;
  return (
    <a href={imageSource(url)} target="_blank" rel="noreferrer noopener">
      {picture}
    </a>
  );
}
