import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Digest } from '../../../src/features/digests/digest.ts';
import { type HomeAnswer, homeRowsPerPage, homeSections, homeView } from '../../../src/features/home/view.ts';
import { createViewReader } from '../../../src/playground/blocks/view-checks.ts';
import { anImo, aReader, aTime, nasty } from '../../support/answer-arbitraries.ts';
import { blockLines } from '../../support/message-text.ts';
import { cypress, now, reader } from '../../support/view-fixtures.ts';
import { watch } from '../../support/watch-view-fixtures.ts';

const state: HomeAnswer['state'] = {
  version: '1.2.3',
  service: { token: { state: 'live' }, inFlight: 0, queued: 0, lastSuccessAt: now, latencyMs: 12 },
};

const digest: Digest = {
  id: 'd1',
  workspaceId: 'T1',
  channelId: 'C0WATCHED1',
  number: 2,
  ownerId: 'U0WATCHER1',
  chosenBy: 'U0WATCHER1',
  title: 'Morning',
  lines: ['portcalls NLRTM next 3 days', 'usage'],
  schedule: { days: { kind: 'week', weekdays: [1, 2, 3, 4, 5] }, minutes: [480] },
  zone: 'Europe/Berlin',
  onlyNews: false,
  status: 'active',
  pauseReason: null,
  nextRunAt: new Date('2026-11-23T07:00Z'),
  lastRunAt: null,
  missed: null,
  isUndelivered: false,
  createdAt: now,
};

const home = (more: Partial<HomeAnswer> = {}): HomeAnswer => ({
  place: { section: 'watches', scope: 'all', page: 1 },
  totals: { watches: 1, digests: 1, names: 1 },
  watches: [watch()],
  digests: [{ digest, when: 'weekdays 08:00 Europe/Berlin' }],
  names: [{ ...cypress, fleets: ['NORTH'] }],
  state,
  plan: { plannedCalls: 96, dailyCalls: 1_000, stretch: 1 },
  ...more,
});

const read = (answer: HomeAnswer) => homeView(answer, reader).flatMap(blockLines).join('\n');

describe('the Home tab', () => {
  test('watches: what was told, how each stands, and what can be done', () => {
    expect(read(home())).toMatchInlineSnapshot(`
      "[Watch a vessel … → {}] [Plan a digest … → {}] [Name a vessel … → {}]
      (divider)
      [Watches 1 → watches all 1] [Digests 1 → digests all 1] [Vessel names 1 → names all 1]
      *DS CYPRESS* in <#C0WATCHED1> · Antwerp (BEANR) 80 %, Sun 22 Nov 08:05 LT (07:05 UTC)
      by <@U0WATCHER1> · checked 09:05 UTC · next check 09:20 UTC
      [Only mine → watches mine 1]
      (divider)
      *Landfall 1.2.3* · the analytics service answers
      Service: the Vessel Schedule Analytics Service
      Last good call: 09:05 UTC
      Time of the last answer: 12 ms
      Login: logged in
      Calls under way: 0 · waiting: 0
      _all watches together take about 96 calls a day, of a budget of 1,000_"
    `);
  });

  test('digests, and vessel names with their fleets', () => {
    const at = (section: HomeAnswer['place']['section']) =>
      read(home({ place: { section, scope: 'all', page: 1 } })).split('(divider)')[1];
    expect(at('digests')).toMatchInlineSnapshot(`
      "
      [Watches 1 → watches all 1] [Digests 1 → digests all 1] [Vessel names 1 → names all 1]
      *2 Morning* · weekdays 08:00 Europe/Berlin · by <@U0WATCHER1> · in <#C0WATCHED1>
      \`portcalls NLRTM next 3 days\` · \`usage\`
      next Mon 23 Nov 08:00
      [Only mine → digests mine 1]
      "
    `);
    expect(at('names')).toMatchInlineSnapshot(`
      "
      [Watches 1 → watches all 1] [Digests 1 → digests all 1] [Vessel names 1 → names all 1]
      *DS CYPRESS* · IMO 9461477 · fleet NORTH
      "
    `);
  });

  test('a digest says what its readers have not got', () => {
    const missed = { count: 2, first: new Date('2026-11-19T07:00Z'), last: new Date('2026-11-20T07:00Z') };
    const place = { section: 'digests', scope: 'all', page: 1 } as const;
    const digests = [{ digest: { ...digest, missed, isUndelivered: true }, when: 'weekdays 08:00' }];
    expect(read(home({ place, digests }))).toContain(
      'next Mon 23 Nov 08:00 · ⚠ missed: 2 runs from Thu 19 Nov 08:00 to Fri 20 Nov 08:00 · ⚠ its message waits: Slack has not taken it yet',
    );
  });

  test('nothing yet: the first steps; who may not see costs sees none', () => {
    const { plan: _, ...none } = home({ totals: { watches: 0, digests: 0, names: 0 }, watches: [] });
    expect(read(none)).toMatchInlineSnapshot(`
      "*Welcome to Landfall.* Three things to begin with:
      *1 Watch a vessel.* You are told in a thread when its next port or its ETA changes.
      *2 Plan a digest.* The answers that you need each morning, with what is new on top.
      *3 Name a vessel.* Then write its name wherever an IMO number goes.
      _Or ask at once, in any channel:_ \`/nextport 9461477\` · \`/portcalls Rotterdam\` · \`/landfall\` _shows all_
      (divider)
      [Watches 0 → watches all 1] [Digests 0 → digests all 1] [Vessel names 0 → names all 1]
      No watches here yet. For example: \`/watch 9461477\`
      (divider)
      *Landfall 1.2.3* · the analytics service answers
      Service: the Vessel Schedule Analytics Service
      Last good call: 09:05 UTC
      Time of the last answer: 12 ms
      Login: logged in
      Calls under way: 0 · waiting: 0"
    `);
  });

  test('a menu holds what fits the state of its watch', () => {
    const menuOf = (more: Parameters<typeof watch>[0]) => {
      const [row] = homeView(home({ watches: [watch(more)] }), reader).filter(
        ({ type }) => type === 'section',
      );
      const menu = row?.type === 'section' && row.accessory?.type === 'overflow' ? row.accessory.options : [];
      return menu.map(({ text }) => text.text);
    };
    expect(menuOf({ news: { at: now, text: 'x' } as never })).toEqual([
      'Acknowledge',
      'Snooze 1 hour',
      'Edit …',
      'Stop …',
    ]);
    expect(menuOf({ snooze: { kind: 'until-next-port' } })[0]).toBe('Wake now');
    expect(menuOf({ status: 'paused', pauseReason: 'is_archived' })).toEqual(['Resume', 'Edit …', 'Stop …']);
    expect(menuOf({ status: 'ended' })).toEqual(['Stop …']);
  });

  test('Slack takes it, whatever stands in it and however many there are (property)', () => {
    const check = createViewReader({ refusedTypes: new Set() });
    const rows = fc.array(fc.tuple(nasty, anImo, aTime), {
      minLength: homeRowsPerPage,
      maxLength: homeRowsPerPage,
    });
    fc.assert(
      fc.property(
        rows,
        fc.constantFrom(...homeSections),
        fc.constantFrom<'all' | 'mine'>('all', 'mine'),
        fc.integer({ min: 1, max: 42 }),
        aReader,
        (given, section, scope, page, someReader) => {
          const answer = home({
            place: { section, scope, page },
            totals: { watches: 500, digests: 500, names: 100_000 },
            watches: given.map(([title, , at], index) => watch({ id: `w${index}`, title, createdAt: at })),
            digests: given.map(([title], index) => ({
              digest: { ...digest, id: `d${index}`, title, lines: Array.from({ length: 10 }, () => title) },
              when: title.slice(0, 200),
            })),
            names: given.map(([name], index) => ({
              imo: (1_000_000 + index) as typeof cypress.imo,
              name,
              fleets: [name],
            })),
          });
          const blocks = homeView(answer, someReader);
          check({ type: 'home', blocks }, 'home');
          expect(JSON.stringify(blocks)).not.toMatch(/<!(?:channel|here|everyone)/);
        },
      ),
    );
  });
});
