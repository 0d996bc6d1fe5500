import { z } from 'zod';
import { items, text } from './composition-schemas.ts';

const label = text(20);
const axisLabel = text(50).exactOptional();

const seriesChart = z
  .strictObject({
    type: z.enum(['bar', 'line', 'area']),
    series: items(
      z.strictObject({
        name: label,
        data: items(z.strictObject({ label, value: z.number() }), 20),
      }),
      6,
    ),
    axis_config: z.strictObject({ categories: items(label, 20), x_label: axisLabel, y_label: axisLabel }),
  })
  .superRefine(({ series, axis_config: { categories } }, context) => {
    const refuse = (message: string, path: (string | number)[]) =>
      context.addIssue({ code: 'custom', message, path });
    if (!areUnique(categories)) refuse('categories must be unique', ['axis_config', 'categories']);
    if (!areUnique(series.map(({ name }) => name))) refuse('series names must be unique', ['series']);
    for (const [index, { data }] of series.entries()) {
      const labels = data.map((point) => point.label);
      const stray = labels.findIndex((each) => !categories.includes(each));
      const path = ['series', index, 'data'];
      if (stray >= 0) refuse('must be one of the categories', [...path, stray, 'label']);
      else if (!areUnique(labels) || labels.length !== categories.length)
        refuse('must have one data point for each category', path);
    }
  });

const pie = z.strictObject({
  type: z.literal('pie'),
  segments: items(z.strictObject({ label, value: z.number().positive('must be greater than 0') }), 6),
});

/**
 * https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block
 * Slack's client is reported to take 12 series and segments; its reference says 6.
 */
export const dataVisualization = z.strictObject({
  block_id: text(255).exactOptional(),
  type: z.literal('data_visualization'),
  title: text(50),
  chart: z.discriminatedUnion('type', [seriesChart, pie], 'unsupported type'),
});

/** Not in `@slack/types` yet. */
export type DataVisualizationBlock = z.infer<typeof dataVisualization>;

const areUnique = (values: readonly string[]): boolean => new Set(values).size === values.length;
