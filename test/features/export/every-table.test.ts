import type { KnownBlock } from '@slack/types';
import { expect, test } from 'vitest';
import type { ExportTable } from '../../../src/answers/answer.ts';
import type { Message, MessageBlock } from '../../../src/answers/message.ts';
import { UserError } from '../../../src/errors.ts';
import { maxExportRows, writeTable } from '../../../src/features/export/index.ts';
import { type Imo, withCheckDigit } from '../../../src/reference/codes.ts';
import { commands } from '../../support/registry.ts';
import { reader, vessels } from '../../support/run-command.ts';
import { useStarted } from '../../support/use-started.ts';
import { createWatchCommands } from '../../support/watch-commands.ts';

const slack = useStarted(createWatchCommands);

/** These tables explain Landfall itself, or show its state; they hold no data to work with. */
const notExported = ['landfall', 'help', 'status', 'settings'];

const examples = commands
  .filter(({ name }) => !notExported.includes(name))
  .flatMap((command) => command.examples);
const lines = [
  ...examples,
  'nextport fleet:NORTH',
  'vessel fleets',
  'vessel ref 9461477',
  'watch list all',
  'watch changes last 7 days',
];

/** Undefined if the line is refused. */
async function answer(
  line: string,
): Promise<{ message: Message; table: ExportTable | undefined } | undefined> {
  try {
    const answered = await slack.answer(line, {
      actor: { userId: 'U0WATCHER1', isAdmin: true, zone: 'Europe/Berlin' },
    });
    return { message: answered.view(reader), table: answered.tables(reader)[0] };
  } catch (error) {
    // Such as a digest, which this store has no service for, or a vessel without a name.
    if (error instanceof UserError || error instanceof TypeError) return undefined;
    throw error;
  }
}

type Rows = Extract<KnownBlock, { type: 'data_table' | 'table' }>['rows'];

function tablesIn(blocks: readonly MessageBlock[]): Rows[] {
  return blocks.flatMap((block) => {
    if (block.type === 'data_table' || block.type === 'table') return [block.rows];
    return block.type === 'container' ? tablesIn(block.child_blocks) : [];
  });
}

const menuOf = ({ blocks }: Message): string[] =>
  blocks.flatMap((block) =>
    block.type === 'actions'
      ? block.elements.flatMap((element) =>
          element.type === 'overflow' ? element.options.map(({ text }) => text.text) : [],
        )
      : [],
  );

test('every answer with a table can be exported, with all rows that it shows', async () => {
  await slack.answer('vessel fleet NORTH add 9461477, 9755933');
  await slack.answer('vessel ref 9461477 BK123');
  await slack.answer('watch 9811000');
  const withTable: string[] = [];
  for (const line of lines) {
    const answered = await answer(line);
    if (!answered) continue;
    const { message, table } = answered;
    const shown = tablesIn(message.blocks).reduce((sum, rows) => sum + rows.length - 1, 0);
    if (shown > 0) {
      withTable.push(line);
      expect.soft(table?.rowCount, line).toBeGreaterThanOrEqual(shown);
    }
    // A line that changes something may show a table, but must not run again for a file.
    const { isExportable } = slack.parseLine(line, { vessels });
    const canExport = isExportable && (table?.rowCount ?? 0) > 0;
    expect.soft(menuOf(message).includes('Export as CSV'), line).toBe(canExport);
    expect.soft(menuOf(message).includes('Export for Excel (.xlsx)'), line).toBe(canExport);
    expect.soft(menuOf(message).length, line).toBeLessThanOrEqual(5);
  }
  // So that the test can't pass because nothing was answered.
  expect(withTable.length).toBeGreaterThan(12);
});

test('every table is one that the docs know', async () => {
  const documented = commands.flatMap(({ tables }) => tables);
  for (const line of lines) {
    const table = (await answer(line))?.table;
    if (!table) continue;
    const shape = documented.find(({ name }) => name === table.nameParts[0]);
    expect(table.columns).toEqual(shape?.columns.map(({ key }) => key));
    for (const row of table.rows()) expect(row).toHaveLength(table.columns.length);
  }
});

test('all watches can be exported, not only those of the page; changes; the audit log, for admins', async () => {
  await slack.reset();
  for (let imo = 9_000_000; imo < 9_000_200; imo += 10)
    await slack.answer(`watch ${withCheckDigit(imo as Imo)}`);
  const list = await slack.answer('watch list', { maxRows: maxExportRows });
  expect(list.view(reader).text).toMatch(/^20 watches/);
  expect(list.tables(reader)[0]?.rowCount).toBe(20);
  const admin = { userId: 'U0WATCHER1', isAdmin: true, zone: 'Europe/Berlin' };
  const audit = await slack.answer('landfall audit', { maxRows: maxExportRows, actor: admin });
  const [table] = audit.tables({ ...reader, source: 'service' });
  const file = table && (await writeTable(table, { format: 'csv', maxRows: 100 }));
  expect(file?.match(/watch\.add/g)).toHaveLength(20);
  for (const line of ['landfall audit', 'landfall audit as csv'])
    await expect(slack.answer(line)).rejects.toThrow('Only workspace admins');
});
