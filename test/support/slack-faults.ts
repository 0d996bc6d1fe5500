import { checkBlocks } from 'bolt-playground/checks';
import type { Message, MessageBlock } from '../../src/answers/message.ts';

/**
 * Lists what Slack would refuse in a message, and what must never appear in one. The playground's checks are written
 * from Slack's documentation, independently of limits.ts. `own` matches references that the view itself adds.
 */
export function slackFaults(given: Message, own?: RegExp): string[] {
  // Unescapes the text and removes the references.
  const message = own ? (JSON.parse(JSON.stringify(given).replace(own, 'somewhere')) as Message) : given;
  const { text, blocks, plain } = message;
  return [
    ...(text.length > 4000 ? [`text: ${text.length} characters`] : []),
    ...(text.trim() === '' ? ['text: empty'] : []),
    ...mentions('text', text),
    ...blocksFaults(blocks, 'blocks'),
    ...(plain ? blocksFaults(plain, 'plain') : []),
    ...(plain ?? [])
      .filter(({ type }) => !['section', 'context', 'actions', 'divider'].includes(type))
      .map(({ type }) => `plain: holds a newer block, ${type}`),
    ...(!plain && blocks.some(({ type }) => newer.has(type)) ? ['blocks: no plain twin'] : []),
  ];
}

const newer = new Set(['table', 'data_table', 'data_visualization', 'container', 'card', 'header', 'image']);

/** With margins of our own: the text of all blocks, rows of one length, and no action id twice in a message. */
function blocksFaults(blocks: readonly MessageBlock[], where: string): string[] {
  const checked = checkBlocks([...blocks], { refusedTypes: new Set() });
  const texts = textsIn(blocks);
  // Those of accessories may repeat: they differ by their blocks.
  const withoutAccessories = JSON.stringify(blocks, (key, value) =>
    key === 'accessory' ? undefined : value,
  );
  const ids = withoutAccessories.match(/"action_id":"[^"]*"/g) ?? [];
  const inAll = texts.reduce((sum, text) => sum + text.length, 0);
  return [
    ...(checked.ok ? [] : [checked.error, ...checked.messages].map((fault) => `${where}: ${fault}`)),
    ...(blocks.length === 0 ? [`${where}: none`] : []),
    ...(inAll > 10_000 ? [`${where}: ${inAll} characters in all`] : []),
    ...(new Set(ids).size === ids.length ? [] : [`${where}: a repeated action id`]),
    ...blocks.flatMap((block) => rowFaults(block).map((fault) => `${where}: ${fault}`)),
    ...blocks.flatMap((block) =>
      block.type === 'table' && block.rows.some(({ length }) => length !== block.rows[0]?.length)
        ? [`${where}: rows of several lengths`]
        : [],
    ),
    ...texts.flatMap((text) => mentions(where, text)),
  ];
}

/** More than five buttons and a menu are not read. */
function rowFaults(block: MessageBlock): string[] {
  if (block.type !== 'actions') return [];
  const count = (type: string) => block.elements.filter((element) => element.type === type).length;
  return [
    ...(count('button') > 5 ? [`${count('button')} buttons`] : []),
    ...(count('overflow') > 1 ? [`${count('overflow')} menus`] : []),
  ];
}

/** All that people read of blocks, whatever holds it; not ids, values and addresses. */
function textsIn(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return shown.has(key) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, key));
  return Object.entries(Object(value)).flatMap(([name, item]) => textsIn(item, name));
}

const shown = new Set(['text', 'alt_text', 'caption', 'title', 'name', 'label', 'categories']);

/** The only `<…>` allowed everywhere are a date token, and the channels and the link that tests make up. */
function mentions(where: string, text: string): string[] {
  const found = text
    .replace(/<!date\^\d+\^\{date_short_pretty\} \{time\}\|[^<>]*>/g, '')
    // The channels of the generated answers; a channel's name notifies nobody.
    .replace(/<#C\d{1,2}>/g, '')
    .replace(/<https:\/\/example\.slack\.com\/archives\/C1\/p1\|[^<>]*>/g, '');
  return /[<>]/.test(found) ? [`${where}: ${found.slice(0, 80)}`] : [];
}
