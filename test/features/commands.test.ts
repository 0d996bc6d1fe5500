import type { ActionsBlockElement, SectionBlockAccessory } from '@slack/types';
import { expect, test } from 'vitest';
import { formActionId, formOptionPattern, pressedOptionPattern } from '../../src/answers/slack/blocks.ts';
import { UserError } from '../../src/errors.ts';
import { asRead } from '../support/message-text.ts';
import { commands, parseLine } from '../support/registry.ts';
import { createCommandHarness, now, reader, vessels } from '../support/run-command.ts';
import { useStarted } from '../support/use-started.ts';
import { asked } from '../support/view-fixtures.ts';

const harness = useStarted(createCommandHarness);

const ask = async (line: string) => asRead((await harness.runCommand(line)).message);

test('every button holds a canonical line that can be run', async () => {
  const lines = ['nextport 9461477', 'nextport list:FEEDERS', 'portcalls Rotterdam', 'lane Singapore Xiamen'];
  for (const typed of [...lines, 'usage', 'help', 'help lane', 'status', 'nextport 9461477 compare']) {
    const { message } = await harness.runCommand(typed);
    const values = message.blocks.flatMap((block) => {
      if (block.type === 'section') return block.accessory ? linesOf(block.accessory) : [];
      return block.type === 'actions' ? block.elements.flatMap(linesOf) : [];
    });
    expect(values.length).toBeGreaterThan(0);
    for (const value of values) expect(parseLine(value, { vessels }).line).toBe(value);
  }
});

/** The lines of a button or a menu. The value of a button that opens a form isn't a line. */
function linesOf(element: ActionsBlockElement | SectionBlockAccessory): string[] {
  if (element.type === 'button')
    return element.action_id?.startsWith(formActionId('')) ? [] : [element.value ?? ''];
  if (element.type !== 'overflow') return [];
  const values = element.options.map(({ value = '' }) => value);
  return values
    .filter((value) => !formOptionPattern.test(value))
    .map((value) => pressedOptionPattern.exec(value)?.[2] ?? value);
}

test("port calls use the port's days, and only vessels that may call in the period", async () => {
  const { answered } = await harness.runCommand('portcalls Singapore tomorrow all');
  const [table] = answered.tables(reader);
  const etas = [...(table?.rows() ?? [])].map((row) => Number(row[table?.columns.indexOf('eta') ?? -1]));
  expect(etas.length).toBeGreaterThan(0);
  expect(Math.min(...etas)).toBeGreaterThanOrEqual(Date.parse('2026-11-21T16:00:00Z'));
  expect(Math.max(...etas)).toBeLessThan(Date.parse('2026-11-22T16:00:00Z'));
});

test('a digest compares everything that a port lists, and whether each ETA is in the period', async () => {
  const compared = async (line: string) => {
    const { comparison } = (await harness.runCommand(line)).answered;
    return { ...comparison, rows: comparison?.questions[0]?.rows ?? [] };
  };
  const all = await compared('portcalls Rotterdam all');
  const some = await compared('portcalls Rotterdam next 2 days min 30%');
  expect(some).toMatchObject({ period: 'next 2 days', from: 0.3, questions: [{ id: 'NLRTM' }] });
  expect(some.rows.map(({ imo }) => imo)).toEqual(all.rows.map(({ imo }) => imo));
  expect(new Set(all.rows.map(({ when }) => when))).toEqual(new Set(['within']));
  const end = new Date(now.getTime() + 2 * 86_400_000);
  for (const { call, when } of some.rows)
    expect(when).toBe(!call?.eta ? 'unknown' : call.eta < end ? 'within' : 'after');
  expect(new Set(some.rows.map(({ when }) => when)).size).toBeGreaterThan(1);
});

test('a vessel that only the ship endpoint knows gets its answer, and the answer says so', async () => {
  const { analytics } = harness;
  const { message } = await harness.runCommand('nextport 9461477', {
    analytics: {
      ...analytics,
      vesselPredictions: async () => ({ ...asked, predictions: [] }),
    },
  });
  expect(asRead(message)).toContain("the service's second forecast: its first has none");
});

test('a list is found whatever the case of its name, and the answer says so', async () => {
  const shown = await ask('nextport list:feeders');
  expect(shown).toMatch(/^text: List FEEDERS, \d+ vessels: next /);
  expect(shown).toContain('no list called feeders: this is FEEDERS');
  expect(shown).toContain('[Refresh → nextport list:FEEDERS]');
  expect(await ask('nextport list:"North Europe"')).toContain('[Refresh → nextport list:"NORTH EUROPE"]');
});

test('if the service has nothing for a code, the main code of its port is tried', async () => {
  const shanghai = await ask('portcalls CNSGH');
  expect(shanghai).toMatch(/^text: Shanghai: \d+ vessels may call/);
  expect(shanghai).toContain('no answer for CNSGH: this is for CNSHA, another code for the same port');
  expect(shanghai).toContain('[Refresh → portcalls CNSGH]');
  const lane = await ask('lane CNSGH NLRTM');
  expect(lane).toMatch(/^text: .*Shanghai → Rotterdam.* · BETA/);
  expect(lane).toContain('no answer for CNSGH: this is for CNSHA, another code for the same port');
  expect(await ask('portcalls CNSHA')).not.toContain('another code of the same port');
});

test("the months of usage follow the person's time zone", async () => {
  const { message } = await harness.runCommand('usage last month', {
    now: () => new Date('2026-10-31T23:30:00Z'),
    actor: { userId: 'U1', isAdmin: false, zone: 'Europe/Berlin' },
  });
  expect(message.text).toMatch(/^October 2026: /);
});

test('without a month, usage shows the newest month with entries', async () => {
  const { analytics } = harness;
  const months: number[] = [];
  const { message } = await harness.runCommand('usage', {
    analytics: {
      ...analytics,
      async *usage({ year, month }) {
        months.push(month);
        if (month === 9) yield* analytics.usage({ year, month });
      },
    },
  });
  // Then the months of the chart.
  expect(months).toEqual([11, 10, 9, 4, 5, 6, 7, 8]);
  expect(asRead(message)).toContain(
    'The current month has no entries yet; this is the newest month that has',
  );
});

test('one failed vessel of several is marked; if all fail, the line fails', async () => {
  const { analytics } = harness;
  const broken = new Error('cut');
  const failing = (only?: number) => ({
    ...analytics,
    vesselPredictions: async (imo: Parameters<typeof analytics.vesselPredictions>[0]) => {
      if (only === undefined || imo === only) throw broken;
      return analytics.vesselPredictions(imo);
    },
  });
  const { message } = await harness.runCommand('nextport 9461477, 9755933', { analytics: failing(9755933) });
  expect(asRead(message)).toContain('| MSC DIANA | no answer | – | – | – | 9755933 |');
  expect(asRead(message)).toContain('1: press Refresh');
  await expect(harness.runCommand('nextport 9461477, 9755933', { analytics: failing() })).rejects.toBe(
    broken,
  );
});

test.each(
  commands.flatMap(({ examples }) => examples.map((line) => [line])),
)('%s: the terminal is known not to run what it refuses', async (line) => {
  const refused = await harness.runCommand(line).then(
    () => false,
    (error: unknown) => error instanceof UserError && error.code === 'not-allowed',
  );
  expect(parseLine(line, { vessels }).needsSlack).toBe(refused);
});
