import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { UserError } from '../../../src/errors.ts';
import type { Reader } from '../../../src/messages/message.ts';
import { now } from '../../support/run-command.ts';
import { direct } from '../../support/statements/direct.ts';
import { lineOf, tools } from '../../support/tool-harness.ts';
import { createWatchCommands, type WatchCommands } from '../../support/watch-commands.ts';

const reader: Reader = { now, zone: 'Europe/Berlin', source: 'sandbox', audience: 'private' };

let commands: WatchCommands;
beforeAll(async () => {
  commands = await createWatchCommands();
});
beforeEach(() => commands.reset());
afterAll(() => commands.close());

/** An assistant asks from the person's direct message with the bot. */
const place = { channelId: 'D0WATCHER1', destination: 'direct-message' as const };
const call = async (name: string, input: object) =>
  (await commands.call(name, input, { place })).output(reader);

test('each says what it does: adding is no reading, stopping ends something', () => {
  const effects = tools
    .filter(({ name }) => name.startsWith('watch'))
    .map(({ name, effect, needsSlack }) => [name, effect, needsSlack]);
  expect(effects).toEqual([
    ['watch_add', 'adds', true],
    ['watch_stop', 'removes', true],
    ['watch_list', 'reads', true],
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
    ['watch_stop', {}],
    ['watch_stop', { vessel: 'all' }],
    ['watch_stop', { vessel: 'all yes' }],
    ['watch_stop', { vessel: '9461477 yes' }],
    ['watch_stop', { vessel: '9461477 in <#C0WATCHED1|ops>' }],
  ])('of %s %j is refused, since a field holds more than it should, or none is right', (name, input) => {
    expect(() => lineOf(name, input)).toThrow(UserError);
  });
});

test('a watch is added for the person alone, listed, and stopped', async () => {
  expect(await call('watch_add', { vessel: 9461477, rules: 'eta 6h', dryRun: true })).toMatchObject({
    outcome: 'would-be-added',
    watch: 'DS CYPRESS',
    callsPerMonth: expect.any(Number),
    invented: true,
  });
  expect(await call('watch_list', {})).toMatchObject({ watches: [], total: 0 });
  expect(await call('watch_add', { vessel: 9461477 })).toMatchObject({ outcome: 'added' });
  expect(await call('watch_add', { vessel: 9461477 })).toMatchObject({ outcome: 'same' });
  expect(await call('watch_add', { port: 'Rotterdam' })).toMatchObject({ outcome: 'added' });
  const listed = await call('watch_list', {});
  expect(listed).toMatchObject({
    note: 'predicted, not reported',
    watches: [
      { watch: 'DS CYPRESS', status: 'active', isInChannel: false, vessels: [{ imo: 9461477, call: null }] },
      { watch: 'port Rotterdam (NLRTM)', vessels: [] },
    ],
    total: 2,
  });
  const stored = await direct(commands.db).selectFrom('watches').select(['channel_id', 'owner_id']).execute();
  const own = { channel_id: place.channelId, owner_id: 'U0WATCHER1' };
  expect(stored).toEqual([own, own]);
  expect(await call('watch_stop', { vessel: 9461477 })).toMatchObject({ stopped: ['DS CYPRESS'] });
  expect(await call('watch_list', {})).toMatchObject({ total: 1 });
  await expect(call('watch_stop', { vessel: 9461477 })).rejects.toThrow('No watch here is for DS CYPRESS.');
});

test("a watch in a channel is listed for its owner only, and can't be stopped from here", async () => {
  await commands.answer('watch 9461477');
  expect(await call('watch_list', {})).toMatchObject({ watches: [{ isInChannel: true }], total: 1 });
  await expect(call('watch_stop', { vessel: 9461477 })).rejects.toThrow(UserError);
  const other = { actor: { userId: 'U0OTHER', isAdmin: false, zone: 'UTC' }, place };
  const theirs = await commands.call('watch_list', {}, other);
  expect(theirs.output(reader)).toMatchObject({ total: 0 });
});
