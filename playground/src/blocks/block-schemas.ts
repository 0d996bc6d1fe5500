import { z } from 'zod';
import { card, carousel, container } from './card-schemas.ts';
import { dataVisualization } from './chart-schemas.ts';
import { anyText, id, items, mrkdwn, plainText, text } from './composition-schemas.ts';
import { accessory, element, image, inputElement } from './element-schemas.ts';
import { richText } from './rich-text-schemas.ts';
import { dataTable, table } from './table-schemas.ts';

const common = { block_id: id };

const section = z
  .strictObject({
    ...common,
    type: z.literal('section'),
    text: anyText(3000).optional(),
    fields: items(anyText(2000), 10).optional(),
    accessory: accessory.optional(),
    expand: z.boolean().optional(),
  })
  .refine((block) => block.text || block.fields, 'missing required field: text or fields');

/** These can stand anywhere, in containers too. */
const everywhere = {
  section,
  header: z.strictObject({ ...common, type: z.literal('header'), text: plainText(150) }),
  divider: z.strictObject({ ...common, type: z.literal('divider') }),
  context: z.strictObject({
    ...common,
    type: z.literal('context'),
    elements: items(z.discriminatedUnion('type', [plainText(2000), mrkdwn(2000), image]), 10),
  }),
  actions: z.strictObject({ ...common, type: z.literal('actions'), elements: items(element, 25) }),
  image: image.safeExtend({ ...common, title: plainText(2000).optional() }),
  rich_text: richText,
  video: z.looseObject({ ...common, type: z.literal('video'), title: plainText(200), alt_text: text(2000) }),
};
const file = z.looseObject({ ...common, type: z.literal('file'), external_id: text(255) });

const messageBlocks = {
  ...everywhere,
  file,
  table,
  data_table: dataTable,
  data_visualization: dataVisualization,
  container,
  card,
  carousel,
  markdown: z.strictObject({ ...common, type: z.literal('markdown'), text: text(12_000) }),
  context_actions: z.strictObject({
    ...common,
    type: z.literal('context_actions'),
    elements: items(z.looseObject({ type: z.enum(['feedback_buttons', 'icon_button']), action_id: id }), 5),
  }),
};

const input = z.strictObject({
  ...common,
  type: z.literal('input'),
  label: plainText(2000),
  element: inputElement,
  hint: plainText(2000).optional(),
  optional: z.boolean().optional(),
  dispatch_action: z.boolean().optional(),
});
const alert = z.strictObject({
  ...common,
  type: z.literal('alert'),
  text: anyText(200),
  level: z.enum(['default', 'info', 'warning', 'error', 'success']).optional(),
});

export type Surface = 'message' | 'modal' | 'home';

/** By place and block type. Messages can't have inputs here, since not every workspace supports them. */
export const blockSchemas: Record<Surface | 'container', ReadonlyMap<string, z.ZodType>> = {
  message: new Map(Object.entries(messageBlocks)),
  modal: new Map(Object.entries({ ...everywhere, card, input, alert })),
  home: new Map(Object.entries({ ...everywhere, card, carousel, table, data_table: dataTable, input })),
  container: new Map(Object.entries({ ...everywhere, table, file })),
};
