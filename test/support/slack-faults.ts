import type { KnownBlock } from '@slack/types';
import type { Message } from '../../src/messages/message.ts';

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
    ...(message.plain?.some(({ type }) => type === 'table') ? ['plain: holds a table'] : []),
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

function blocksFaults(blocks: readonly KnownBlock[], where: string): string[] {
  const ids = blocks.flatMap((block) =>
    block.type === 'actions'
      ? block.elements.map((element) => ('action_id' in element ? element.action_id : undefined))
      : [],
  );
  const shown = blocks.flatMap(textsOf);
  const inAll = shown.reduce((sum, text) => sum + text.length, 0);
  return [
    ...(blocks.length > 50 || blocks.length === 0 ? [`${where}: ${blocks.length} blocks`] : []),
    ...(inAll > 10_000 ? [`${where}: ${inAll} characters in all`] : []),
    ...(new Set(ids).size === ids.length ? [] : [`${where}: a repeated action id`]),
    ...(blocks.filter(({ type }) => type === 'table').length > 1 ? [`${where}: two tables`] : []),
    ...shown.flatMap((text) => mentions(where, text)),
    ...blocks.flatMap((block) => blockFaults(block).map((fault) => `${where}: ${fault}`)),
  ];
}

function blockFaults(block: KnownBlock): string[] {
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
    default:
      return [`a block that nobody checks: ${block.type}`];
  }
}

function elementFaults(element: Extract<KnownBlock, { type: 'actions' }>['elements'][number]): string[] {
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

function textsOf(block: KnownBlock): string[] {
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
      return block.rows.flat().map((cell) => ('text' in cell ? String(cell.text) : ''));
    default:
      return [];
  }
}

/** The only `<…>` allowed everywhere is a date token. */
function mentions(where: string, text: string): string[] {
  const found = text.replace(/<!date\^\d+\^\{date_short_pretty\} \{time\}\|[^<>]*>/g, '');
  return /[<>]/.test(found) ? [`${where}: ${found.slice(0, 80)}`] : [];
}

function atMost(what: string, text: string, max: number): string[] {
  return text.length > max ? [`${what}: ${text.length} characters, ${max} are allowed`] : [];
}
