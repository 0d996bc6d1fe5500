import { z } from 'zod';
import { anyText, id, items, mrkdwn, plainText, text } from './composition-schemas.ts';
import { accessory, element, image, inputElement } from './element-schemas.ts';

const richText = z.looseObject({
  type: z.literal('rich_text'),
  elements: z.array(
    z.looseObject({
      type: z.enum(['rich_text_section', 'rich_text_list', 'rich_text_preformatted', 'rich_text_quote']),
      elements: z.array(z.looseObject({ type: z.string() })),
    }),
  ),
});
const cell = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('raw_text'), text: text(10_000) }),
  z.strictObject({ type: z.literal('raw_number'), value: z.number(), text: text(255) }),
  richText,
]);
const rows = z
  .array(z.array(cell).min(1).max(20, 'no more than 20 items allowed'))
  .min(1, 'no fewer than 1 items allowed');

const common = { block_id: id };

const messageBlocks = {
  section: z
    .strictObject({
      ...common,
      type: z.literal('section'),
      text: anyText(3000).optional(),
      fields: z.array(anyText(2000)).min(1).max(10, 'no more than 10 items allowed').optional(),
      accessory: accessory.optional(),
      expand: z.boolean().optional(),
    })
    .refine((block) => block.text || block.fields, 'missing required field: text or fields'),
  header: z.strictObject({ ...common, type: z.literal('header'), text: plainText(150) }),
  divider: z.strictObject({ ...common, type: z.literal('divider') }),
  context: z.strictObject({
    ...common,
    type: z.literal('context'),
    elements: items(z.discriminatedUnion('type', [plainText(2000), mrkdwn(2000), image]), 10),
  }),
  actions: z.strictObject({
    ...common,
    type: z.literal('actions'),
    elements: items(element, 25),
  }),
  image: image.extend({ ...common, title: plainText(2000).optional() }),
  markdown: z.strictObject({ ...common, type: z.literal('markdown'), text: text(12_000) }),
  rich_text: richText.extend(common),
  video: z.looseObject({ ...common, type: z.literal('video'), title: plainText(200), alt_text: text(2000) }),
  file: z.looseObject({ ...common, type: z.literal('file'), external_id: text(255) }),
  table: z.strictObject({
    ...common,
    type: z.literal('table'),
    rows: rows.max(100, 'no more than 100 items allowed'),
    column_settings: z.array(z.looseObject({}).nullable()).max(20).optional(),
  }),
  data_table: z.looseObject({
    ...common,
    type: z.literal('data_table'),
    caption: text(255),
    rows: rows.max(201, 'no more than 201 items allowed'),
    page_size: z.number().int().min(1).max(100).optional(),
    row_header_column_index: z.number().int().min(0).max(19).optional(),
  }),
  data_visualization: z.looseObject({
    ...common,
    type: z.literal('data_visualization'),
    title: text(50),
  }),
  container: z.looseObject({
    ...common,
    type: z.literal('container'),
    child_blocks: z
      .array(z.looseObject({ type: z.string() }))
      .min(1)
      .max(10, 'no more than 10 items allowed'),
  }),
  card: z.looseObject({ ...common, type: z.literal('card') }),
  carousel: z.looseObject({ ...common, type: z.literal('carousel'), elements: z.array(z.looseObject({})) }),
  context_actions: z.strictObject({
    ...common,
    type: z.literal('context_actions'),
    elements: z
      .array(z.looseObject({ type: z.enum(['feedback_buttons', 'icon_button']), action_id: id }))
      .min(1)
      .max(5, 'no more than 5 items allowed'),
  }),
};

const { section, header, divider, context, actions, image: picture, rich_text, video } = messageBlocks;
const homeBlocks = {
  section,
  header,
  divider,
  context,
  actions,
  image: picture,
  rich_text,
  video,
  input: z.strictObject({
    ...common,
    type: z.literal('input'),
    label: plainText(2000),
    element: inputElement,
    hint: plainText(2000).optional(),
    optional: z.boolean().optional(),
    dispatch_action: z.boolean().optional(),
  }),
};
const modalBlocks = {
  ...homeBlocks,
  alert: z.strictObject({
    ...common,
    type: z.literal('alert'),
    text: anyText(3000),
    level: z.enum(['default', 'info', 'warning', 'error', 'success']).optional(),
  }),
};

export type Surface = 'message' | 'modal' | 'home';

/** By surface and block type. Messages can't have inputs here, since not every workspace supports them. */
export const blockSchemas: Record<Surface, ReadonlyMap<string, z.ZodType>> = {
  message: new Map(Object.entries(messageBlocks)),
  modal: new Map(Object.entries(modalBlocks)),
  home: new Map(Object.entries(homeBlocks)),
};
