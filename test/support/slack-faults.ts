import type { Message, MessageBlock } from '../../src/answers/message.ts';
import { cellText } from './message-text.ts';

/**
 * Lists what Slack would refuse in a message, and what must never appear in one. Written from Slack's documentation,
 * independently of limits.ts. `own` matches references that the view itself adds.
 */
export function slackFaults(given: Message, own?: RegExp): string[] {
  const message = own ? without(given, own) : given;
  return [
    ...textFaults(message.text),
    ...blocksFaults(message.blocks, 'blocks'),
    ...(message.plain ? blocksFaults(message.plain, 'plain') : []),
    ...(message.plain ?? [])
      .filter(({ type }) => !['section', 'context', 'actions', 'divider'].includes(type))
      .map(({ type }) => `plain: holds a newer block, ${type}`),
    ...(!message.plain && message.blocks.some(({ type }) => newer.has(type))
      ? ['blocks: no plain twin']
      : []),
  ];
}

function without(message: Message, own: RegExp): Message {
  // Unescapes the text and removes the references.
  return JSON.parse(JSON.stringify(message).replace(own, 'somewhere')) as Message;
}

function textFaults(text: string): string[] {
  return [
    ...atMost('text', text, 4000),
    ...mentions('text', text),
    ...(text.trim() === '' ? ['text: empty'] : []),
  ];
}

const newer = new Set(['table', 'data_table', 'data_visualization', 'container', 'card', 'header', 'image']);

/** With the children of containers. */
const allBlocks = (blocks: readonly MessageBlock[]): MessageBlock[] =>
  blocks.flatMap((block) => [block, ...(block.type === 'container' ? allBlocks(block.child_blocks) : [])]);

function blocksFaults(given: readonly MessageBlock[], where: string): string[] {
  const blocks = allBlocks(given);
  const ids = blocks.flatMap((block) => {
    const elements =
      block.type === 'actions' ? block.elements : block.type === 'card' ? (block.actions ?? []) : [];
    return elements.map((element) => ('action_id' in element ? element.action_id : undefined));
  });
  const shown = blocks.flatMap(textsOf);
  const inAll = shown.reduce((sum, text) => sum + text.length, 0);
  return [
    ...(blocks.length > 50 || blocks.length === 0 ? [`${where}: ${blocks.length} blocks`] : []),
    ...(blocks.filter(({ type }) => type === 'data_visualization').length > 2
      ? [`${where}: more than two charts`]
      : []),
    ...(inAll > 10_000 ? [`${where}: ${inAll} characters in all`] : []),
    ...(new Set(ids).size === ids.length ? [] : [`${where}: a repeated action id`]),
    ...(blocks.filter(({ type }) => /table$/.test(type)).length > 1 ? [`${where}: two tables`] : []),
    ...shown.flatMap((text) => mentions(where, text)),
    ...blocks.flatMap((block) => blockFaults(block).map((fault) => `${where}: ${fault}`)),
  ];
}

function blockFaults(block: MessageBlock): string[] {
  switch (block.type) {
    case 'section':
      return atMost('section', block.text?.text ?? '', 3000);
    case 'context':
      return [
        ...(block.elements.length > 10 || block.elements.length === 0 ? ['context: elements'] : []),
        ...textsOf(block).flatMap((text) => atMost('context', text, 2000)),
      ];
    case 'actions':
      return [
        ...(block.elements.length > 25 || block.elements.length === 0 ? ['actions: elements'] : []),
        ...block.elements.flatMap(elementFaults),
      ];
    case 'table':
      return [
        ...(block.rows.length > 100 ? ['table: rows'] : []),
        ...(block.rows.some((row) => row.length > 20 || row.length !== block.rows[0]?.length)
          ? ['table: columns']
          : []),
        ...textsOf(block).flatMap((text) => (text === '' ? ['table: an empty cell'] : [])),
      ];
    case 'data_table':
      return [
        ...(block.rows.length < 2 || block.rows.length > 101
          ? [`data_table: ${block.rows.length} rows`]
          : []),
        ...(block.rows.some((row) => row.length > 20 || row.length !== block.rows[0]?.length)
          ? ['data_table: columns']
          : []),
        ...(block.rows[0]?.some(({ type }) => type !== 'raw_text') ? ['data_table: header cells'] : []),
        ...textsOf(block).flatMap((text) => (text === '' ? ['data_table: an empty cell'] : [])),
        ...(block.caption === '' ? ['data_table: no caption'] : atMost('caption', block.caption, 255)),
        ...((block.page_size ?? 0) < 1 || (block.page_size ?? 0) > 100 ? ['data_table: page size'] : []),
        ...((block.row_header_column_index ?? 0) >= (block.rows[0]?.length ?? 0)
          ? ['data_table: row header']
          : []),
      ];
    case 'data_visualization': {
      const { series, axis_config } = block.chart;
      const { categories } = axis_config;
      const names = series.map(({ name }) => name);
      return [
        ...(block.title === '' ? ['chart: no title'] : atMost('chart title', block.title, 50)),
        ...(series.length < 1 || series.length > 6 ? [`chart: ${series.length} series`] : []),
        ...(new Set(names).size < names.length ? ['chart: a repeated series'] : []),
        ...(new Set(categories).size < categories.length ? ['chart: a repeated category'] : []),
        ...categories.flatMap((category) => atMost('chart category', category, 20)),
        ...series.flatMap(({ data }) => [
          ...(data.some(({ label }) => !categories.includes(label)) ? ['chart: an unknown category'] : []),
          ...(data.some(({ value }) => !Number.isFinite(value)) ? ['chart: a value that is no number'] : []),
        ]),
      ];
    }
    case 'container': {
      const children = block.child_blocks.map(({ type }) => type);
      return [
        ...(children.length < 1 || children.length > 10 ? [`container: ${children.length} blocks`] : []),
        ...children
          .filter((type) => !/^(?:section|context|actions|header|divider|image|rich_text|table)$/.test(type))
          .map((type) => `container: holds a ${type}`),
        ...(block.title?.text ? atMost('container title', block.title.text, 150) : ['container: no title']),
        ...(block.default_collapsed && !block.is_collapsible ? ['container: collapsed for ever'] : []),
      ];
    }
    case 'card':
      return [
        ...atMost('card title', block.title?.text ?? '', 150),
        ...atMost('card subtitle', block.subtitle?.text ?? '', 150),
        ...atMost('card body', block.body?.text ?? '', 200),
        ...((block.actions?.length ?? 0) > 3 ? ['card: buttons'] : []),
        ...(block.actions ?? []).flatMap(elementFaults),
        ...(block.title || block.body ? [] : ['card: empty']),
      ];
    case 'header':
      return block.text.text === '' ? ['header: empty'] : atMost('header', block.text.text, 150);
    case 'image':
      return [
        ...(block.alt_text === '' ? ['image: no alt text'] : atMost('alt text', block.alt_text, 2000)),
        ...('image_url' in block ? atMost('image url', block.image_url ?? '', 3000) : []),
      ];
    default:
      return [`a block that nobody checks: ${block.type}`];
  }
}

function elementFaults(element: Extract<MessageBlock, { type: 'actions' }>['elements'][number]): string[] {
  if (element.type === 'button')
    return [
      ...atMost('button text', element.text.text, 75),
      ...(element.text.text === '' ? ['button text: empty'] : []),
      ...atMost('button value', element.value ?? '', 2000),
    ];
  if (element.type === 'static_select') {
    const options = element.options ?? [];
    return [
      ...(options.length === 0 || options.length > 100 ? ['select: options'] : []),
      ...atMost('placeholder', element.placeholder?.text ?? '', 150),
      ...options.flatMap(({ text, value }) => [
        ...atMost('option text', text.text, 75),
        ...atMost('option value', value ?? '', 150),
      ]),
    ];
  }
  if (element.type !== 'overflow') return [`an element that nobody checks: ${element.type}`];
  return [
    ...(element.options.length < 2 || element.options.length > 5 ? ['overflow: options'] : []),
    ...element.options.flatMap(({ text, value }) => [
      ...atMost('option text', text.text, 75),
      ...atMost('option value', value ?? '', 150),
    ]),
  ];
}

function textsOf(block: MessageBlock): string[] {
  switch (block.type) {
    case 'section':
      return [block.text?.text ?? ''];
    case 'context':
      return block.elements.map((element) => ('text' in element ? element.text : ''));
    case 'actions':
      return block.elements.flatMap((element) =>
        element.type === 'button'
          ? [element.text.text]
          : element.type === 'overflow' || element.type === 'static_select'
            ? (element.options ?? []).map(({ text }) => text.text)
            : [],
      );
    case 'table':
    case 'data_table':
      return block.rows.flat().map(cellText);
    case 'data_visualization':
      return [
        block.title,
        ...block.chart.series.map(({ name }) => name),
        ...block.chart.axis_config.categories,
      ];
    case 'container':
      return [block.title?.text ?? ''];
    case 'card':
      return [
        ...[block.title, block.subtitle, block.body].map((part) => part?.text ?? ''),
        ...(block.actions ?? []).map(({ text }) => text.text),
      ];
    case 'header':
      return [block.text.text];
    case 'image':
      return [block.alt_text];
    default:
      return [];
  }
}

/** The only `<…>` allowed everywhere are a date token, and the channels and the link that tests make up. */
function mentions(where: string, text: string): string[] {
  const found = text
    .replace(/<!date\^\d+\^\{date_short_pretty\} \{time\}\|[^<>]*>/g, '')
    // The channels of the generated answers; a channel's name notifies nobody.
    .replace(/<#C\d{1,2}>/g, '')
    .replace(/<https:\/\/example\.slack\.com\/archives\/C1\/p1\|[^<>]*>/g, '');
  return /[<>]/.test(found) ? [`${where}: ${found.slice(0, 80)}`] : [];
}

function atMost(what: string, text: string, max: number): string[] {
  return text.length > max ? [`${what}: ${text.length} characters, ${max} are allowed`] : [];
}
