import { expect, onTestFinished, test } from 'vitest';
import { storeOf } from '../../../src/database/workspace-store.ts';
import { readHistory } from '../../../src/features/history/history.ts';
import { defaultRules } from '../../../src/features/rules/registry.ts';
import { readFinishedCalls } from '../../../src/features/stability/calls.ts';
import { rankProspects } from '../../../src/predictions/next-port.ts';
import { stabilityOf } from '../../../src/predictions/stability.ts';
import type { Imo } from '../../../src/reference/codes.ts';
import { createSandbox } from '../../../src/sandbox/sandbox.ts';
import { createLoneClient } from '../../support/analytics-client.ts';
import { createPoller } from '../../support/poller.ts';
import { direct } from '../../support/statements/direct.ts';
import { openSqlite, seedWorkspace, workspaceId } from '../../support/store-engines.ts';
import { createWatchFixture } from '../../support/watch-fixture.ts';
import { start } from '../../support/watch-story.ts';

const hourMs = 3_600_000;
const days = 18;
const imos = [9461477, 9755933, 9811000] as Imo[]; // seven digits, known to the sandbox

test('18 days of the sandbox: the calls are those that the whole history shows', async () => {
  const sandbox = await createSandbox({ seed: 3, clock: { speed: 0, epoch: start } });
  onTestFinished(() => sandbox.close());
  const store = await openSqlite();
  onTestFinished(() => store.close());
  const { db } = store.database;
  await seedWorkspace(store.database);
  const fixture = createWatchFixture(store.database);
  for (const imo of imos)
    await fixture.watch([{ kind: 'vessel', imo }], { channelId: `C${imo}`, rules: defaultRules });

  const now = () => sandbox.clock.now();
  const analytics = createLoneClient({ baseUrl: sandbox.url, ...sandbox.credentials, now });
  const poller = createPoller({
    store: storeOf(db, workspaceId),
    analytics,
    realNow: Date.now,
    newId: fixture.newId,
    // All vessels in one round, and never at the hours that are read.
    fixedMinutes: 230,
  });
  const nextDue = async () => {
    const subjects = direct(db).selectFrom('subjects').select('due_at').orderBy('due_at');
    return (await subjects.executeTakeFirstOrThrow()).due_at;
  };
  const endMs = start.getTime() + days * 24 * hourMs;
  for (let due = start; due.getTime() < endMs; due = await nextDue()) {
    sandbox.clock.advance(due.getTime() - now().getTime());
    await poller.runDue(due);
  }

  const found = await readFinishedCalls(storeOf(db, workspaceId), { imos, filter: {} });
  const expected = (
    await Promise.all(
      imos.map(async (imo) => {
        const history = await readHistory(storeOf(db, workspaceId), {
          subject: { kind: 'vessel', imo },
          from: start,
          filter: {},
        });
        return callsIn(history.map(({ at, predictions }) => ({ at, ranked: rankProspects(predictions) })));
      }),
    )
  ).flat();
  const inOrder = <Call extends { endedAt?: Date | undefined }>(calls: readonly Call[]) =>
    calls.toSorted((one, other) => Number(one.endedAt) - Number(other.endedAt));
  expect(inOrder(found.map(({ imo: _, ...call }) => call))).toEqual(inOrder(expected));
  expect(found.length).toBeGreaterThan(5);
  const { onTop } = stabilityOf(found);
  expect(onTop[24].of).toBeGreaterThan(5);
  expect(onTop[24].count / onTop[24].of).toBeGreaterThan(0.5);
});

interface Poll {
  at: Date;
  ranked: ReturnType<typeof rankProspects>;
}

/** The definition in docs/stability.md, applied to all polls of a vessel at once. */
function callsIn(polls: readonly Poll[]) {
  const tops = polls.filter(({ ranked }) => ranked.length > 0);
  const isEnd = ({ at, ranked }: Poll, before: Poll | undefined) => {
    const [top] = before?.ranked ?? [];
    return (
      top?.eta != null &&
      !ranked.some(({ port }) => port === top.port) &&
      top.eta.getTime() - at.getTime() <= 3 * hourMs
    );
  };
  const ends = tops.flatMap((poll, index) => (isEnd(poll, tops[index - 1]) ? [index] : []));
  return ends.map((index, number) => {
    const previous = ends[number - 1];
    const ofCall = tops.slice(previous ?? 0, index);
    const { port, eta } = ofCall.at(-1)?.ranked[0] ?? {};
    const lastEta = eta ?? new Date(Number.NaN);
    const topAt = (hours: number) => {
      const ageMs = ({ at }: Poll) => lastEta.getTime() - hours * hourMs - at.getTime();
      const poll = ofCall.findLast((each) => ageMs(each) >= 0 && ageMs(each) <= 6 * hourMs);
      return poll?.ranked[0] ?? null;
    };
    return {
      previousPort: previous === undefined ? null : tops[previous - 1]?.ranked[0]?.port,
      port,
      lastEta,
      endedAt: tops[index]?.at,
      readings: { 72: topAt(72), 48: topAt(48), 24: topAt(24) },
    };
  });
}
