import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  causesOf,
  type KnownChannels,
  rowsByCause,
  rowsByChannel,
  sumOf,
} from '../../../../src/features/usage/bot/read-usage.ts';

const everything: KnownChannels = { all: true, channelIds: [] };
const onlyOps: KnownChannels = { all: false, channelIds: ['COPS'] };
const digest = { past: 0, left: 0, callsPerRun: 1 };
const today = {
  subjects: [
    { key: 'vessel 1', name: 'EVER GIVEN', watchedIn: ['COPS', 'CDESK', 'COPS'], callsPerDay: 4 },
    { key: 'vessel 2', name: 'DS CYPRESS', watchedIn: ['CDESK'], callsPerDay: 4 },
    { key: 'vessel 3', name: 'MSC DIANA', watchedIn: [null], callsPerDay: 4 },
    { key: 'shiplist A', name: 'list FEEDERS', watchedIn: ['COPS', null], callsPerDay: 4 },
  ],
  digests: [
    { ...digest, id: 'D1', title: 'Morning', channelId: 'COPS' },
    { ...digest, id: 'D2', title: 'Rates', channelId: 'CDESK' },
    { ...digest, id: 'D3', title: 'Mine', channelId: null },
  ],
};
const counted = [
  { kind: 'watch', key: 'vessel 1', channelId: 'CDESK,COPS', calls: 300 },
  { kind: 'watch', key: 'vessel 1', channelId: 'CDESK', calls: 100 },
  { kind: 'watch', key: 'vessel 2', channelId: 'CDESK', calls: 200 },
  { kind: 'watch', key: 'vessel 3', channelId: null, calls: 100 },
  { kind: 'watch', key: 'shiplist A', channelId: 'COPS', calls: 90 },
  { kind: 'watch', key: 'vessel 9', channelId: 'COPS', calls: 80 },
  { kind: 'command', key: 'nextport', channelId: 'CDESK', calls: 60 },
  { kind: 'command', key: 'nextport', channelId: 'COPS', calls: 50 },
  { kind: 'command', key: 'nextport', channelId: null, calls: 40 },
  { kind: 'command', key: 'lane', channelId: 'CDESK', calls: 30 },
  { kind: 'digest', key: 'D1', channelId: 'COPS', calls: 20 },
  { kind: 'digest', key: 'D2', channelId: 'CDESK', calls: 10 },
  { kind: 'digest', key: 'D3', channelId: null, calls: 9 },
  { kind: 'digest', key: 'D9', channelId: 'COPS', calls: 8 },
  { kind: 'other', key: '', channelId: null, calls: 1 },
] as const;
const causes = causesOf(counted, today);
const shown = (known: KnownChannels) =>
  rowsByCause(causes, known).map(({ what, calls, channelIds }) => `${what} ${calls} ${channelIds}`);
const byChannel = (known: KnownChannels) =>
  rowsByChannel(causes, known).map(({ channel, calls }) => [
    typeof channel === 'string' ? channel : channel.id,
    calls,
  ]);

test('an admin sees every channel, but of nobody else what they watch for themselves', () => {
  expect(shown(everything)).toEqual([
    'EVER GIVEN (3 watches) 400 COPS,CDESK',
    'DS CYPRESS (watch) 200 CDESK',
    '/nextport 150 CDESK,COPS',
    'Personal watches 100 ',
    'List FEEDERS (watch) 90 COPS',
    'Stopped watches 80 ',
    '/lane 30 CDESK',
    'Morning (digest) 20 COPS',
    'Rates (digest) 10 CDESK',
    'Personal digests 9 ',
    'Removed digests 8 COPS',
    'Other 1 ',
  ]);
  expect(byChannel(everything)).toEqual([
    ['CDESK', 400],
    ['Polls shared by several channels', 300],
    ['COPS', 248],
    ['Direct messages', 149],
    ['Other', 1],
  ]);
});

test('somebody who is not in a channel learns neither of it nor of what is watched there', () => {
  expect(shown(onlyOps)).toEqual([
    'EVER GIVEN (2 watches) 300 COPS',
    'Watches in other channels 300 ',
    '/nextport 150 COPS',
    'Personal watches 100 ',
    'List FEEDERS (watch) 90 COPS',
    'Stopped watches 80 ',
    '/lane 30 ',
    'Morning (digest) 20 COPS',
    'Digests in other channels 10 ',
    'Personal digests 9 ',
    'Removed digests 8 COPS',
    'Other 1 ',
  ]);
  expect(byChannel(onlyOps)).toEqual([
    ['COPS', 548],
    ['Other channels', 400],
    ['Direct messages', 149],
    ['Other', 1],
  ]);
});

const channelId = fc.constantFrom('COPS', 'CDESK', 'CRATES', null);
const count = fc.oneof(
  fc.record({ kind: fc.constant('command'), key: fc.constantFrom('nextport', 'lane'), channelId }),
  fc.record({ kind: fc.constant('digest'), key: fc.constantFrom('D1', 'D2', 'D3', 'D9'), channelId }),
  fc.record({
    kind: fc.constant('watch'),
    key: fc.constantFrom('vessel 1', 'vessel 2', 'vessel 3', 'vessel 9'),
    channelId: fc.constantFrom('COPS', 'COPS,CRATES', 'CDESK', null),
  }),
  fc.constant({ kind: 'other', key: '', channelId: null } as const),
);

test('whoever looks: both lists add up to all calls, and name no channel that the reader must not know of', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(count, fc.integer({ min: 1, max: 999 })), { maxLength: 30 }),
      fc.subarray(['COPS', 'CDESK', 'CRATES']),
      (counts, channelIds) => {
        const rows = counts.map(([cause, calls]) => ({ ...cause, calls }));
        const named = causesOf(rows, today);
        const known = { all: false, channelIds };
        expect(sumOf(rowsByCause(named, known))).toBe(sumOf(rows));
        expect(sumOf(rowsByChannel(named, known))).toBe(sumOf(rows));
        const hidden = ['COPS', 'CDESK', 'CRATES'].filter((id) => !channelIds.includes(id));
        const text = JSON.stringify([rowsByCause(named, known), rowsByChannel(named, known)]);
        for (const id of hidden) expect(text).not.toContain(id);
      },
    ),
  );
});

test('what a person may not know of changes no row but those of others', () => {
  const rows = [
    { kind: 'watch', key: 'vessel 1', channelId: 'COPS', calls: 300 },
    { kind: 'watch', key: 'vessel 9', channelId: 'COPS', calls: 80 },
  ] as const;
  const seen = (more: typeof counted | [], watchedIn: (string | null)[]) => {
    const subjects = [
      { key: 'vessel 1', name: 'EVER GIVEN', watchedIn: ['COPS', ...watchedIn], callsPerDay: 4 },
      ...(watchedIn.length > 0 ? [{ key: 'vessel 9', name: 'DS CYPRESS', watchedIn, callsPerDay: 4 }] : []),
    ];
    const all = causesOf([...rows, ...more], { subjects, digests: [] });
    return {
      causes: rowsByCause(all, onlyOps).filter(({ what }) => !/^(?:Personal|Watches in other)/.test(what)),
      channels: rowsByChannel(all, onlyOps).filter(({ channel }) => typeof channel !== 'string'),
    };
  };
  const alone = seen([], []);
  expect(alone.causes).toHaveLength(2);
  const foreign = [
    { kind: 'watch', key: 'vessel 1', channelId: null, calls: 500 },
    { kind: 'watch', key: 'vessel 1', channelId: 'CDESK', calls: 70 },
    { kind: 'watch', key: 'vessel 9', channelId: 'CDESK', calls: 60 },
  ] as const;
  expect(seen(foreign as never, ['CDESK', null])).toEqual(alone);
});
