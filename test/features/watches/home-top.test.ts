import { describe, expect, it } from 'vitest';
import { homeTopView, watchesHomeTop } from '../../../src/features/watches/home-top.ts';
import type { WatchService } from '../../../src/features/watches/service/watch-service.ts';
import type { WatchWithSubjects } from '../../../src/features/watches/store/watch-list.ts';
import { createViewReader } from '../../../src/playground/blocks/view-checks.ts';
import { blockLines } from '../../support/message-text.ts';
import { runContext } from '../../support/run-command.ts';
import { now, reader } from '../../support/view-fixtures.ts';
import { cypress } from '../../support/watch-story.ts';
import {
  antwerp,
  at,
  changed,
  diana,
  followedSubject,
  names,
  notifiedRotterdam,
  openAlert,
  rotterdam,
  vesselState,
  vesselsState,
  watch,
} from '../../support/watch-view-fixtures.ts';

const news = openAlert({ at: at('21T08:50'), events: [changed] });
const calls = (eta: Date | null, more: Parameters<typeof vesselState>[0] = {}) => {
  const state = vesselState({ ...more, baseline: { ...rotterdam, eta, at: now } });
  return [
    followedSubject({
      subject: { kind: 'vessel', imo: diana },
      state: vesselsState({ [diana]: state }),
    }),
  ];
};

/** The top of the Home tab of somebody who owns these watches. */
async function read(watches: readonly WatchWithSubjects[]) {
  const asked: unknown[] = [];
  const list: WatchService['list'] = async (scope, _, page) => {
    asked.push(scope, page.withLatest);
    return {
      watches: [...watches],
      total: watches.length,
      plan: { plannedCalls: 0, dailyCalls: undefined, stretch: 1 },
    };
  };
  const linkTo = async ({ ts }: { ts: string }) => `https://acme.slack.com/archives/C1/p${ts}`;
  const context = {
    ...runContext(),
    now: () => now,
    vessels: { ...runContext().vessels, ...names },
    place: { channelId: 'U1', destination: 'response' as const },
  };
  const blocks = await watchesHomeTop({ list }, { linkTo })(context);
  expect(asked).toEqual(['mine', true]);
  if (blocks.length > 0) createViewReader({ refusedTypes: new Set() })({ type: 'home', blocks }, 'home');
  return blocks.flatMap(blockLines).join('\n');
}

describe('the top of the Home tab', () => {
  it('shows what nobody has acknowledged, with the thread, and what is due within 48 h', async () => {
    const alerted = watch({ ...news, cardTs: '1' });
    const soon = watch({ id: 'w2', followedSubjects: calls(at('22T14:05')) });
    const past = watch({ id: 'w3', followedSubjects: calls(at('21T05:05')) });
    expect(await read([alerted, soon])).toMatchInlineSnapshot(`
      "# Needs you
      🔴 *DS CYPRESS: Rotterdam → Antwerp, 80%*
      Sat 21 Nov 08:50 UTC · in <#C0WATCHED1> · <https://acme.slack.com/archives/C1/p1|Open the thread>
      # Next 48 h
      in 22 h · DS CYPRESS → Antwerp 80% · Sun 22 Nov 08:05 LT (07:05 UTC)
      in 1 d 5 h · MSC DIANA → Rotterdam 82% · Sun 22 Nov 15:05 LT (14:05 UTC)"
    `);
    expect(await read([past])).toMatchInlineSnapshot(`
      "# Next 48 h
      🟠 4 h past ETA, still forecast · MSC DIANA → Rotterdam 82% · Sat 21 Nov 06:05 LT (05:05 UTC)"
    `);
  });

  it('leaves out what is acknowledged, further away, unknown, lost, or of an ended watch or a port', async () => {
    const quiet = 'Nothing needs you, and none of your vessels is due within 48 h';
    const far = calls(at('23T09:06'));
    for (const more of [
      { followedSubjects: far, acknowledgement: { by: 'U1', at: now } },
      { followedSubjects: calls(null) },
      { followedSubjects: calls(at('22T14:05'), { lost: true }) },
      { followedSubjects: calls(at('22T14:05'), { ended: true }) },
      { followedSubjects: calls(at('22T14:05')), status: 'ended' as const },
    ])
      expect(await read([watch(more)])).toBe(quiet);
    expect(await read([])).toBe('');
  });

  it('puts the most urgent alert first, shows five, and counts a vessel once', async () => {
    const event = { kind: 'eta-slipped', imo: diana, was: notifiedRotterdam, now: rotterdam } as const;
    const minor = openAlert({ at: at('21T09:00'), events: [event] });
    const many = Array.from({ length: 7 }, (_, index) =>
      watch({
        id: `w${index}`,
        title: `watch ${index}`,
        ...(index === 6 ? news : minor),
        followedSubjects: calls(at('22T14:05')),
      }),
    );
    const words = await read(many);
    expect(words.indexOf('🔴')).toBeLessThan(words.indexOf('🟠'));
    expect(words).toContain('2 more alerts, in the list of watches');
    expect(words.match(/MSC DIANA → Rotterdam/g)).toHaveLength(1);
  });

  it('shows eight calls and how to see the others', () => {
    const call = { imo: cypress, prediction: antwerp, eta: antwerp.eta };
    const blocks = homeTopView(
      { alerts: [], moreAlerts: 0, calls: Array.from({ length: 10 }, () => call) },
      names,
      reader,
    );
    expect(blocks.flatMap(blockLines).join('\n')).toContain('2 more: `/nextport watched`');
  });
});
