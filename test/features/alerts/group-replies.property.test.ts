import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { alertEvents } from '../../../src/features/alerts/alert.ts';
import { watchRules } from '../../../src/features/rules/registry.ts';
import type { Imo } from '../../../src/reference/codes.ts';
import { engines } from '../../support/store-engines.ts';
import { useWatches } from '../../support/use-watches.ts';
import { rateLimited } from '../../support/watch-slack.ts';

const imos = Array.from({ length: 6 }, (_, index) => (9_300_000 + index) as Imo);
const ports = ['NLRTM', 'DEHAM', 'BEANR', 'GBFXT'];

/** What happens to each vessel before the next poll, and whether Slack takes messages after it. */
const step = fc.record({
  vessels: fc.array(fc.constantFrom('same', 'diverted', 'later'), {
    minLength: imos.length,
    maxLength: imos.length,
  }),
  isSlackUp: fc.boolean(),
});

const story = fc.record({
  mode: fc.constantFrom('thread', 'broadcast-critical', 'new-message'),
  /** Each watch has these vessels, one by one, or all of them as a list. */
  watches: fc.array(fc.oneof(fc.subarray(imos, { minLength: 1 }), fc.constant('list')), {
    minLength: 1,
    maxLength: 5,
  }),
  steps: fc.array(step, { minLength: 1, maxLength: 6 }),
});

describe.each(engines)('grouped replies, $engine', ({ engine, open }) => {
  const { fixture, slack, send, reset, setMode, db } = useWatches(open);

  test('each event stands once in its thread, in order, and nothing routine is broadcast', async () => {
    await fc.assert(
      fc.asyncProperty(story, async ({ mode, watches, steps }) => {
        await reset();
        await setMode(mode);
        // Each ETA is used once, so no two events are equal.
        let eta = 130;
        const now = new Map(imos.map((imo) => [imo, { port: 0, eta }]));
        const predict = () => {
          const all = [...now].map(([imo, next]) => {
            const predicted = { [ports[next.port % ports.length] ?? '']: [0.9, next.eta] as const };
            fixture.vessels.set(imo, predicted);
            return [imo, predicted] as const;
          });
          fixture.lists.set('ALL', Object.fromEntries(all));
        };
        predict();
        for (const subjects of watches)
          await fixture.watch(
            subjects === 'list'
              ? [{ kind: 'shiplist', name: 'ALL' }]
              : subjects.map((imo) => ({ kind: 'vessel', imo }) as const),
          );
        await fixture.at(0);
        for (const [index, { vessels, isSlackUp }] of steps.entries()) {
          for (const [position, imo] of imos.entries()) {
            const before = now.get(imo) ?? { port: 0, eta };
            const happens = vessels[position];
            if (happens === 'same') continue;
            eta += 0.01;
            const port = happens === 'diverted' ? before.port + 1 : before.port;
            now.set(imo, { port, eta: happens === 'later' ? before.eta + 30 + eta / 1000 : eta });
          }
          predict();
          await fixture.at((index + 1) * 7);
          slack.onPost = () => (isSlackUp ? undefined : rateLimited(1_000));
          await send();
        }
        slack.onPost = () => undefined;
        for (let round = 0; round < 3; round += 1) await send(60_000);

        const alerts = await db().selectFrom('alerts').selectAll().orderBy('at').execute();
        const happened = alerts.flatMap(({ watch_id: watchId, at, events }) =>
          alertEvents.parse(events).map((event) => ({ watchId, at, key: JSON.stringify(event) })),
        );
        const posted = slack.posted.flatMap(({ message, watch }) =>
          message.kind === 'reply' ? [{ ...message, watchId: watch?.id }] : [],
        );
        for (const watchId of new Set(happened.map((one) => one.watchId))) {
          const expected = happened.filter((one) => one.watchId === watchId);
          const times = new Map(expected.map(({ key, at }) => [key, at.getTime()]));
          const shown = posted
            .filter((one) => one.watchId === watchId)
            .flatMap(({ events }) => events.map((event) => JSON.stringify(event)));
          expect(shown.toSorted()).toEqual(expected.map(({ key }) => key).toSorted());
          const shownTimes = shown.map((key) => times.get(key) ?? Number.NaN);
          expect(shownTimes).toEqual(shownTimes.toSorted((a, b) => a - b));
        }
        const inChannel = slack.posted.flatMap(({ message }) => {
          if (message.kind === 'summary') return message.items.flatMap(({ events }) => events);
          return message.kind === 'reply' && message.place === 'broadcast' ? message.events : [];
        });
        if (mode === 'thread') expect(inChannel).toEqual([]);
        if (mode === 'broadcast-critical') expect(inChannel.every(watchRules.isCritical)).toBe(true);
        const summaries = slack.posted.flatMap(({ message }) =>
          message.kind === 'summary' ? [message] : [],
        );
        for (const { items } of summaries) {
          const atOf = new Map(happened.map(({ watchId, key, at }) => [`${watchId} ${key}`, at.getTime()]));
          const shownTimes = items.flatMap(({ watchId, events }) =>
            events.map((event) => atOf.get(`${watchId} ${JSON.stringify(event)}`) ?? Number.NaN),
          );
          expect(shownTimes).toEqual(shownTimes.toSorted((a, b) => a - b));
        }
      }),
      { numRuns: engine === 'sqlite' ? 25 : 8 },
    );
  });
});
