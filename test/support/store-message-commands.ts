import fc from 'fast-check';
import { storeOf } from '../../src/database/workspace-store.ts';
import { PostError, pendingMessage } from '../../src/outbox/outgoing-message.ts';
import {
  channelId,
  command,
  filter,
  idAt,
  idsOf,
  index,
  optional,
  page,
  text,
  userId,
} from './store-command.ts';
import { workspaceId } from './store-engines.ts';

const schedule = fc.constantFrom(
  { days: { kind: 'week', weekdays: [1, 2, 3, 4, 5] }, minutes: [480] } as const,
  { days: { kind: 'month', dates: [31] }, minutes: [0, 720] } as const,
);

export const messageCommands = [
  command(
    'write a message',
    fc.record({
      kind: fc.constantFrom('reply', 'card', 'notice', 'digest', 'of a later version'),
      thread: index,
      goesBefore: optional(index),
      channelId,
      isInChannel: fc.boolean(),
      body: fc.jsonValue(),
    }),
    async (world, { kind, thread, goesBefore, body, ...message }) => {
      const threads = [...(await idsOf(world, 'watches')), ...(await idsOf(world, 'digests'))];
      const row = pendingMessage({
        ...message,
        id: world.newId(),
        threadKey: threads[thread] ?? null,
        message: { kind, ...{ body } },
        now: world.now(),
        dueAt: new Date(world.realNow()),
      });
      const goes_before = goesBefore === undefined ? null : await idAt(world, 'outbox', goesBefore);
      await storeOf(world.database.db, workspaceId)
        .insertInto('outbox', { ...row, goes_before })
        .execute();
    },
  ),
  command(
    'send',
    fc.constantFrom('sent', 'sent', 'cut', 'error', 'is_archived', 'ratelimited'),
    async (world, fate) => {
      world.slack.onPost = () => {
        if (fate === 'sent' || fate === 'cut') return fate === 'cut' ? fate : undefined;
        if (fate === 'error') return new Error('socket hang up');
        const isLimited = fate === 'ratelimited';
        return new PostError({
          code: fate,
          isPermanent: !isLimited,
          ...(isLimited && { retryAfterMs: 3_000 }),
        });
      };
      const report = await world.outbox.runDue(world.now());
      return [report, world.slack.posted.map(({ id, ts }) => [id, ts]), world.slack.lookups];
    },
  ),
  command('a channel is gone', channelId, (world, channel) =>
    world.pausing.markUnavailable({
      channelId: channel,
      code: 'not_in_channel',
      now: world.now(),
      realNow: new Date(world.realNow()),
    }),
  ),
];

export const digestCommands = [
  command(
    'add a digest',
    fc.record({
      id: optional(fc.constantFrom('given-1', 'given-2')),
      channelId,
      ownerId: userId,
      title: text,
      lines: fc.array(text, { minLength: 1, maxLength: 3 }),
      schedule,
      onlyNews: fc.boolean(),
    }),
    (world, { id, ...digest }) =>
      world.digests.create(
        {
          ...digest,
          ...(id !== undefined && { id }),
          destination: 'channel',
          zone: 'Europe/Berlin',
        },
        world.by(),
      ),
  ),
  command(
    'change a digest',
    fc.record({
      at: index,
      change: fc.record(
        { title: text, lines: fc.array(text), schedule, onlyNews: fc.boolean() },
        { requiredKeys: [] },
      ),
    }),
    async (world, { at, change }) =>
      world.digests.change(await idAt(world, 'digests', at), change, world.by()),
  ),
  command(
    'act on a digest',
    fc.record({ at: index, how: fc.constantFrom('pause', 'resume', 'remove', 'restore', 'runNow') }),
    async (world, { at, how }) => {
      const id = await idAt(world, 'digests', at);
      return how === 'runNow' ? world.digests.runNow(id, world.now()) : world.digests[how](id, world.by());
    },
  ),
  command(
    'list digests',
    fc.record({ filter, page, isRemoved: fc.boolean(), channelId }),
    async ({ digests: store }, { filter: scope, page: options, isRemoved, channelId: channel }) => [
      await store.list({ ...scope, isRemoved }, options),
      await store.lastNumber({ channelId: channel }),
    ],
  ),
];
