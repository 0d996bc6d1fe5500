import { subDays } from 'date-fns/subDays';
import { beforeEach, describe, expect, test } from 'vitest';
import type { PredictionsAnswer } from '../../../src/analytics/answers.ts';
import type { CellValue } from '../../../src/answers/table.ts';
import { asRead } from '../../support/message-text.ts';
import { type CommandHarness, createCommandHarness, now, reader } from '../../support/run-command.ts';
import { workspaceId } from '../../support/store-engines.ts';
import { useStarted } from '../../support/use-started.ts';
import { port, prediction } from '../../support/view-fixtures.ts';
import { createWatchCommands } from '../../support/watch-commands.ts';

const harness = useStarted(createCommandHarness);

type Row = Record<string, CellValue>;

/** The first table of a file with the answer. */
async function fileOf(line: string, context?: Parameters<CommandHarness['runCommand']>[1]) {
  const { answered, message } = await harness.runCommand(line, context);
  const [table] = answered.tables(reader);
  const columns = table?.columns ?? [];
  const rows = [...(table?.rows() ?? [])].map(
    (values): Row => Object.fromEntries(columns.map((column, index) => [column, values[index]])),
  );
  return { name: table?.nameParts, rows, comparison: answered.comparison, message };
}
const rowsOf = async (line: string) => (await fileOf(line)).rows;
const sumOf = (rows: readonly Row[], key: string) => rows.reduce((sum, row) => sum + Number(row[key]), 0);
const isDay = ({ day }: Row) => /^\d/.test(String(day));

describe('by day', () => {
  test('the days have the sums of the probabilities by ETA', async () => {
    const period = '2026-11-24..2026-11-27';
    const { name, rows } = await fileOf(`portcalls Singapore ${period} by day`);
    expect(name).toEqual(['port-days', 'SGSIN']);
    expect(rows.filter(isDay).map(({ day }) => day)).toEqual([
      ...['2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27'],
    ]);
    for (const { day, vessels, likely_calls } of rows.filter(isDay)) {
      const calls = await rowsOf(`portcalls Singapore ${day} all`);
      expect(calls).toHaveLength(Number(vessels));
      expect(sumOf(calls, 'probability')).toBeCloseTo(Number(likely_calls));
    }
    expect(sumOf(rows, 'vessels')).toBeGreaterThan(0);
    expect((await rowsOf('portcalls Rotterdam by day')).filter(isDay)).toHaveLength(10);
  });

  test('has no norm in the terminal, which has no history', async () => {
    const { rows, message } = await fileOf('portcalls Rotterdam by day');
    expect(rows).toEqual(rows.map((row) => ({ ...row, norm: undefined, above_norm: undefined })));
    expect(asRead(message)).not.toContain('norm');
  });
});

describe('several ports', () => {
  const line = 'portcalls Rotterdam, Singapore and Hamburg next 5 days';
  const lines = ['Rotterdam', 'Singapore', 'Hamburg'].map((name) => `portcalls ${name} next 5 days`);

  test('have the calls of each, by ETA', async () => {
    const { name, rows } = await fileOf(line);
    expect(name).toEqual(['port-calls', 'NLRTM', 'SGSIN', 'DEHAM']);
    const each = (await Promise.all(lines.map(rowsOf))).flat();
    expect(rows).toEqual(each.toSorted((one, other) => Number(one.eta) - Number(other.eta)));
  });

  test('by day, the file has the days of each', async () => {
    const rows = await rowsOf(`${line} by day`);
    expect(rows).toEqual((await Promise.all(lines.map((one) => rowsOf(`${one} by day`)))).flat());
  });

  test('are asked side by side', async () => {
    let waiting = 0;
    const { promise: allAsked, resolve } = Promise.withResolvers<void>();
    const portPredictions = async (): Promise<PredictionsAnswer> => {
      waiting += 1;
      if (waiting === 3) resolve();
      await allAsked;
      return { predictions: [], fetchedAt: now, cached: false, droppedRecords: 0, scale: 'fraction' };
    };
    await harness.runCommand(line, { analytics: { ...harness.analytics, portPredictions } });
    expect(waiting).toBe(3);
  });

  test('days are those of each port', async () => {
    // In Singapore the next day has begun.
    const evening = await createCommandHarness({
      clock: { epoch: new Date('2026-11-21T17:00:00Z'), speed: 0 },
    });
    const { message } = await evening.runCommand('portcalls Rotterdam, Singapore tomorrow by day');
    await evening.close();
    expect(asRead(message)).toMatch(
      /^\| Sun 22 Nov \| [^|]+ \| [^|]+ \| – \|\n\| Mon 23 Nov \| [^|]+ \| – \| /m,
    );
  });

  test('a digest compares each port as in a line of its own', async () => {
    const comparisonOf = async (asked: string) => (await fileOf(asked)).comparison;
    const alone = await Promise.all(lines.map(comparisonOf));
    const questions = alone.flatMap((one) => one?.questions ?? []);
    expect(await comparisonOf(line)).toEqual({ ...alone[0], questions });
    expect(await comparisonOf('portcalls Rotterdam by day')).toMatchObject({ questions: [{ id: 'NLRTM' }] });
  });
});

describe('the norm', () => {
  const commands = useStarted(createWatchCommands);
  beforeEach(() => commands.reset());

  /** For each past day, a poll in which this many calls were due the next day, for a watch in the channel. */
  async function remember(pastDays: number, calls: number, workspace = workspaceId): Promise<void> {
    const rows = Array.from({ length: pastDays }, (_, index) => {
      const at = new Date(now.getTime() - (index + 1) * 86_400_000);
      const eta = new Date(at.getTime() + 86_400_000).toISOString();
      const records = Array.from({ length: calls }, () => prediction('NLRTM', 1, eta));
      return {
        ...{ workspace_id: workspace, kind: 'port', key: port('NLRTM'), polled_at: at },
        predictions: JSON.stringify({ scale: 'fraction', records }),
      };
    });
    const watched = { workspace_id: workspace, watch_id: 'w1', kind: 'port', key: port('NLRTM') };
    const of = { channel_id: 'C0WATCHED1', owner_id: 'U1', begun_at: subDays(now, 30), ended_at: null };
    await commands.db
      .insertInto('watched_times')
      .values({ ...watched, ...of })
      .execute();
    await commands.db.insertInto('history').values(rows).execute();
  }
  const ask = async () => asRead(await commands.show('portcalls Rotterdam by day'));

  test('is that of days predicted at the same notice', async () => {
    await remember(20, 3);
    const shown = await ask();
    expect(shown).toContain('norm: median of 20 past days at the same notice');
    expect(shown).toMatch(/^\| Sun 22 Nov \| [^|]+ \| 3\.0 \|/m);
    expect(shown).toMatch(/^\| (?:🟠 )?Mon 23 Nov \| [^|]+ \| 0 \|/m);
  });

  test('marks the days above it', async () => {
    await remember(20, 0);
    const shown = await ask();
    const above = shown.match(/^\| 🟠 .*$/gm) ?? [];
    expect(above.length).toBeGreaterThan(0);
    expect(shown).toMatch(/^\*Rotterdam: .* · 🟠 above the norm: /m);
  });

  test('is never that of another workspace', async () => {
    await commands.db.insertInto('workspaces').values({ id: 'T2', name: 'Other', created_at: now }).execute();
    await remember(20, 3, 'T2');
    expect(await ask()).toContain('no norm yet: watch the port to learn it in 14 days');
  });
});
