import { expect, it } from 'vitest';
import type { Imo } from '../../../src/reference/codes.ts';
import type { ChannelMode } from '../../../src/workspaces/settings.ts';
import { useWatches } from '../../support/use-watches.ts';
import { vessel } from '../../support/watch-story.ts';

// Six watches of a channel, one vessel each, over a day in which the service or the clock is not what it was.

const imos = Array.from({ length: 6 }, (_, index) => (9_461_400 + index) as Imo);
const { fixture, slack, send, setMode } = useWatches();

async function begin(mode: ChannelMode): Promise<void> {
  await setMode(mode);
  for (const imo of imos) {
    fixture.vessels.set(imo, { NLRTM: [0.9, 20] });
    await fixture.watch([vessel(imo)], { title: `watch of ${imo}` });
  }
  await at(0);
  slack.posted = [];
}

/** What is due at this hour: asked, then said. */
async function at(now: number): Promise<void> {
  await fixture.at(now);
  await send();
}

/** A sweep at each hour. */
async function hours(from: number, count: number): Promise<void> {
  for (let passed = 1; passed <= count; passed += 1) await at(from + passed);
}

/** What stands in the channel itself, and what in the threads. */
function places() {
  const kinds = slack.posted.map(({ message }) => (message.kind === 'reply' ? message.place : message.kind));
  return Object.fromEntries(
    Map.groupBy(kinds, (kind) => kind)
      .entries()
      .map(([kind, all]) => [kind, all.length]),
  );
}

/** Each stands in a thread, or in a message of its own. */
const events = () => slack.posted.flatMap(({ message }) => (message.kind === 'reply' ? message.events : []));

it.each([
  ['broadcast-critical', { thread: 6 }],
  ['new-message', { thread: 6, summary: 1 }],
] as const)('the service is down for a day, mode %s: one “stale” for each watch, then once what has changed', async (mode, expected) => {
  await begin(mode);
  fixture.failure = new Error('connect ECONNREFUSED');
  await hours(0, 24);
  expect(places()).toEqual(expected);
  expect(events().map(({ kind }) => kind)).toEqual(imos.map(() => 'stale'));
  slack.posted = [];
  fixture.failure = undefined;
  for (const [index, imo] of imos.entries())
    fixture.vessels.set(imo, index < 3 ? { NLRTM: [0.9, 29] } : { NLRTM: [0.1, 60], DEHAM: [0.9, 200] });
  await hours(24, 8);
  expect(events().map((event) => 'next' in event && [event.imo, event.next.port])).toEqual(
    imos.slice(3).map((imo) => [imo, 'DEHAM']),
  );
});

it('both clocks are set back by an hour: nothing is notified twice, and nothing lost', async () => {
  await begin('thread');
  await hours(0, 3);
  for (const imo of imos) fixture.vessels.set(imo, { NLRTM: [0.1, 60], DEHAM: [0.9, 200] });
  await at(3.25);
  expect(events()).toHaveLength(6);
  await at(2.25);
  for (const imo of imos) fixture.vessels.set(imo, { BEANR: [0.9, 200] });
  await hours(2.25, 16);
  expect(events().map((event) => 'next' in event && event.next.port)).toEqual([
    ...imos.map(() => 'DEHAM'),
    ...imos.map(() => 'BEANR'),
  ]);
});
