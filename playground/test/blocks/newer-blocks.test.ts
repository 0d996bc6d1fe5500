import { describe, expect, test } from 'vitest';
import { checkBlocks } from '../../src/blocks/block-checks.ts';
import type { Surface } from '../../src/blocks/block-schemas.ts';

/** The reasons why Slack refuses these blocks. */
function faults(blocks: unknown[], surface: Surface = 'message'): string[] {
  const result = checkBlocks(blocks, { refusedTypes: new Set() }, surface);
  return result.ok ? [] : [result.error, ...result.messages];
}
const refused = (block: unknown): string => faults([block]).join('\n');

const x = (length: number) => 'x'.repeat(length);
const many = <T>(count: number, item: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => item(i));
const plain = (length: number) => ({ type: 'plain_text', text: x(length) });
const mrkdwn = (length: number) => ({ type: 'mrkdwn', text: x(length) });
const button = (index = 0) => ({ type: 'button', text: plain(5), action_id: `a${index}` });
const picture = { type: 'image', image_url: 'https://maps.example/a.png', alt_text: 'Rotterdam' };
const divider = { type: 'divider' };

const cell = (text = 'x') => ({ type: 'raw_text', text });
const date = { type: 'date', timestamp: 1_795_000_000, format: '{time}', fallback: '15:05 UTC' };
const rich = { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [date] }] };
const rows = (height: number, width: number): unknown[][] => many(height, () => many(width, () => cell()));
const table = (more: object = {}) => ({ type: 'data_table', caption: 'Ports', rows: rows(3, 3), ...more });

describe('data_table', () => {
  test.each<[string, object]>([
    ['a header and one row', { rows: rows(2, 1) }],
    ['101 rows', { rows: rows(101, 4) }],
    ['20 columns', { rows: rows(2, 20) }],
    [
      'numbers, and dates as rich text',
      {
        rows: [
          [cell(), cell()],
          [{ type: 'raw_number', value: 82, text: '82%' }, rich],
        ],
      },
    ],
    [
      '10,000 characters',
      {
        rows: [
          [cell(), cell()],
          [cell(x(4998)), cell(x(5000))],
        ],
      },
    ],
    ['100 rows a page', { page_size: 100 }],
    ['the last column as the row header', { row_header_column_index: 2 }],
  ])('may have %s', (_name, more) => {
    expect(faults([table(more)])).toEqual([]);
  });

  test.each<[string, object, string]>([
    ['no caption', { caption: undefined }, '/blocks/0/caption'],
    ['an empty caption', { caption: '' }, '/blocks/0/caption'],
    ['a header alone', { rows: rows(1, 3) }, 'no fewer than 2 items allowed [json-pointer:/blocks/0/rows]'],
    ['102 rows', { rows: rows(102, 1) }, 'no more than 101 items allowed [json-pointer:/blocks/0/rows]'],
    ['21 columns', { rows: rows(2, 21) }, 'no more than 20 items allowed [json-pointer:/blocks/0/rows/0]'],
    ['no columns', { rows: [[], []] }, '/blocks/0/rows/0'],
    [
      'a shorter row',
      { rows: [...rows(2, 3), ...rows(1, 2)] },
      'all rows must have the same number of cells [json-pointer:/blocks/0/rows/2]',
    ],
    ['an empty cell', { rows: [[cell()], [cell('')]] }, '/blocks/0/rows/1/0/text'],
    ['a number without its text', { rows: [[cell()], [{ type: 'raw_number', value: 1 }]] }, '/rows/1/0/text'],
    ['a cell in mrkdwn', { rows: [[cell()], [mrkdwn(3)]] }, '/blocks/0/rows/1/0/type'],
    [
      'rich text in the header',
      { rows: [[rich], [cell()]] },
      'rich_text is not allowed in a header [json-pointer:/blocks/0/rows/0/0/type]',
    ],
    [
      '10,001 characters',
      {
        rows: [
          [cell(), cell()],
          [cell(x(4999)), cell(x(5000))],
        ],
      },
      'no more than 10000 characters allowed in all cells [json-pointer:/blocks/0/rows]',
    ],
    ['no rows a page', { page_size: 0 }, '/blocks/0/page_size'],
    ['101 rows a page', { page_size: 101 }, '/blocks/0/page_size'],
    [
      'a row header that is no column',
      { row_header_column_index: 3 },
      'must be the index of a column [json-pointer:/blocks/0/row_header_column_index]',
    ],
    ['column settings', { column_settings: [] }, '/blocks/0'],
  ])('may not have %s', (_name, more, reason) => {
    expect(refused(table(more))).toContain(reason);
  });

  test('one table of either kind on a surface, those in containers included', () => {
    const plainTable = { type: 'table', rows: rows(1, 1) };
    const box = { type: 'container', title: plain(3), child_blocks: [plainTable] };
    expect(faults([box])).toEqual([]);
    for (const blocks of [
      [table(), plainTable],
      [table(), table()],
      [table(), box],
      [box, box],
    ]) {
      expect(faults(blocks)).toContain('no more than 1 table or data_table allowed [json-pointer:/blocks]');
    }
  });
});

const categories = ['Sat 21', 'Sun 22'];
const series = (name: string, labels = categories) => ({
  name,
  data: labels.map((label, index) => ({ label, value: index - 0.5 })),
});
const chart = (more: object = {}, axis: object = {}) => ({
  type: 'data_visualization',
  title: 'Likely calls per day',
  chart: { type: 'bar', series: [series('Calls')], axis_config: { categories, ...axis }, ...more },
});
const pie = (segments: unknown) => ({
  type: 'data_visualization',
  title: 'Share',
  chart: { type: 'pie', segments },
});
const segment = (more: object = {}) => ({ label: 'MSC', value: 3, ...more });

describe('data_visualization', () => {
  test.each<[string, object]>([
    ['bars', chart()],
    ['lines', chart({ type: 'line' })],
    ['areas', chart({ type: 'area' })],
    ['a pie', pie([segment()])],
    ['six segments of 20 characters', pie(many(6, () => segment({ label: x(20) })))],
    ['six series', chart({ series: many(6, (index) => series(`S${index}`)) })],
    ['labels in another order', chart({ series: [series('Calls', [...categories].reverse())] })],
    ['a title and axis labels of 50', { ...chart({}, { x_label: x(50), y_label: x(50) }), title: x(50) }],
    ['20 categories of 20', manyCategories(20, 20)],
  ])('may have %s', (_name, block) => {
    expect(faults([block])).toEqual([]);
  });

  test.each<[string, object, string]>([
    ['no title', { ...chart(), title: undefined }, '/blocks/0/title'],
    ['a title of 51', { ...chart(), title: x(51) }, '/blocks/0/title'],
    ['no chart', { ...chart(), chart: undefined }, '/blocks/0/chart'],
    ['another kind', chart({ type: 'radar' }), 'unsupported type [json-pointer:/blocks/0/chart/type]'],
    ['no series', chart({ series: [] }), '/blocks/0/chart/series'],
    ['seven series', chart({ series: many(7, (index) => series(`S${index}`)) }), '/blocks/0/chart/series'],
    [
      'two series of one name',
      chart({ series: [series('Calls'), series('Calls')] }),
      'series names must be unique [json-pointer:/blocks/0/chart/series]',
    ],
    ['a series name of 21', chart({ series: [series(x(21))] }), '/blocks/0/chart/series/0/name'],
    [
      'a label that is no category',
      chart({ series: [series('Calls', ['Sat 21', 'Mon 23'])] }),
      'must be one of the categories [json-pointer:/blocks/0/chart/series/0/data/1/label]',
    ],
    [
      'a category without a value',
      chart({ series: [series('Calls', ['Sat 21'])] }),
      'must have one data point for each category [json-pointer:/blocks/0/chart/series/0/data]',
    ],
    [
      'a category with two values',
      chart({ series: [series('Calls', ['Sat 21', 'Sat 21'])] }),
      'must have one data point for each category',
    ],
    [
      'a value that is a text',
      chart({ series: [{ name: 'Calls', data: [{ label: 'Sat 21', value: '1' }] }] }),
      '/data/0/value',
    ],
    ['no categories', chart({}, { categories: [] }), '/blocks/0/chart/axis_config/categories'],
    ['21 categories', manyCategories(21, 5), '/blocks/0/chart/axis_config/categories'],
    ['a category of 21', manyCategories(2, 21), '/blocks/0/chart/axis_config/categories/0'],
    [
      'a category twice',
      chart({}, { categories: ['Sat 21', 'Sat 21'] }),
      'categories must be unique [json-pointer:/blocks/0/chart/axis_config/categories]',
    ],
    ['an x label of 51', chart({}, { x_label: x(51) }), '/blocks/0/chart/axis_config/x_label'],
    ['a y label of 51', chart({}, { y_label: x(51) }), '/blocks/0/chart/axis_config/y_label'],
    ['bars without an axis', chart({ axis_config: undefined }), '/blocks/0/chart/axis_config'],
    [
      'a pie with an axis',
      chart({ type: 'pie', segments: [segment()], series: undefined }),
      '/blocks/0/chart',
    ],
    ['no segments', pie([]), '/blocks/0/chart/segments'],
    ['seven segments', pie(many(7, () => segment())), '/blocks/0/chart/segments'],
    [
      'an empty segment',
      pie([segment({ value: 0 })]),
      'must be greater than 0 [json-pointer:/blocks/0/chart/segments/0/value]',
    ],
    ['a segment label of 21', pie([segment({ label: x(21) })]), '/blocks/0/chart/segments/0/label'],
  ])('may not have %s', (_name, block, reason) => {
    expect(refused(block)).toContain(reason);
  });

  test('two in a message, not three; none on Home, in a modal or in a container', () => {
    expect(faults([chart(), chart()])).toEqual([]);
    expect(faults([chart(), chart(), chart()])).toContain(
      'no more than 2 data_visualization allowed [json-pointer:/blocks]',
    );
    for (const surface of ['home', 'modal'] as const)
      expect(faults([chart()], surface)).toContain(
        'unsupported type: data_visualization [json-pointer:/blocks/0/type]',
      );
    expect(refused({ type: 'container', title: plain(3), child_blocks: [chart()] })).toContain(
      '/child_blocks/0/type',
    );
  });

  function manyCategories(count: number, length: number): object {
    const labels = many(count, (index) => String.fromCharCode(97 + index).repeat(length));
    return chart({ series: [series('Calls', labels)] }, { categories: labels });
  }
});

const container = (more: object = {}) => ({
  type: 'container',
  title: plain(150),
  child_blocks: [divider],
  ...more,
});

describe('container', () => {
  test.each<[string, object]>([
    ['a title of 150', {}],
    ['a rich title instead', { title: undefined, rich_text_title: rich }],
    ['a subtitle of 150 in mrkdwn and an icon', { subtitle: mrkdwn(150), icon: picture }],
    ['ten children', { child_blocks: many(10, () => divider) }],
    [
      'each kind of child',
      {
        child_blocks: [
          { type: 'section', text: mrkdwn(5) },
          { type: 'context', elements: [mrkdwn(5)] },
          { type: 'actions', elements: [button()] },
          { type: 'header', text: plain(5) },
          divider,
          picture,
          rich,
          { type: 'table', rows: rows(1, 1) },
          { type: 'video', title: plain(5), alt_text: 'x' },
          { type: 'file', external_id: 'x', source: 'remote' },
        ],
      },
    ],
    ['a collapsed state', { is_collapsible: true, default_collapsed: true }],
    ['a width', { width: 'full' }],
    [
      'the same action in two children',
      { child_blocks: many(2, () => ({ type: 'actions', elements: [button()] })) },
    ],
  ])('may have %s', (_name, more) => {
    expect(faults([container(more)])).toEqual([]);
  });

  test.each<[string, object, string]>([
    [
      'no title',
      { title: undefined },
      'missing required field: title or rich_text_title [json-pointer:/blocks/0]',
    ],
    ['a title of 151', { title: plain(151) }, '/blocks/0/title/text'],
    ['a title in mrkdwn', { title: mrkdwn(5) }, '/blocks/0/title'],
    ['a subtitle of 151', { subtitle: plain(151) }, '/blocks/0/subtitle/text'],
    ['no child', { child_blocks: [] }, '/blocks/0/child_blocks'],
    ['eleven children', { child_blocks: many(11, () => divider) }, '/blocks/0/child_blocks'],
    [
      'a data table',
      { child_blocks: [divider, table()] },
      'unsupported type: data_table [json-pointer:/blocks/0/child_blocks/1/type]',
    ],
    ['a card', { child_blocks: [{ type: 'card', title: mrkdwn(3) }] }, '/blocks/0/child_blocks/0/type'],
    ['a container', { child_blocks: [container()] }, '/blocks/0/child_blocks/0/type'],
    ['Markdown', { child_blocks: [{ type: 'markdown', text: 'x' }] }, '/blocks/0/child_blocks/0/type'],
    [
      'a fault in a child',
      { child_blocks: [{ type: 'section', text: mrkdwn(3001) }] },
      '/blocks/0/child_blocks/0/text/text',
    ],
    [
      'a collapsed state without a way to expand it',
      { default_collapsed: true },
      'needs is_collapsible [json-pointer:/blocks/0/default_collapsed]',
    ],
    ['another width', { width: 'huge' }, '/blocks/0/width'],
    [
      'one block_id twice',
      { child_blocks: many(2, () => ({ ...divider, block_id: 'b' })) },
      'block_id b already exists',
    ],
    [
      'a block_id of its own in a child',
      { block_id: 'b', child_blocks: [{ ...divider, block_id: 'b' }] },
      'block_id b already exists',
    ],
    [
      'one action twice in a child',
      { child_blocks: [{ type: 'actions', elements: [button(), button()] }] },
      'action_id a0 already exists',
    ],
  ])('may not have %s', (_name, more, reason) => {
    expect(refused(container(more))).toContain(reason);
  });
});

describe('card', () => {
  test.each<[string, object]>([
    ['a title', { title: mrkdwn(150) }],
    ['a body', { body: mrkdwn(200) }],
    ['a picture', { hero_image: picture }],
    ['buttons', { actions: many(3, button) }],
    [
      'everything',
      {
        title: mrkdwn(1),
        subtitle: mrkdwn(150),
        body: mrkdwn(1),
        icon: picture,
        hero_image: picture,
        actions: [button()],
      },
    ],
  ])('may be %s', (_name, more) => {
    expect(faults([{ type: 'card', ...more }])).toEqual([]);
    expect(faults([{ type: 'card', ...more }], 'home')).toEqual([]);
  });

  const missing = 'missing required field: hero_image, title, actions or body [json-pointer:/blocks/0]';
  test.each<[string, object, string]>([
    ['nothing', {}, missing],
    ['a subtitle alone', { subtitle: mrkdwn(5), icon: picture }, missing],
    ['a title of 151', { title: mrkdwn(151) }, '/blocks/0/title/text'],
    ['a subtitle of 151', { title: mrkdwn(1), subtitle: mrkdwn(151) }, '/blocks/0/subtitle/text'],
    ['a body of 201', { body: mrkdwn(201) }, '/blocks/0/body/text'],
    [
      'four buttons',
      { actions: many(4, button) },
      'no more than 3 items allowed [json-pointer:/blocks/0/actions]',
    ],
    ['no button', { title: mrkdwn(1), actions: [] }, '/blocks/0/actions'],
    ['a menu', { actions: [{ type: 'overflow', options: [] }] }, '/blocks/0/actions/0'],
    ['one action twice', { actions: [button(), button()] }, 'action_id a0 already exists'],
    [
      'a picture without alt text',
      { hero_image: { ...picture, alt_text: undefined } },
      '/blocks/0/hero_image/alt_text',
    ],
  ])('may not have %s', (_name, more, reason) => {
    expect(refused({ type: 'card', ...more })).toContain(reason);
  });

  test('its buttons get ids', () => {
    const { action_id: _, ...anonymous } = button();
    const result = checkBlocks([{ type: 'card', actions: [anonymous, anonymous] }], {
      refusedTypes: new Set(),
    });
    const [card] = result.ok ? result.blocks : [];
    const ids = card?.type === 'card' ? card.actions?.map((action) => action.action_id) : [];
    expect(new Set(ids).size).toBe(2);
    expect(ids).not.toContain(undefined);
  });
});

describe('image', () => {
  test.each<[string, object]>([
    ['an address', picture],
    ['a title of 2,000 and an alt text of 2,000', { ...picture, title: plain(2000), alt_text: x(2000) }],
    ['a file in Slack', { type: 'image', slack_file: { id: 'F123' }, alt_text: 'x' }],
  ])('may have %s', (_name, block) => {
    expect(faults([block])).toEqual([]);
  });

  const either = 'must have either image_url or slack_file [json-pointer:/blocks/0]';
  test.each<[string, object, string]>([
    ['no source', { image_url: undefined }, either],
    ['two sources', { slack_file: { id: 'F123' } }, either],
    ['no alt text', { alt_text: undefined }, '/blocks/0/alt_text'],
    ['an empty alt text', { alt_text: '' }, '/blocks/0/alt_text'],
    ['an alt text of 2,001', { alt_text: x(2001) }, '/blocks/0/alt_text'],
    ['a title of 2,001', { title: plain(2001) }, '/blocks/0/title/text'],
    [
      'a data URL',
      { image_url: 'data:image/png;base64,AAAA' },
      'must be a valid image URL [json-pointer:/blocks/0/image_url]',
    ],
    ['an address of 3,001', { image_url: `https://x.example/${x(2983)}` }, '/blocks/0/image_url'],
  ])('may not have %s', (_name, more, reason) => {
    expect(refused({ ...picture, ...more })).toContain(reason);
  });
});

test('each surface takes its own blocks', () => {
  const blocks = {
    table: table(),
    card: { type: 'card', title: mrkdwn(3) },
    container: container(),
    chart: chart(),
  };
  const taken = (surface: Surface) =>
    Object.entries(blocks).flatMap(([name, block]) => (faults([block], surface).length === 0 ? [name] : []));
  expect(taken('message')).toEqual(['table', 'card', 'container', 'chart']);
  expect(taken('home')).toEqual(['table', 'card']);
  expect(taken('modal')).toEqual(['card']);
});

test('a workspace that lacks a block refuses it in containers too', () => {
  const old = { refusedTypes: new Set(['table']) };
  const block = container({ child_blocks: [{ type: 'table', rows: rows(1, 1) }] });
  expect(checkBlocks([block], old)).toMatchObject({
    ok: false,
    messages: ['unsupported type: table [json-pointer:/blocks/0/child_blocks/0/type]'],
  });
});
