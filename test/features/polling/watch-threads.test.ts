import { beforeEach, describe, expect, it } from 'vitest';
import { storeOf } from '../../../src/database/workspace-store.ts';
import type { WorkCtx } from '../../../src/features/ctx.ts';
import { watchThreads } from '../../../src/features/polling/watch-list.ts';
import type { Imo, Locode } from '../../../src/reference/codes.ts';
import { engines, workspaceId } from '../../support/store-engines.ts';
import { useWatches } from '../../support/use-watches.ts';
import { cypress, diana, given, vessel } from '../../support/watch-story.ts';

describe.each(engines)('the threads of watches, $engine', ({ open }) => {
  const { store, fixture } = useWatches(open);
  const asked: string[] = [];
  const linkTo = async ({ channelId, ts }: { channelId: string; ts: string }) => {
    asked.push(ts);
    return ts === 'gone' ? undefined : `https://acme.slack.com/archives/${channelId}/${ts}`;
  };
  const threads = (imos: readonly Imo[], of = workspaceId) => {
    const services = { store: storeOf(store.database.db, of), slack: { messages: { linkTo } } };
    return watchThreads('C1', imos, { services } as unknown as WorkCtx);
  };
  beforeEach(() => {
    asked.length = 0;
  });

  it('are linked for the vessels that the channel watches, at best in a watch of their own', async () => {
    const both = await fixture.watch([vessel(), vessel(diana)]);
    const own = await fixture.watch([vessel(diana)]);
    await fixture.watch([vessel(given)], { channelId: 'C2' });
    await fixture.watch([{ kind: 'port', port: 'NLRTM' as Locode }]);
    const link = (ts: string | null) => `https://acme.slack.com/archives/C1/${ts}`;
    expect([...(await threads([cypress, diana, given]))]).toEqual([
      [cypress, link(both.cardTs)],
      [diana, link(own.cardTs)],
    ]);
    expect(asked).toHaveLength(2);
    expect(await threads([cypress, diana], 'T2')).toEqual(new Map());
    expect(await threads([])).toEqual(new Map());
  });

  it('cost Slack one question each, and at most 20 in all', async () => {
    const fleet = Array.from({ length: 30 }, (_, index) => (cypress + index) as Imo); // only have to differ
    await fixture.watch(fleet.slice(0, 5).map((imo) => vessel(imo)));
    for (const imo of fleet.slice(5)) await fixture.watch([vessel(imo)]);
    expect((await threads(fleet)).size).toBe(24);
    expect(asked).toHaveLength(20);
  });
});
