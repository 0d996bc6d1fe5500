import type { PageView } from 'bolt-playground';

type Part = Record<string, unknown>;

/** Ids that no reader sees. The playground adds those of blocks; an action's is how the bot finds its code. */
const hiddenKeys = new Set(['block_id', 'action_id', 'type', 'emoji', 'verbatim', 'dispatch_action']);

/** Blocks as a person reads and presses them, a line for each thing. What no function here knows is shown as JSON. */
export function outlineOf(blocks: readonly unknown[]): string[] {
  return blocks.flatMap((block) => blockLines(partOf(block)));
}

export function viewLines({ title, submit, close, blocks }: PageView): string[] {
  const buttons = [submit, close].flatMap((button) => (button ? [`[${button.text}]`] : []));
  return [...(title ? [`window “${title.text}” ${buttons.join(' ')}`.trim()] : []), ...outlineOf(blocks)];
}

/** The rich text of a cell or block: bold, links and mentions as in mrkdwn. */
function richText({ elements, ...rest }: Part): string {
  if (Array.isArray(elements)) return elements.map((element) => richText(partOf(element))).join('');
  const { type, text, url, style, channel_id: channel, user_id: user, name, ...others } = rest;
  const said = text ?? name ?? channel ?? user ?? '';
  const marks = Object.keys(partOf(style)).join(',');
  const shown = url === undefined ? String(said) : `<${url}|${said}>`;
  const kind = ['text', 'link'].includes(String(type)) ? '' : `${type}:`;
  const more = Object.keys(others).length > 0 ? JSON.stringify(others) : '';
  return `${kind}${marks && `{${marks}}`}${shown}${more}`;
}

const lines: Record<string, (block: Part) => string[]> = {
  section: ({ text, fields, accessory, ...rest }) => [
    ...textLines('section', text),
    ...partsOf(fields).flatMap((field) => textLines('  field', field)),
    ...(accessory ? elementLines(partOf(accessory)) : []),
    ...restOf(rest),
  ],
  context: ({ elements, ...rest }) => [
    ...partsOf(elements).flatMap((element) => textLines('context', element)),
    ...restOf(rest),
  ],
  actions: ({ elements, ...rest }) => [
    'actions',
    ...partsOf(elements).flatMap(elementLines),
    ...restOf(rest),
  ],
  header: ({ text, ...rest }) => [...textLines('header', text), ...restOf(rest)],
  divider: (rest) => ['divider', ...restOf(rest)],
  image: ({ alt_text, image_url, title, ...rest }) => [
    `image (${alt_text}) ${image_url}`,
    ...(title ? textLines('  title', title) : []),
    ...restOf(rest),
  ],
  table: tableLines,
  data_table: tableLines,
  data_visualization: chartLines,
  container: ({ title, child_blocks, ...rest }) => [
    ...textLines('container', title),
    ...restOf(rest),
    ...indented(outlineOf(partsOf(child_blocks))),
  ],
  card: ({ title, subtitle, body, actions, ...rest }) => [
    'card',
    ...Object.entries({ title, subtitle, body }).flatMap(([name, text]) =>
      text ? textLines(`  ${name}`, text) : [],
    ),
    ...partsOf(actions).flatMap(elementLines),
    ...restOf(rest),
  ],
  input: ({ label, element, hint, optional, ...rest }) => [
    ...textLines(optional ? 'field (optional)' : 'field', label),
    ...elementLines(partOf(element)),
    ...(hint ? textLines('  hint', hint) : []),
    ...restOf(rest),
  ],
  rich_text: ({ elements, ...rest }) => [
    ...partsOf(elements).map((element) => `rich text  ${richText(element)}`),
    ...restOf(rest),
  ],
};

const blockLines = (block: Part): string[] =>
  lines[String(block.type)]?.(block) ?? [`${block.type}`, ...restOf(block)];

function tableLines({ type, caption, rows, column_settings, ...rest }: Part): string[] {
  const columns = partsOf(column_settings).map((column) => Object.values(column).join(' ') || 'left');
  return [
    `${type}  ${caption ?? ''}`.trim(),
    ...(columns.length > 0 ? [`  columns: ${columns.join(' | ')}`] : []),
    ...restOf(rest),
    ...(Array.isArray(rows) ? rows : []).map((row) => `  ${partsOf(row).map(cellText).join(' | ')}`),
  ];
}

/** A number is followed by the value by which it is sorted. */
function cellText(cell: Part): string {
  if (cell.type === 'rich_text') return richText(cell);
  const { type, text, value, ...rest } = cell;
  const more = restOf(rest).map((line) => ` (${line.trim()})`);
  return [
    type === 'raw_text' || type === 'raw_number' ? '' : `${type}:`,
    text,
    value === undefined ? '' : ` {${value}}`,
    ...more,
  ].join('');
}

function chartLines({ title, chart, ...rest }: Part): string[] {
  const { type, series, axis_config: axes, ...others } = partOf(chart);
  const { categories, ...labels } = partOf(axes);
  return [
    `${type} chart  ${title}`,
    ...restOf(labels),
    `  categories: ${Array.isArray(categories) ? categories.join(' | ') : ''}`,
    ...partsOf(series).map(
      ({ name, data }) =>
        `  ${name}: ${partsOf(data)
          .map(({ label, value }) => `${label} ${value}`)
          .join(' | ')}`,
    ),
    ...restOf({ ...rest, ...others }),
  ];
}

/** A button, menu or field. */
function elementLines(element: Part): string[] {
  const { type, text, value, url, confirm, options, option_groups: groups, placeholder, ...others } = element;
  const { accessibility_label: spoken, ...rest } = others;
  const label = [text, placeholder].flatMap((one) => partOf(one).text ?? []).join(' ');
  const name = spoken === undefined ? '' : ` (“${String(spoken)}”)`;
  const leads = [value, url].flatMap((one) => (one === undefined ? [] : [`→ ${valueText(one)}`]));
  return [
    [type === 'button' ? `  [${label}]${name}` : `  ${type} ${label}`.trimEnd(), ...leads].join(' '),
    ...partsOf(options).map((option) => `    ${optionText(option)}`),
    ...partsOf(groups).flatMap(({ label: name, options: some }) => [
      `    ${partOf(name).text}`,
      ...partsOf(some).map((option) => `      ${optionText(option)}`),
    ]),
    ...(confirm ? [`    asks first: ${Object.values(partOf(confirm)).map(wordsOf).join(' / ')}`] : []),
    ...indented(restOf(rest)),
  ];
}

/** Lines as they are; what only the bot reads of the JSON in other values may change. */
const valueText = (value: unknown): string => String(value).replace(/\{.*\}/s, '‹data›');

function optionText({ text, value, description }: Part): string {
  return `${wordsOf(text)} → ${valueText(value)}${description ? ` (${wordsOf(description)})` : ''}`;
}

/** Of a text object, its words; of an option, its label and value. */
function wordsOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.map(wordsOf).join(', ');
  const { text, ...rest } = partOf(value);
  if (typeof text === 'string') return text;
  return text ? optionText({ text, ...rest }) : JSON.stringify(value);
}

function textLines(name: string, value: unknown): string[] {
  const { type, text, image_url, alt_text } = partOf(value);
  if (type === 'image') return [`${name}  image (${alt_text}) ${image_url}`];
  return `${name}  ${text}`.split('\n').map((line, index) => (index === 0 ? line : `  | ${line}`));
}

/** The settings of a block that say something to a reader. */
const restOf = (part: Part): string[] =>
  Object.entries(part)
    .filter(([key, value]) => !hiddenKeys.has(key) && value !== undefined)
    .map(([key, value]) => `  ${key}: ${wordsOf(value)}`);

const indented = (some: readonly string[]) => some.map((line) => `  ${line}`);

// Blocks are JSON: `unknown` parts of them are objects or lists of these.
const partOf = (value: unknown): Part => (typeof value === 'object' && value !== null ? (value as Part) : {});
const partsOf = (value: unknown): Part[] => (Array.isArray(value) ? value.map(partOf) : []);
