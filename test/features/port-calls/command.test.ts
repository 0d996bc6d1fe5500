import { subDays } from 'date-fns/subDays';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PredictionsAnswer } from '../../../src/analytics/answers.ts';
import type { PortCalls } from '../../../src/features/port-calls/answer.ts';
import type { PortDaysAnswer } from '../../../src/features/port-calls/by-day/days-view.ts';
import type { SeveralPortDaysAnswer } from '../../../src/features/port-calls/by-day/several-days-view.ts';
import type { LikelyCalls } from '../../../src/features/port-calls/by-day/spread.ts';
import type { SeveralPortsAnswer } from '../../../src/features/port-calls/several-view.ts';
import { asRead } from '../../support/message-text.ts';
import { type CommandHarness, createCommandHarness, now, reader } from '../../support/run-command.ts';
import { slackFaults } from '../../support/slack-faults.ts';
import { workspaceId } from '../../support/store-engines.ts';
import { port, prediction } from '../../support/view-fixtures.ts';
import { createWatchCommands, type WatchCommands } from '../../support/watch-commands.ts';

let harness: CommandHarness;
beforeAll(async () => {
  harness = await createCommandHarness();
});
afterAll(() => harness.close());

const run = async (line: string, context?: Parameters<CommandHarness['runCommand']>[1]) => {
  const { answered, message } = await harness.runCommand(line, context);
  return { value: answered.value, facts: answered.facts, table: answered.tables(reader)[0], message };
};
// The line says which answer it is.
const calls = async (line: string) => (await run(line)).value as PortCalls;
const days = async (line: string) => (await run(line)).value as PortDaysAnswer;
const several = async (line: string) => (await run(line)).value as SeveralPortsAnswer;

const likely = (all: readonly LikelyCalls[]) => all.reduce((sum, each) => sum + each.likely, 0);

describe('by day', () => {
  test('the days add up to the sum of all probabilities', async () => {
    const all = await calls('portcalls Rotterdam all');
    const { days: each, overdue, undated, later, total } = await days('portcalls Rotterdam by day');
    expect(each).toHaveLength(10);
    expect(likely(each)).toBeCloseTo(total.likely);
    const sum = all.calls.reduce((known, { probability }) => known + probability, 0);
    expect(likely([...each, overdue, undated, later])).toBeCloseTo(sum);
  });

  test('a day has the vessels that the same day has by ETA', async () => {
    const { days: each } = await days('portcalls Singapore 2026-11-24..2026-11-27 by day');
    expect(each.map(({ day }) => day)).toEqual(['2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27']);
    for (const { day, vessels } of each)
      expect((await calls(`portcalls Singapore ${day} all`)).calls).toHaveLength(vessels);
    expect(each.some(({ vessels }) => vessels > 0)).toBe(true);
  });

  test('has no norm in the terminal, which has no history', async () => {
    const { value, message } = await run('portcalls Rotterdam by day');
    expect(value).not.toHaveProperty('norm');
    expect(asRead(message)).not.toContain('norm');
    expect(slackFaults(message)).toEqual([]);
  });

  test('the file has a row for each day, and for the vessels without one', async () => {
    const { table, value } = await run('portcalls Rotterdam next week by day');
    expect(table?.nameParts).toEqual(['port-days', 'NLRTM']);
    const { days: each } = value as PortDaysAnswer;
    const rows = [...(table?.rows() ?? [])];
    expect(rows.slice(0, each.length).map(([, , day, sum]) => ({ day, likely: sum }))).toEqual(
      each.map(({ day, likely: sum }) => ({ day, likely: sum })),
    );
  });

  test('a minimum is refused: the sums need all probabilities', async () => {
    expect((await harness.show('portcalls Rotterdam, Antwerp next week by day min 30%')).text).toContain(
      "“min 30%” doesn't go with “by day”. Likely calls per day are sums of all probabilities, small ones too.",
    );
    const { prepared } = await harness.runCommand('portcalls Rotterdam by day all');
    expect(prepared.line).toBe('portcalls NLRTM by day');
    for (const typed of ['daily', 'per day', 'each day', 'day by day', 'by days', 'Daily'])
      expect((await harness.runCommand(`portcalls Rotterdam ${typed}`)).prepared.line).toBe(
        'portcalls NLRTM by day',
      );
  });
});

describe('several ports', () => {
  const line = 'portcalls Rotterdam, Singapore and Hamburg next 5 days';

  test('have the calls of each, by ETA, and count each vessel once', async () => {
    const answer = await several(line);
    const each = await Promise.all(
      ['Rotterdam', 'Singapore', 'Hamburg'].map((name) => calls(`portcalls ${name} next 5 days`)),
    );
    expect(answer.calls).toHaveLength(each.reduce((sum, one) => sum + one.calls.length, 0));
    expect(answer.ports.map(({ listedCalls }) => listedCalls)).toEqual(each.map((one) => one.calls.length));
    const etas = answer.calls.map(({ eta }) => eta?.getTime() ?? Number.NaN);
    expect(etas).toEqual(etas.toSorted((a, b) => a - b));
    expect(answer.vessels).toBe(new Set(answer.calls.map(({ vessel }) => vessel.imo)).size);
    expect(slackFaults((await run(line)).message)).toEqual([]);
  });

  test('a vessel at two of them is listed twice, with the other port, and counted once', async () => {
    const answers: Record<string, PredictionsAnswer['predictions']> = {
      NLRTM: [prediction('NLRTM', 0.5, '2026-11-22T10:00:00Z')],
      BEANR: [prediction('BEANR', 0.4, '2026-11-23T10:00:00Z')],
    };
    const { value, message } = await run(
      'portcalls Rotterdam, Antwerp',
      fake((code) => answers[code] ?? []),
    );
    expect(value).toMatchObject({
      vessels: 1,
      calls: [
        { port: 'NLRTM', alsoAt: ['BEANR'] },
        { port: 'BEANR', alsoAt: ['NLRTM'] },
      ],
    });
    expect(asRead(message)).toContain(
      '*Rotterdam, Antwerp: 1 vessel may call 22–23 Nov* · 1 of them at more than one port',
    );
  });

  test('are asked side by side', async () => {
    let waiting = 0;
    const { promise: allAsked, resolve } = Promise.withResolvers<void>();
    const together = fake(async () => {
      waiting += 1;
      if (waiting === 3) resolve();
      await allAsked;
      return [];
    });
    await run(line, together);
    expect(waiting).toBe(3);
  });

  test('a port whose request fails is named, and the others are shown', async () => {
    const failing = fake((code) => {
      if (code === 'SGSIN') throw new Error('no answer');
      return [prediction(code, 0.9, '2026-11-22T10:00:00Z')];
    });
    for (const typed of [line, `${line} by day`]) {
      const { message, value } = await run(typed, failing);
      const shown = asRead(message);
      expect(shown).toMatch(/^text: 2 of 3 ports: /);
      expect(shown).toContain('\n🟠 Singapore: no answer\n');
      expect(shown).toContain('no answer for SGSIN: press Refresh');
      expect(value).toMatchObject({
        failed: [{ port: 'SGSIN' }],
        ports: [{ port: 'NLRTM' }, { port: 'DEHAM' }],
      });
    }
    const broken = fake(() => {
      throw new Error('no answer at all');
    });
    await expect(run(line, broken)).rejects.toThrow('no answer at all');
  });

  test('days are those of each port', async () => {
    // In Singapore the next day has begun.
    const evening = await createCommandHarness({
      clock: { epoch: new Date('2026-11-21T17:00:00Z'), speed: 0 },
    });
    const { answered, message } = await evening.runCommand('portcalls Rotterdam, Singapore tomorrow by day');
    await evening.close();
    const { ports } = answered.value as SeveralPortDaysAnswer;
    expect(ports.map((each) => each.days.map(({ day }) => day))).toEqual([['2026-11-22'], ['2026-11-23']]);
    expect(asRead(message)).toMatch(/^\| Mon 23 Nov \| [^|]+ \| – \| /m);
  });

  test('a digest compares each port as in a line of its own', async () => {
    const ports = await Promise.all(
      ['Rotterdam', 'Singapore', 'Hamburg'].map(
        async (name) => (await run(`portcalls ${name} next 5 days`)).facts,
      ),
    );
    expect((await run(line)).facts).toEqual({ kind: 'several-ports', ports });
    const byDay = (await run('portcalls Rotterdam by day')).facts;
    expect(byDay).toMatchObject({ kind: 'port-calls', port: 'NLRTM' });
  });

  test('the file has the rows of all ports', async () => {
    const { table, value } = await run(line);
    expect(table).toMatchObject({
      nameParts: ['port-calls', 'NLRTM', 'SGSIN', 'DEHAM'],
      rowCount: (value as SeveralPortsAnswer).calls.length,
    });
  });

  function fake(
    predictionsOf: (
      code: string,
    ) => PredictionsAnswer['predictions'] | Promise<PredictionsAnswer['predictions']>,
  ) {
    const portPredictions = async (code: string): Promise<PredictionsAnswer> => ({
      predictions: await predictionsOf(code),
      ...{ fetchedAt: now, cached: false, droppedRecords: 0, scale: 'fraction' },
    });
    return { analytics: { ...harness.analytics, portPredictions } };
  }
});

describe('the norm', () => {
  let commands: WatchCommands;
  beforeAll(async () => {
    commands = await createWatchCommands();
  });
  beforeEach(() => commands.reset());
  afterAll(() => commands.close());

  /** For each past day, a poll in which this many vessels were due the next day, for a watch in the channel. */
  async function remember(pastDays: number, vessels: number, workspace = workspaceId): Promise<void> {
    const rows = Array.from({ length: pastDays }, (_, index) => {
      const at = new Date(now.getTime() - (index + 1) * 86_400_000);
      const eta = new Date(at.getTime() + 86_400_000).toISOString();
      const records = Array.from({ length: vessels }, () => prediction('NLRTM', 1, eta));
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

  test('is learnt from fourteen days of history on', async () => {
    expect(await ask()).toContain('watch the port to learn the norm in 14 days');
    await remember(13, 3);
    expect(await ask()).toContain('no norm yet: 13 of 14 days of history ·');
  });

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
    expect(await ask()).toContain('watch the port to learn the norm in 14 days');
  });
});
