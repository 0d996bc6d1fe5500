import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Reader } from '../../../src/answers/message.ts';
import { UserError } from '../../../src/errors.ts';
import { now } from '../../support/run-command.ts';
import { lineOf, toolNamed, tools } from '../../support/tool-harness.ts';
import { useStarted } from '../../support/use-started.ts';
import { createWatchCommands } from '../../support/watch-commands.ts';
import { cypress } from '../../support/watch-story.ts';

const reader: Reader = { now, zone: 'Europe/Berlin', source: 'sandbox', audience: 'private' };

const commands = useStarted(createWatchCommands);
beforeEach(() => commands.reset());

/** An assistant asks from the person's direct message with the bot. */
const place = { channelId: 'D0WATCHER1', destination: 'direct-message' as const };
const call = async (name: string, input: object) =>
  (await commands.call(name, input, { place })).output(reader);

test('each says what it does: adding is no reading, stopping ends something', () => {
  const effects = tools
    .filter(({ name }) => /^watch|history$/.test(name))
    .map(({ name, effect, needsSlack }) => [name, effect, needsSlack]);
  expect(effects).toEqual([
    ['nextport_history', 'reads', true],
    ['watch_stability', 'reads', true],
    ['watch_add', 'adds', true],
    ['watch_stop', 'removes', true],
    ['watch_list', 'reads', true],
    ['watch_changes', 'reads', true],
  ]);
});

describe('the line', () => {
  test.each([
    ['watch_add', { vessel: 9461477 }, 'watch 9461477 to me'],
    ['watch_add', { vessel: 'ds cypress, 9755933', rules: 'eta 6h' }, 'watch 9461477, 9755933 eta 6h to me'],
    ['watch_add', { vessel: 'fleet:NORTH', at: 'Rotterdam' }, 'watch fleet:NORTH at NLRTM to me'],
    ['watch_add', { port: 'Rotterdam', dryRun: true }, 'watch port NLRTM to me dry run'],
    ['watch_stop', { vessel: 9461477 }, 'watch stop 9461477'],
    ['watch_stop', { vessel: 9461477, at: 'Rotterdam' }, 'watch stop 9461477 at NLRTM'],
    ['watch_stop', { port: 'Rotterdam' }, 'watch stop port NLRTM'],
    ['watch_list', {}, 'watch list mine'],
    ['watch_list', { page: 2 }, 'watch list mine page 2'],
    ['watch_changes', {}, 'watch changes mine'],
    ['watch_changes', { since: 'today' }, 'watch changes mine'],
    [
      'watch_changes',
      { since: 'yesterday 18:00', page: 2 },
      'watch changes since yesterday 18:00 mine page 2',
    ],
    ['watch_changes', { vessel: 'ds cypress, 9755933' }, 'watch changes of 9461477, 9755933 mine'],
    [
      'watch_changes',
      { vessel: 'fleet:NORTH', since: 'monday' },
      'watch changes of fleet:NORTH since monday mine',
    ],
    ['watch_changes', { port: 'Rotterdam' }, 'watch changes at NLRTM mine'],
    ['watch_stability', {}, 'watch stability mine'],
    ['watch_stability', { vessel: 'ds cypress', page: 2 }, 'watch stability 9461477 page 2'],
    ['watch_stability', { vessel: 'fleet:NORTH' }, 'watch stability fleet:NORTH'],
    ['watch_stability', { origin: 'Rotterdam', destination: 'Hamburg' }, 'watch stability NLRTM DEHAM mine'],
    ['nextport_history', { vessel: 'ds cypress', page: 2 }, 'nextport 9461477 history page 2'],
  ])('of %s %j', (name, input, line) => {
    expect(lineOf(name, input)).toBe(line);
  });

  test.each([
    ['watch_add', {}],
    ['watch_add', { vessel: 9461477, port: 'Rotterdam' }],
    ['watch_add', { port: 'Rotterdam', at: 'Rotterdam' }],
    ['watch_add', { vessel: '9461477 eta 6h' }],
    ['watch_add', { vessel: 'port Rotterdam' }],
    ['watch_add', { vessel: '9461477 at Rotterdam' }],
    ['watch_add', { vessel: '9461477', rules: 'eta 6h dry run' }],
    ['watch_add', { vessel: '9461477', rules: 'in <#C0WATCHED1|ops>' }],
    ['watch_add', { vessel: '9461477 in <#C0WATCHED1|ops>', rules: 'eta 6h' }],
    ['watch_changes', { since: 'yesterday all' }],
    ['watch_changes', { since: 'yesterday page 2' }],
    ['watch_changes', { since: 'yesterday in <#C0WATCHED1|ops>' }],
    ['watch_changes', { since: 'tomorow' }],
    ['watch_changes', { vessel: 9461477, port: 'Rotterdam' }],
    ['watch_changes', { port: 'Rotterdam since monday' }],
    ['watch_changes', { vessel: '9461477 since monday' }],
    ['watch_stability', { vessel: 9461477, origin: 'Rotterdam', destination: 'Hamburg' }],
    ['watch_stability', { origin: 'Rotterdam' }],
    ['watch_stability', { vessel: 'all' }],
    ['watch_stability', { vessel: 'Rotterdam Hamburg' }],
    ['nextport_history', {}],
    ['nextport_history', { vessel: '9461477, 9755933' }],
    ['nextport_history', { vessel: 'watched' }],
    ['nextport_history', { vessel: '9461477 compare' }],
    ['watch_stop', {}],
    ['watch_stop', { vessel: 'all' }],
    ['watch_stop', { vessel: 'all yes' }],
    ['watch_stop', { vessel: '9461477 yes' }],
    ['watch_stop', { vessel: '9461477 in <#C0WATCHED1|ops>' }],
  ])('of %s %j is refused, since a field holds more than it should, or none is right', (name, input) => {
    expect(() => lineOf(name, input)).toThrow(UserError);
  });
});

test('every rule that the description of the rules names can be given as it stands there', () => {
  const { rules } = z.toJSONSchema(toolNamed('watch_add').input, { io: 'input' }).properties ?? {};
  const { description, examples } = z
    .looseObject({ description: z.string(), examples: z.array(z.string()) })
    .parse(rules);
  const named = (text: string) =>
    [...text.matchAll(/(?:^|; |: |\. )“([^”]+)”: /g)].map(([, rule = '']) => rule);
  const [values = '', onByDefault = ''] = description.split('On by default');
  expect(named(values)).toContain('eta 6h');
  expect(named(onByDefault)).toContain('diverted');
  for (const rule of [...examples, ...named(values), ...named(onByDefault).map((word) => `only ${word}`)]) {
    // One is about ports alone.
    const subject = rule === 'only expected' ? { port: 'Rotterdam' } : { vessel: 9461477 };
    expect(() => lineOf('watch_add', { ...subject, rules: rule }), rule).not.toThrow();
  }
});

test.each([
  [{ vessel: '9461477, 9755933' }, { watched_vessels: '9461477, 9755933', watched_port: null }],
  [
    { vessel: 'MSC DIANA', at: 'Rotterdam' },
    { watched_vessels: '9755933', watched_port: 'NLRTM' },
  ],
  [
    { vessel: 'list:FEEDERS', at: 'Rotterdam' },
    { watched_vessels: 'list:FEEDERS', watched_port: 'NLRTM' },
  ],
  [{ port: 'Rotterdam' }, { watched_vessels: null, watched_port: 'NLRTM' }],
])('the watch of %j is listed with what stops it', async (input, subject) => {
  await call('watch_add', input);
  const watches = expect.arrayContaining([expect.objectContaining(subject)]);
  expect(await call('watch_list', {})).toMatchObject({ tables: { watches } });
  const { watched_vessels: vessel, watched_port: port } = subject;
  const fields = vessel === null ? { port } : { vessel, at: port };
  expect(await call('watch_stop', fields)).toMatchObject({ stopped: [expect.any(String)] });
  expect(await call('watch_list', {})).toMatchObject({ tables: { watches: [] } });
});

test('what has changed for the watched vessels, with both predictions', async () => {
  const { fixture } = commands;
  fixture.clock.hours = -30;
  await call('watch_add', { vessel: cypress });
  await fixture.at(-20, { [cypress]: { NLRTM: [0.8, 60] } });
  await fixture.at(8, { [cypress]: { BEANR: [0.86, 100], NLRTM: [0.1, 60] } });
  expect(await call('watch_changes', { since: 'yesterday' })).toMatchObject({
    verdict:
      'DS CYPRESS: diverted to Antwerp · Rotterdam 80% → Antwerp 86%, Wed 05:00 LT · since the first check on record, Fri 20 Nov 05:00',
    tables: {
      'watch-changes': [
        {
          ...{ imo: cypress, vessel: 'DS CYPRESS', severity: 'act', change: 'diverted', alerts: 0 },
          ...{ was_port: 'NLRTM', was_probability: 0.8, was_eta: '2026-11-23T12:00:00Z' },
          ...{ port: 'BEANR', probability: 0.86, eta: '2026-11-25T04:00:00Z', expected_at: null },
        },
      ],
    },
    notes: expect.arrayContaining(['predicted, not reported']),
    provenance: { fetchedAt: '2026-11-21T08:00:00Z' },
    page: { total: 1 },
  });
  expect(await call('watch_changes', { since: 'yesterday', port: 'Hamburg' })).toMatchObject({
    verdict: 'No watched vessel is expected at Hamburg',
  });
  expect(await call('watch_changes', { vessel: '9461477, 9755933' })).toMatchObject({
    compared: 1,
    unwatched: ['MSC DIANA'],
  });
  expect(await call('watch_list', {})).toMatchObject({
    tables: { watches: [{ imo: cypress, port: 'BEANR', probability: 0.86 }] },
  });
});

test("a watch in a channel is listed for its owner only, and can't be stopped from here", async () => {
  await commands.answer('watch 9461477');
  expect(await call('watch_list', {})).toMatchObject({ tables: { watches: [{ is_in_channel: true }] } });
  await expect(call('watch_stop', { vessel: 9461477 })).rejects.toThrow(UserError);
  const other = { actor: { userId: 'U0OTHER', isAdmin: false, zone: 'UTC' }, place };
  const theirs = await commands.call('watch_list', {}, other);
  expect(theirs.output(reader)).toMatchObject({ tables: { watches: [] } });
});

test('of a watched vessel: the history of its prediction, and how long it held, by call, vessel or lane', async () => {
  // A call at Hamburg, one at Rotterdam that was the likeliest all the time, then the next leg.
  const { fixture } = commands;
  fixture.clock.hours = -60;
  await call('watch_add', { vessel: cypress });
  await fixture.at(-55, { [cypress]: { DEHAM: [0.9, -50] } });
  await fixture.at(-50, { [cypress]: { NLRTM: [0.8, -22] } });
  for (let at = -44; at < -20; at += 6) await fixture.at(at, { [cypress]: { NLRTM: [0.8, -20] } });
  await fixture.at(-20, { [cypress]: { GBFXT: [0.7, 40] } });
  expect(await call('nextport_history', { vessel: cypress })).toMatchObject({
    tables: {
      'next-port-history': [
        { imo: cypress, vessel: 'DS CYPRESS', port: 'GBFXT', probability: 0.7 },
        { port: 'NLRTM', eta: '2026-11-20T04:00:00Z' },
        { port: 'NLRTM', eta: '2026-11-20T02:00:00Z' },
        { port: 'DEHAM', probability: 0.9 },
      ],
    },
    notes: expect.arrayContaining(['predicted, not reported', expect.stringMatching(/^Stability: /)]),
    page: { total: 4 },
  });
  const toRotterdam = {
    ...{ imo: cypress, previous_port: 'DEHAM', port: 'NLRTM', last_eta: '2026-11-20T04:00:00Z' },
    ...{ before_48h_port: null, before_24h_port: 'NLRTM', before_24h_probability: 0.8, stayed_24h: true },
  };
  expect(await call('watch_stability', { vessel: cypress })).toMatchObject({
    verdict: 'DS CYPRESS: 2 calls ended while watched, none followed for 48 h',
    tables: { 'finished-calls': [toRotterdam, { previous_port: null, port: 'DEHAM' }] },
    notes: expect.arrayContaining(['stability, not accuracy']),
    page: { total: 2 },
  });
  const figures = { stayed_24h: 1, known_24h: 1, stayed_48h: 0, known_48h: 0, calls: 2 };
  expect(await call('watch_stability', {})).toMatchObject({
    tables: { stability: [{ imo: cypress, vessel: 'DS CYPRESS', origin: null, ...figures }] },
    page: { total: 1 },
  });
  expect(await call('watch_stability', { origin: 'Hamburg', destination: 'Rotterdam' })).toMatchObject({
    tables: { 'finished-calls': [toRotterdam] },
  });
});
