import { z } from 'zod';

/** The parts that blocks and elements share, with Slack's limits. Like Slack, they refuse unknown fields. */
export const text = (max: number, min = 1) =>
  z
    .string('must be a string')
    .min(min, `must be more than ${min - 1} characters`)
    .max(max, `must be less than ${max + 1} characters`);
export const id = text(255).optional();
export const url = text(3000).regex(/^(https?|slack):\/\/\S+$|^mailto:\S+$/, 'must be a valid URL');
export const imageUrl = text(3000).regex(/^https?:\/\/\S+$/, 'must be a valid image URL');

export const plainText = (max: number) =>
  z.strictObject({ type: z.literal('plain_text'), text: text(max), emoji: z.boolean().optional() });
export const mrkdwn = (max: number) =>
  z.strictObject({ type: z.literal('mrkdwn'), text: text(max), verbatim: z.boolean().optional() });
export const anyText = (max: number) => z.discriminatedUnion('type', [plainText(max), mrkdwn(max)]);

export const style = z.enum(['primary', 'danger'], 'must be primary or danger').optional();
export const confirm = z
  .strictObject({
    title: plainText(100),
    text: anyText(300),
    confirm: plainText(30),
    deny: plainText(30),
    style,
  })
  .optional();

/** An option of a select or overflow menu. */
export const option = z.strictObject({
  text: plainText(75),
  value: text(150),
  description: plainText(75).optional(),
  url: url.optional(),
});
/** An option of checkboxes or radio buttons. */
export const checkableOption = z.strictObject({
  text: anyText(75),
  value: text(150),
  description: anyText(75).optional(),
});

export const items = <T extends z.ZodType>(item: T, max: number, min = 1) =>
  z.array(item).min(min, `no fewer than ${min} items allowed`).max(max, `no more than ${max} items allowed`);
