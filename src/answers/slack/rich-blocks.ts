import type { CardBlock, ContainerBlock, KnownBlock } from '@slack/types';
import { blocksOf, clip, limits, linesWithin, type Piece, type Twinned } from '../message.ts';
import { escaped, plain } from '../text.ts';
import { context, sections, title } from './blocks.ts';

interface LineChart {
  /** At most 50 characters each. The title names the unit. */
  title: string;
  yLabel: string;
  /** At most 20, with at most 20 characters. */
  labels: readonly string[];
  /** At most 6, with a value for each label: Slack draws no gaps. */
  lines: readonly { name: string; values: readonly number[] }[];
}

/** Lines over the same labels. Its twin has the changes of each line: `Rotterdam: −14 (Thu 19 Nov), 0 (Fri 20 Nov)`. */
export function lineChart({ title, yLabel, labels, lines }: LineChart): Twinned[] {
  if (lines.length === 0 || labels.length === 0) return [];
  const categories = uniqueLabels(labels);
  const names = uniqueLabels(lines.map(({ name }) => name));
  const native = {
    type: 'data_visualization' as const,
    title: clip(plain(title), limits.chartTitle),
    chart: {
      type: 'line' as const,
      series: lines.map(({ values }, index) => ({
        name: names[index] ?? '',
        data: categories.map((label, at) => ({ label, value: values[at] ?? 0 })),
      })),
      axis_config: { categories, y_label: clip(plain(yLabel), limits.chartTitle) },
    },
  };
  const signed = (value: number) => `${value > 0 ? '+' : ''}${value}`.replace('-', '−');
  const inWords = lines.map(({ name, values }) => {
    const changes = values.flatMap((value, at) =>
      value === values[at - 1] ? [] : [`${signed(value)} (${escaped(labels[at] ?? '')})`],
    );
    return `${escaped(name)}: ${changes.join(', ')}`;
  });
  return [{ native, twin: sections([escaped(title), ...inWords]) }];
}

interface GroupedBarChart {
  /** At most 50 characters. It names the unit. */
  title: string;
  /** At most 20, of at most 20 characters. */
  categories: readonly string[];
  /** At most 6, with a bar for each category. `text`: the value as the twin shows it. */
  series: readonly { name: string; bars: readonly { value: number; text: string }[] }[];
}

/** Bars of the series side by side. Its twin has a line for each series: `Likely calls: Sat 2.1 · Sun 3.4`. */
export function groupedBarChart({ title, categories, series }: GroupedBarChart): Twinned[] {
  if (categories.length === 0 || series.length === 0) return [];
  const labels = uniqueLabels(categories);
  const names = uniqueLabels(series.map(({ name }) => name));
  const native = {
    type: 'data_visualization' as const,
    title: clip(plain(title), limits.chartTitle),
    chart: {
      type: 'bar' as const,
      series: series.map(({ bars }, index) => ({
        name: names[index] ?? '',
        data: bars.map(({ value }, at) => ({ label: labels[at] ?? '', value })),
      })),
      axis_config: { categories: labels },
    },
  };
  const lines = series.map(
    ({ name, bars }) => `${escaped(series.length > 1 ? name : title)}: ${barsInWords(bars, categories)}`,
  );
  return [{ native, twin: sections(series.length > 1 ? [escaped(title), ...lines] : lines) }];
}

const barsInWords = (bars: readonly { text: string }[], categories: readonly string[]): string =>
  bars.map(({ text }, at) => `${escaped(categories[at] ?? '')} ${escaped(text)}`).join(' · ');

/** For the fallback text: `Likely calls per day: Sat 2.1 · Sun 3.4`. */
export function chartInWords({ title, categories, series }: GroupedBarChart): string {
  const words = series.map(
    ({ name, bars }) => `${series.length > 1 ? `${escaped(name)} ` : ''}${barsInWords(bars, categories)}`,
  );
  return `${escaped(title)}: ${words.join('; ')}`;
}

/** Slack refuses a label that occurs twice. */
function uniqueLabels(texts: readonly string[]): string[] {
  const labels = texts.map((text) => clip(plain(text), limits.chartLabel));
  return labels.map((label, index) => {
    const before = labels.slice(0, index).filter((each) => each === label);
    const number = before.length === 0 ? '' : ` ${before.length + 1}`;
    return `${clip(label, limits.chartLabel - number.length)}${number}`;
  });
}

/** Blocks that are shown after a click on their title. Its twin: the title and the twins of the blocks. */
export function container({ title, body }: { title: string; body: readonly Piece[] }): Twinned[] {
  if (body.length === 0) return [];
  const { blocks, plain: twins = blocks } = blocksOf(body.slice(0, limits.containerBlocks));
  const native: ContainerBlock = {
    type: 'container',
    title: { type: 'plain_text', text: clip(plain(title), limits.containerTitle), emoji: false },
    is_collapsible: true,
    default_collapsed: true,
    // The callers put only children into it that Slack allows.
    child_blocks: blocks as ContainerBlock['child_blocks'],
  };
  // Without newer blocks among them, the blocks are their own twins.
  return [{ native, twin: [...sections([escaped(title)]), ...(twins as KnownBlock[])] }];
}

/** A card with as many of the lines as fit, the others below it. Its twin is a section. `lines`: the title is the first. */
export function card(title: string, [first = title, subtitle, ...lines]: readonly string[]): Piece[] {
  const text = (words: string, max: number) =>
    ({ type: 'mrkdwn', text: clip(words, max), verbatim: true }) as const;
  const fitting = linesWithin(lines, limits.cardBody);
  const native: CardBlock = {
    type: 'card',
    title: text(title, limits.cardTitle),
    ...(subtitle !== undefined && { subtitle: text(subtitle, limits.cardTitle) }),
    ...(fitting.length > 0 && { body: text(fitting.join('\n'), limits.cardBody) }),
  };
  const twin = sections([first, ...(subtitle === undefined ? [] : [subtitle]), ...fitting]);
  return [{ native, twin }, ...sections(lines.slice(fitting.length))];
}

/** A title in large letters, not escaped. */
export const header = (text: string): Twinned => ({
  native: title(text),
  twin: sections([`*${escaped(text)}*`]),
});

/** A picture. `alt` says all that it shows, and stands for it where Slack can't fetch it. */
export const image = ({ url, alt }: { url: string; alt: string }): Twinned => ({
  native: { type: 'image', image_url: url, alt_text: clip(plain(alt), limits.altText) },
  twin: [context(escaped(alt))],
});
