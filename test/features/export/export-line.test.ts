import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { text } from '../../../src/answers/kinds.ts';
import { table } from '../../../src/answers/table.ts';
import { createWorkbooks } from '../../../src/answers/workbook.ts';
import { lineAnswerOf } from '../../../src/features/command.ts';
import type { AskCtx } from '../../../src/features/ctx.ts';
import { exportLine, maxExportRows } from '../../../src/features/export/index.ts';
import type { SendFile, WorkspaceServices } from '../../../src/features/services.ts';
import type { Imo, Locode } from '../../../src/reference/codes.ts';
import { asRead } from '../../support/message-text.ts';
import { parseLine } from '../../support/registry.ts';
import {
  type CommandHarness,
  createCommandHarness,
  now,
  reader,
  runContext,
  vessels,
} from '../../support/run-command.ts';

let harness: CommandHarness;
beforeAll(async () => {
  harness = await createCommandHarness();
});
afterAll(() => harness.close());

test('a line that sends a file names its format, and is not run again', () => {
  expect(parseLine('portcalls Rotterdam as csv', { vessels })).toMatchObject({
    repeatable: false,
    exportFormat: 'csv',
  });
  expect(parseLine('nextport list:"mine as csv"', { vessels }).exportFormat).toBeUndefined();
});

describe('the file of', () => {
  const fileOf = async (typed: string) => {
    const { answered } = await harness.runCommand(typed);
    return answered.file ?? '';
  };
  const textOf = async (typed: string) => String(await fileOf(typed));

  test.each([
    'nextport 9461477',
    'nextport 9461477, 9755933',
    'nextport 9461477 compare',
    'nextport list:FEEDERS',
    'portcalls Hamburg tomorrow',
    'portcalls Hamburg by day',
    'lane Singapore Xiamen',
    'usage 2026-10',
  ])('%s', async (line) => {
    expect(await fileOf(`${line} as csv`)).toMatchSnapshot();
  });

  test.each([
    ['portcalls Hamburg', 'port-calls-DEHAM-2026-11-21.csv'],
    ['portcalls Hamburg tomorrow', 'port-calls-DEHAM-2026-11-22-as-of-2026-11-21.csv'],
    [
      'portcalls NLRTM, DEHAM next 3 days',
      'port-calls-NLRTM-DEHAM-2026-11-21-to-2026-11-24-as-of-2026-11-21.csv',
    ],
    ['portcalls Hamburg tomorrow by day', 'port-days-DEHAM-2026-11-22-as-of-2026-11-21.csv'],
    ['lane SGSIN CNXAM this year', 'lane-SGSIN-CNXAM-2026-01-01-to-2026-11-21-as-of-2026-11-21.csv'],
    [
      'lane SGSIN CNXAM q3 2026 versus q2 2026',
      'lane-SGSIN-CNXAM-2026-04-01-to-2026-06-30-versus-2026-07-01-to-2026-09-30-as-of-2026-11-21.csv',
    ],
    ['usage 2026-10', 'usage-2026-10-2026-11-21.csv'],
  ])('%s is named for its period', async (line, file) => {
    const { answered } = await harness.runCommand(`${line} as csv`);
    expect(answered.structured?.(reader)).toMatchObject({ file });
  });

  test('a period that goes on ends with the answer, as the message says', async () => {
    const { answered } = await harness.runCommand('lane SGSIN CNXAM this year');
    expect(asRead(answered.view(reader))).toContain('Departures 1 Jan – 21 Nov 2026');
    const [first]: unknown[] = JSON.parse(await textOf('lane SGSIN CNXAM this year as json'));
    expect(first).toMatchObject({
      departures_from: '2026-01-01T00:00:00Z',
      departures_until: expect.stringMatching(/^2026-11-21T/),
    });
  });

  test('an answer of several pages has the rows of all of them', async () => {
    const predictions = Array.from({ length: 150 }, (_, index) => ({
      imo: (9_000_000 + index) as Imo,
      port: 'SGSIN' as Locode,
      probability: 0.5,
      etaZone: 'given' as const,
    }));
    const analytics = {
      ...harness.analytics,
      portPredictions: async () =>
        ({ predictions, fetchedAt: now, cached: false, droppedRecords: 0, scale: 'fraction' }) as const,
    };
    const { answered, message } = await harness.runCommand('portcalls Singapore page 2', { analytics });
    expect(asRead(message)).toContain('51–100 of 150 shown');
    expect(answered.tables(reader)[0]?.rowCount).toBe(150);
    const exported = await harness.runCommand('portcalls Singapore page 2 as csv', { analytics });
    expect(String(exported.answered.file).match(/^SGSIN,/gm)).toHaveLength(150);
  });
});

describe('in Slack', () => {
  const names = table<string>({
    name: 'names',
    about: 'A name',
    columns: { name: text('Name', 'a name', (name) => name) },
  });
  const place = { channelId: 'C1', destination: 'channel' } as const;

  /** Runs `portcalls NLRTM as csv` as if its answer had these rows. */
  async function send(rows: readonly string[], sendFile: SendFile, details: { total?: number } = {}) {
    const section = names.of({ rows, caption: 'Names', subject: ['X'], ...details });
    const prepared = parseLine('portcalls NLRTM', { vessels });
    const ctx = {
      ...runContext(),
      services: { slack: { sendFile }, workbooks: createWorkbooks() } as unknown as WorkspaceServices,
      registry: { lineOf: () => undefined } as unknown as AskCtx['registry'],
      place,
    };
    const answer = { verdict: { strong: 'No names' }, isOwn: true, sections: [section] };
    const exported = exportLine({ ...prepared, run: async () => lineAnswerOf(answer, prepared, ctx) }, 'csv');
    const { view } = await exported.run(ctx);
    return asRead(view(reader));
  }

  test('the file goes to the person who asks, with a mark that it is UTF-8', async () => {
    const sent: Parameters<SendFile>[] = [];
    const said = await send(['Ærø', '=1+1'], async (...file) => {
      sent.push(file);
      return { isSent: true };
    });
    expect(sent).toEqual([
      [
        'U1',
        {
          name: 'names-X-2026-11-21.csv',
          title: 'names-X-2026-11-21.csv · /portcalls NLRTM',
          content: "\uFEFFname\r\nÆrø\r\n'=1+1\r\n",
        },
      ],
    ]);
    expect(said).toMatchInlineSnapshot(`
      "text: Sent names-X-2026-11-21.csv (2 rows) to your direct messages (invented data)

      *Sent names-X-2026-11-21.csv (2 rows) to your direct messages*
      invented data"
    `);
  });

  test('without the scope, as many rows as fit are shown as text, and what to do about it', async () => {
    const advice = 'Tell whoever runs this bot: it needs the scope files:write.';
    const few = await send(['DS CYPRESS', '`<!channel>`'], async () => ({ isSent: false, advice }));
    expect(few).toMatchInlineSnapshot(`
      "text: Slack didn't take the file names-X-2026-11-21.csv (2 rows): here it is as text. Tell whoever runs this bot: it needs the scope files:write. (invented data)

      *Slack didn't take the file names-X-2026-11-21.csv (2 rows)*: here it is as text
      \`\`\`name
      DS CYPRESS
      ˋ&lt;!channel&gt;ˋ\`\`\`
      Tell whoever runs this bot: it needs the scope files:write.
      invented data"
    `);
    const many = Array.from({ length: 500 }, (_, index) => `${index} ${'<>'.repeat(40)}`);
    const said = await send(many, async () => ({ isSent: false }));
    expect(said).toMatch(/: here are the first \d\d rows, which is all that fits/);
  });

  test('a bounded export says how many rows there are', async () => {
    const rows = Array.from({ length: maxExportRows + 1 }, () => 'X');
    let lines = 0;
    const count: SendFile = async (_, { content }) => {
      lines = String(content).split('\r\n').length - 2;
      return { isSent: true };
    };
    expect(await send(rows, count)).toContain('the first 30,000 rows of 30,001');
    expect(lines).toBe(maxExportRows);
    expect(await send(['X'], count, { total: 9 })).toContain('the first 1 row of 9');
  });

  test('without rows there is no file, but the answer', async () => {
    const said = await send([], async () => {
      throw new Error('a file was sent');
    });
    expect(said).toContain('No names (there are no rows, so no file was sent)');
  });
});
