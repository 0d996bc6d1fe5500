import { z } from 'zod';
import { anyText, id, items, plainText } from './composition-schemas.ts';
import { button, image } from './element-schemas.ts';
import { richText } from './rich-text-schemas.ts';

/** https://docs.slack.dev/reference/block-kit/blocks/card-block */
export const card = z
  .strictObject({
    block_id: id,
    type: z.literal('card'),
    hero_image: image.optional(),
    icon: image.optional(),
    title: anyText(150).optional(),
    subtitle: anyText(150).optional(),
    body: anyText(200).optional(),
    actions: items(button, 3).optional(),
  })
  .refine(
    ({ hero_image, title, actions, body }) => hero_image || title || actions || body,
    'missing required field: hero_image, title, actions or body',
  );

export const carousel = z.strictObject({
  block_id: id,
  type: z.literal('carousel'),
  elements: items(card, 10),
});

/** Its children are checked one by one. https://docs.slack.dev/reference/block-kit/blocks/container-block */
export const container = z
  .strictObject({
    block_id: id,
    type: z.literal('container'),
    title: plainText(150).optional(),
    rich_text_title: richText.optional(),
    subtitle: anyText(150).optional(),
    icon: image.optional(),
    child_blocks: items(z.unknown(), 10),
    width: z.enum(['narrow', 'standard', 'wide', 'full']).optional(),
    is_collapsible: z.boolean().optional(),
    default_collapsed: z.boolean().optional(),
    has_header_divider: z.boolean().optional(),
  })
  .refine((block) => block.title || block.rich_text_title, 'missing required field: title or rich_text_title')
  .refine((block) => !block.default_collapsed || block.is_collapsible, {
    message: 'needs is_collapsible',
    path: ['default_collapsed'],
  });
