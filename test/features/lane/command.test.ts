import { expect, test } from 'vitest';
import type { AnalyticsClient } from '../../../src/analytics/client.ts';
import { asRead } from '../../support/message-text.ts';
import { featuresOver } from '../../support/registry.ts';
import { now, reader, runContext, vessels } from '../../support/run-command.ts';
import { asked, carrier } from '../../support/view-fixtures.ts';

/** What is sent for a line by somebody in Tokyo, and what is made of the service's answer. */
async function run(line: string) {
  const sent: Parameters<AnalyticsClient['journeyStatistics']>[0][] = [];
  const canned: Partial<AnalyticsClient> = {
    journeyStatistics: async (query) => {
      sent.push(query);
      const own = { beginsAt: new Date('2026-08-20T00:00:00Z'), endsAt: new Date('2026-10-30T00:00:00Z') };
      const statistics = [{ ...carrier('MAEU', 12, { delayed: [0, 0], omitted: [0, 0] }), ...own }];
      return { ...asked, statistics };
    },
  };
  // Only the function that the line needs is there.
  const over = featuresOver(canned as AnalyticsClient);
  const context = runContext(over.ctx);
  const actor = { ...context.actor, zone: 'Asia/Tokyo' };
  const answered = await over.parseLine(line, { vessels }).run({ ...context, actor });
  return { sent: sent[0], message: answered.view(reader) };
}

test('without a period no dates are sent', async () => {
  const { sent } = await run('lane Singapore Xiamen');
  expect(sent).not.toHaveProperty('begin');
  expect(sent).not.toHaveProperty('end');
});

test("days and months are in UTC, whatever the person's time zone", async () => {
  expect((await run('lane Singapore Xiamen last month')).sent).toMatchObject({
    begin: new Date('2026-10-01T00:00:00Z'),
    end: new Date('2026-11-01T00:00:00Z'),
  });
  const { sent } = await run('lane Singapore Xiamen last 30 days');
  expect(sent?.end?.getTime()).toBe(Math.floor(now.getTime() / 3_600_000) * 3_600_000);
});

test('a month without a year is the latest one that has begun', async () => {
  expect((await run('lane Singapore Xiamen october')).sent).toMatchObject({
    begin: new Date('2026-10-01T00:00:00Z'),
    end: new Date('2026-11-01T00:00:00Z'),
  });
  expect((await run('lane Singapore Xiamen Maersk in dec')).sent).toMatchObject({
    carriers: ['MAEU'],
    begin: new Date('2025-12-01T00:00:00Z'),
  });
});

test('the answer shows the period that the service returned, not the requested one', async () => {
  const { message } = await run('lane Singapore Xiamen last month');
  expect(asRead(message)).toContain('Departures 20 Aug – 29 Oct 2026');
});
