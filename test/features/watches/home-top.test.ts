import { createViewReader } from 'bolt-playground/checks';
import { describe, expect, it } from 'vitest';
import { homeBlocks } from '../../../src/answers/slack/render.ts';
import type { AlertOfWatch } from '../../../src/features/alerts/alert.ts';
import type { AskCtx } from '../../../src/features/ctx.ts';
import type { WatchWithSubjects } from '../../../src/features/polling/watch-list.ts';
import { drawTop, homeTopView } from '../../../src/features/watches/home.ts';
import { homeText, lineOf } from '../../support/answer-message.ts';
import { blockLines } from '../../support/message-text.ts';
import { runContext } from '../../support/run-command.ts';
import { now, reader } from '../../support/view-fixtures.ts';
import { cypress, diana, given } from '../../support/watch-story.ts';
import {
  alert,
  antwerp,
  at,
  changed,
  followedSubject,
  names,
  notifiedRotterdam,
  rotterdam,
  vesselState,
  vesselsState,
  watch,
} from '../../support/watch-view-fixtures.ts';

const needed = (more: Partial<AlertOfWatch> = {}): AlertOfWatch => ({
  alert: alert({ at: at('21T08:50'), events: [changed] }),
  title: 'DS CYPRESS',
  channelId: 'C0WATCHED1',
  isPersonal: false,
  ts: '1',
  isOwn: true,
  isAssigned: false,
  ...more,
});
const minor = alert({
  at: at('21T09:00'),
  events: [{ kind: 'eta-slipped', imo: diana, was: notifiedRotterdam, now: rotterdam }],
});
const calls = (eta: Date | null, more: Parameters<typeof vesselState>[0] = {}) => {
  const state = vesselState({ ...more, baseline: { ...rotterdam, eta, at: now } });
  return [
    followedSubject({
      subject: { kind: 'vessel', imo: diana },
      state: vesselsState({ [diana]: state }),
    }),
  ];
};

/** The top of the Home tab, for the owner of these watches, who has these alerts to look at. */
async function read(watches: readonly WatchWithSubjects[], alerts: readonly AlertOfWatch[] = [], more = 0) {
  const linkTo = async ({ ts }: { ts: string }) => `https://acme.slack.com/archives/C1/p${ts}`;
  const ctx = {
    ...runContext(),
    now: () => now,
    vessels: { ...runContext().vessels, ...names },
    // Nothing else of the services is used.
    services: { slack: { messages: { linkTo } } } as unknown as AskCtx['services'],
    registry: { lineOf } as AskCtx['registry'],
  };
  const parts = await drawTop({ watches, alerts, moreAlerts: more }, ctx);
  const blocks = parts.flatMap((part) => homeBlocks(part, { reader, lineOf }));
  if (blocks.length > 0) createViewReader({ refusedTypes: new Set() })({ type: 'home', blocks }, 'home');
  return blocks.flatMap(blockLines).join('\n');
}

describe('the top of the Home tab', () => {
  it('shows what nobody has acknowledged, with the thread, and what is due within 48 h', async () => {
    const alerted = watch();
    const soon = watch({ id: 'w2', followedSubjects: calls(at('22T14:05')) });
    const past = watch({ id: 'w3', followedSubjects: calls(at('21T05:05')) });
    expect(
      await read(
        [alerted, soon],
        [needed({ isAssigned: true }), needed({ alert: minor, title: 'fleet NORTH', ts: null })],
        2,
      ),
    ).toMatchInlineSnapshot(`
      "# Needs you
      *🔴 DS CYPRESS: Rotterdam → Antwerp 80%, Rotterdam 15%*
      Assigned to you · Sat 21 Nov 08:50 UTC · in <#C0WATCHED1> · <https://acme.slack.com/archives/C1/p1|Open the thread>
      *🟠 MSC DIANA: ETA Rotterdam 0 min earlier, 82%*
      Sat 21 Nov 09:00 UTC · fleet NORTH in <#C0WATCHED1>
      2 more alerts, in the list of watches
      # Next 48 h
      in 22 h · DS CYPRESS → Antwerp 80% · Sun 22 Nov 08:05 LT (07:05 UTC)
      in 1 d 5 h · MSC DIANA → Rotterdam 82% · Sun 22 Nov 15:05 LT (14:05 UTC)"
    `);
    expect(await read([past])).toMatchInlineSnapshot(`
      "# Next 48 h
      🟠 4 h past ETA, still forecast · MSC DIANA → Rotterdam 82% · Sat 21 Nov 06:05 LT (05:05 UTC)"
    `);
  });

  it('leaves out what is further away, unknown, lost, or of an ended watch or a port', async () => {
    const quiet = 'Nothing needs you, and nothing that you watch is due within 48 h';
    const far = calls(at('23T09:06'));
    for (const more of [
      { followedSubjects: far },
      { followedSubjects: calls(null) },
      { followedSubjects: calls(at('22T14:05'), { lost: true }) },
      { followedSubjects: calls(at('22T14:05'), { ended: true }) },
      { followedSubjects: calls(at('22T14:05')), status: 'ended' as const },
    ])
      expect(await read([watch(more)])).toBe(quiet);
    expect(await read([])).toBe('');
  });

  it('shows the calls of vessels that are watched at a port, and the next call at a watched port', async () => {
    const subject = { kind: 'port', port: rotterdam.port } as const;
    const known = { ...rotterdam, at: now, missedPolls: 0 };
    const expected = [
      { imo: given, ...known, eta: at('22T20:05') },
      { imo: diana, ...known, eta: at('22T14:05') },
    ];
    const state = { kind: 'port', snapshotAt: now, stale: false, scale: 'fraction', expected } as const;
    const followedSubjects = [followedSubject({ subject, state })];
    const condition = { port: subject.port, imos: [cypress, diana] };
    const own = [followedSubject({ subject, state: { ...state, expected: expected.slice(1) } })];
    expect(await read([watch({ condition, followedSubjects: own })])).toMatchInlineSnapshot(`
      "# Next 48 h
      in 1 d 5 h · MSC DIANA → Rotterdam 82% · Sun 22 Nov 15:05 LT (14:05 UTC)"
    `);
    expect(await read([watch({ followedSubjects })])).toMatch(/^# Next 48 h\n.*MSC DIANA → Rotterdam.*$/);
  });

  it('shows alerts to somebody who owns no watch, and counts a vessel once', async () => {
    expect(await read([], [needed({ isAssigned: true, isOwn: false })])).toContain(
      'Assigned to you · Sat 21 Nov 08:50',
    );
    const two = [1, 2].map((id) => watch({ id: `w${id}`, followedSubjects: calls(at('22T14:05')) }));
    expect((await read(two)).match(/MSC DIANA → Rotterdam/g)).toHaveLength(1);
  });

  it('shows eight calls and how to see the others', () => {
    const calls = Array.from({ length: 10 }, () => {
      return { imo: cypress, next: [antwerp] as const, eta: antwerp.eta };
    });
    const top = homeTopView({ alerts: [], moreAlerts: 0, calls, promises: [] }, { names, now, lineOf });
    expect(homeText(top)).toContain('2 more: `/nextport watched`');
  });
});
