import { expect, test } from 'vitest';
import type { AskCtx, WorkCtx } from '../../../src/features/ctx.ts';
import { pausableDigests } from '../../../src/features/digests/digests.ts';
import { pausing } from '../../../src/features/owned/pausing.ts';
import type { Pausable } from '../../../src/features/services.ts';
import { pausableWatches } from '../../../src/features/watches/index.ts';
import type { OutboxRow } from '../../../src/outbox/outgoing-message.ts';

const resumed: string[] = [];
/** That many paused things in each channel. Resuming one records it. */
const resumes = (part: Omit<Pausable, 'resume' | 'end'>, count: number): Pausable => ({
  end: async () => undefined,
  ...part,
  findPaused: async (_, { ownerId, channelId }) =>
    Array.from({ length: count }, (_, index) => ({
      id: `${part.noun.singular} ${index} of ${ownerId} in ${channelId}`,
      title: '',
      ownerId,
      isPersonal: false,
      notice: { message: { kind: 'notice' } },
    })),
  async resume(id, { userId }) {
    resumed.push(`${id} by ${userId}`);
  },
});
const watches = {
  ...pausableWatches,
  handOver: async () => undefined,
  getTitles: async (things: readonly { id: string; title: string }[]) =>
    things.map(({ id, title }) => (id === 'w1' ? 'NEW NAME' : title)),
};
const pausables = [resumes(watches, 2), resumes(pausableDigests, 1)];
/** The store is only handed on. */
const ctx = {
  services: { now: () => new Date(0), source: 'service' },
  registry: { pausables },
} as unknown as WorkCtx;

const where = { kind: 'channel-notice', channelId: 'C1', reason: 'is_archived' };

async function shown(payload: object) {
  const [notice] = pausing.outgoing ?? [];
  // Only its payload is read.
  const delivery = await notice?.open({ payload } as OutboxRow, ctx);
  if (delivery?.operation !== 'post') throw new Error('a notice is posted');
  return delivery.render();
}

test('lists paused things with their current titles', async () => {
  const things = [
    { what: 'watch', id: 'w1', title: 'IMO 9461477' },
    { what: 'digest', id: 'd1', title: 'Morning' },
    { what: 'watch', id: 'w2', title: 'of old' },
  ];
  const { text, blocks } = await shown({ ...where, things });
  expect(text).toMatchInlineSnapshot(
    `"Your 2 watches and 1 digest in <#C1> are paused: the channel is archived. Watches: NEW NAME · of old. Digests: Morning. Unarchive it and press Resume all, or start again in another channel. Their messages wait until then, and they make no API calls meanwhile."`,
  );
  expect(JSON.stringify(blocks)).toContain('Watches: NEW NAME · of old');
  expect(JSON.stringify(blocks)).toContain('Digests: Morning');
});

test('resumes all things of a person, beginning with those that check the channel', async () => {
  const [resumeAll] = pausing.actions ?? [];
  const actor = { userId: 'U1', isAdmin: false };
  // Only these are read.
  const asked = { actor, place: { channelId: 'D1', isDm: true }, now: () => new Date(0), source: 'service' };
  const context = { ...ctx, ...asked } as unknown as AskCtx;
  const message = await resumeAll?.run('C1', context as Parameters<typeof resumeAll.run>[1]);
  expect(resumed).toEqual([
    'digest 0 of U1 in C1 by U1',
    'watch 0 of U1 in C1 by U1',
    'watch 1 of U1 in C1 by U1',
  ]);
  expect(message?.text).toContain('Resumed: 3 of yours in <#C1>');
});
