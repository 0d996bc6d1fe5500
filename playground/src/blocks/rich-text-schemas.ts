import { z } from 'zod';
import { id, text, url } from './composition-schemas.ts';

const inline = z.discriminatedUnion(
  'type',
  [
    z.looseObject({ type: z.literal('text'), text: text(10_000) }),
    z.looseObject({ type: z.literal('link'), url }),
    z.looseObject({ type: z.literal('date'), timestamp: z.number().int(), format: text(255) }),
    z.looseObject({ type: z.literal('emoji'), name: text(255) }),
    z.looseObject({ type: z.literal('user'), user_id: text(50) }),
    z.looseObject({ type: z.literal('usergroup'), usergroup_id: text(50) }),
    z.looseObject({ type: z.literal('channel'), channel_id: text(50) }),
    z.looseObject({ type: z.literal('team'), team_id: text(50) }),
    z.looseObject({ type: z.literal('broadcast'), range: z.enum(['here', 'channel', 'everyone']) }),
    z.looseObject({ type: z.literal('color'), value: text(20) }),
  ],
  'unsupported type',
);
const section = z.looseObject({ type: z.literal('rich_text_section'), elements: z.array(inline) });

/** https://docs.slack.dev/reference/block-kit/blocks/rich-text-block */
export const richText = z.looseObject({
  type: z.literal('rich_text'),
  block_id: id,
  elements: z.array(
    z.discriminatedUnion(
      'type',
      [
        section,
        z.looseObject({
          type: z.literal('rich_text_list'),
          style: z.enum(['bullet', 'ordered'], 'must be bullet or ordered'),
          elements: z.array(section),
        }),
        z.looseObject({ type: z.literal('rich_text_preformatted'), elements: z.array(inline) }),
        z.looseObject({ type: z.literal('rich_text_quote'), elements: z.array(inline) }),
      ],
      'unsupported type',
    ),
  ),
});
