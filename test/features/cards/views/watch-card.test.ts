import { describe, expect, test } from 'vitest';
import type { Reader } from '../../../../src/answers/message.ts';
import { cardAnswer, stoppedCardAnswer } from '../../../../src/features/cards/views/card.ts';
import type { WatchWithSubjects } from '../../../../src/features/polling/watch-list.ts';
import type { Dispute, WatchState } from '../../../../src/features/rules/evaluation/state.ts';
import type { WatchEvent } from '../../../../src/features/rules/list.ts';
import { chooseRules, type WatchNames } from '../../../../src/features/rules/registry.ts';
import type { Prospect } from '../../../../src/reference/prediction.ts';
import { replyMessage } from '../../../support/answer-message.ts';
import { asRead, blockLines } from '../../../support/message-text.ts';
import { slackFaults } from '../../../support/slack-faults.ts';
import { now, reader } from '../../../support/view-fixtures.ts';
import { cypress, diana } from '../../../support/watch-story.ts';
import {
  alert,
  antwerp,
  at,
  changed,
  followedSubject,
  names,
  notifiedRotterdam,
  openAlert,
  port,
  rotterdam,
  vesselState,
  vesselsState,
  watch,
} from '../../../support/watch-view-fixtures.ts';

const inChannel = { ...reader, audience: 'channel' } as const;
const cardMessage = (
  one: WatchWithSubjects,
  known: WatchNames,
  who: Reader,
  options?: Parameters<typeof cardAnswer>[3],
) => replyMessage(cardAnswer(one, known, who, options), who);
const read = (more: Partial<WatchWithSubjects> = {}, who: Reader = inChannel) => {
  const message = cardMessage(watch(more), names, who);
  expect(slackFaults(message)).toEqual([]);
  return asRead(message);
};
const news = openAlert({ at: now, events: [changed] });
const portState = (expected: Extract<WatchState, { kind: 'port' }>['expected']) =>
  ({ kind: 'port', snapshotAt: now, stale: false, scale: 'fraction', expected }) as const;
/** A vessel with this latest answer, the likeliest port first. */
const answeredWith = (...ranked: Prospect[]) => followedSubject({ latest: new Map([[cypress, ranked]]) });

describe('the card of one vessel', () => {
  test('offers its map where there are maps, once it has predictions', () => {
    const mapIn = (more: Partial<WatchWithSubjects>, hasMaps: boolean) =>
      asRead(cardMessage(watch(more), names, inChannel, { hasMaps })).includes(
        '| Map → nextport 9461477 map |',
      );
    expect(mapIn({}, true)).toBe(true);
    expect(mapIn({}, false)).toBe(false);
    expect(mapIn({ followedSubjects: [followedSubject({ state: null, polledAt: null })] }, true)).toBe(false);
    expect(mapIn({ followedSubjects: [followedSubject(), followedSubject()] }, true)).toBe(false);
  });

  test('shows the figures of the latest answer, and the notified ones if they differ', () => {
    const state = vesselsState({ [cypress]: vesselState({ baseline: notifiedRotterdam }) });
    const answered = (...ranked: Prospect[]) =>
      read({ followedSubjects: [followedSubject({ state, latest: new Map([[cypress, ranked]]) })] });
    const now = { ...rotterdam, probability: 0.78, eta: at('23T16:30') };
    expect(answered(now)).toContain(
      '┃ Was Rotterdam 82%, ETA Mon 23 Nov 15:05 LT (14:05 UTC), as of Sat 21 Nov 07:00 UTC\n',
    );
    expect(answered({ ...rotterdam, eta: at('23T14:06') })).not.toContain('Was');
    expect(answered({ ...rotterdam, eta: at('23T13:36') })).not.toContain('Was');
    expect(answered({ ...rotterdam, eta: at('23T14:35') })).toContain(
      '┃ Was ETA Mon 23 Nov 15:05 LT (14:05 UTC), as of Sat 21 Nov 07:00 UTC\n',
    );
    const slightly = answered({ ...rotterdam, probability: 0.78, eta: at('23T14:06') });
    expect(slightly).toContain('┃ Was Rotterdam 82%, as of Sat 21 Nov 07:00 UTC\n');
    expect(answered({ ...antwerp, probability: 0.84 }, now)).toContain(
      '┃ 🟠 DS CYPRESS → Antwerp 84%\n┃ Sun 22 Nov 08:05 LT (07:05 UTC) · in\u00a022\u00a0h · IMO 9461477\n┃ Was Rotterdam 82%, ETA Mon 23 Nov 15:05 LT (14:05 UTC), as of Sat 21 Nov 07:00 UTC\n',
    );
    expect(answered()).toContain('these figures are from Sat 21 Nov 07:00 UTC');
  });

  describe('in a dispute', () => {
    const hamburg = { ...rotterdam, port: port('DEHAM') };
    const inDispute = (dispute: Partial<Dispute>, ...ranked: (typeof rotterdam)[]) => {
      const ports = { port: port('NLRTM'), rival: port('BEANR'), leader: port('BEANR') };
      const times = { since: at('21T08:00'), ledSince: at('21T08:00') };
      const open = { ...ports, ...times, was: notifiedRotterdam, shown: [rotterdam], ...dispute };
      const state = vesselsState({
        [cypress]: vesselState({
          baseline: notifiedRotterdam,
          dispute: { kind: 'undecided', ...open },
        }),
      });
      const text = read({
        followedSubjects: [followedSubject({ state, latest: new Map([[cypress, ranked]]) })],
      });
      return text.split('\n').filter((line) => line.startsWith('┃'));
    };
    const as = (probability: number, one: typeof rotterdam) => ({ ...one, probability });

    test('the headline says so, and names the port that leads first', () => {
      expect(inDispute({}, as(0.51, antwerp), as(0.47, rotterdam))).toEqual([
        '┃ 🟠 DS CYPRESS · Undecided: Antwerp 51% or Rotterdam 47%',
        '┃ Sun 22 Nov 08:05 LT (07:05 UTC) or Mon 23 Nov 15:05 LT (14:05 UTC) · IMO 9461477',
        '┃ Undecided since Sat 21 Nov 08:00 UTC',
      ]);
    });

    test('also while one of both leads clearly, but not for long enough', () => {
      const [title] = inDispute({}, as(0.6, antwerp), as(0.3, rotterdam));
      expect(title).toBe('┃ 🟠 DS CYPRESS · Undecided: Antwerp 60% or Rotterdam 30%');
    });

    test('but not if a third port leads', () => {
      expect(inDispute({}, as(0.6, hamburg), as(0.3, rotterdam))).toEqual([
        '┃ 🟠 DS CYPRESS → Hamburg 60%',
        expect.anything(),
        '┃ Undecided between Rotterdam and Antwerp since Sat 21 Nov 08:00 UTC',
      ]);
    });

    test('of a port that is unlikely', () => {
      const unlikely = { kind: 'unlikely', below: 0.5 } as const;
      expect(inDispute(unlikely, as(0.496, rotterdam), as(0.3, antwerp))).toEqual([
        '┃ 🟠 DS CYPRESS → Rotterdam 49.6%, under 50%',
        expect.anything(),
        '┃ Fell under 50% on Sat 21 Nov 08:00 UTC',
      ]);
      expect(inDispute(unlikely, as(0.56, rotterdam))).toEqual([
        '┃ 🟠 DS CYPRESS → Rotterdam 56%',
        expect.anything(),
        '┃ Fell under 50% on Sat 21 Nov 08:00 UTC',
      ]);
    });
  });

  test('paused, ended, stale, without a prediction', () => {
    const paused = read({ status: 'paused', pauseReason: 'is_archived' });
    expect(paused).toContain('┃ Paused: the channel is archived. Unarchive it and press Resume, or start');
    expect(paused).toContain('\n[Resume → w1] [History');
    expect(read({ status: 'paused', pauseReason: 'some_new_code' })).toContain('(some_new_code)');
    expect(read({ status: 'ended', ...news })).toContain('[Acknowledge → w1]');
    const stale = followedSubject({
      state: vesselsState({ [cypress]: vesselState() }, { stale: true }),
      polledAt: at('20T22:00'),
      failingSince: at('20T22:15'),
    });
    expect(read({ followedSubjects: [stale] })).toContain(
      '┃ The analytics service does not answer; these figures are from Fri 20 Nov 22:00 UTC',
    );
    const lost = vesselsState({ [cypress]: vesselState({ lost: true }) });
    expect(read({ followedSubjects: [followedSubject({ state: lost })] })).toContain(
      '┃ No prediction any more: these are the last figures',
    );
    const nothing = vesselsState({ [cypress]: vesselState({ baseline: null, lost: true }) });
    expect(read({ followedSubjects: [followedSubject({ state: nothing })] })).toContain(
      '┃ DS CYPRESS: no prediction now\n┃ IMO 9461477\n┃ Fishing vessels, tugs and pilot boats are not covered\n',
    );
  });

  test('an ETA that has passed, from the first minute', () => {
    const passed = (eta: Date) => {
      const state = vesselsState({ [cypress]: vesselState({ baseline: { ...antwerp, eta, at: now } }) });
      const latest = new Map([[cypress, [{ ...antwerp, eta }]]]);
      return read({ followedSubjects: [followedSubject({ state, latest })] });
    };
    expect(passed(at('21T09:04'))).toContain(
      '┃ 🟠 DS CYPRESS → Antwerp 80%\n┃ Sat 21 Nov 10:04 LT (09:04 UTC) · past\u00a0ETA, still forecast · IMO 9461477\n',
    );
    expect(passed(at('21T03:05'))).toContain('6\u00a0h\u00a0past\u00a0ETA, still forecast');
    expect(passed(at('21T09:06'))).toContain('┃ DS CYPRESS → Antwerp 80%\n');
  });

  test('how far the ETA is ahead, only while the next poll comes before that is wrong', () => {
    const polledAt = (nextPollAt: Date, more = {}) =>
      read({ followedSubjects: [followedSubject({ nextPollAt })], ...more });
    expect(polledAt(at('21T10:05'))).toContain(' · in\u00a022\u00a0h · ');
    expect(polledAt(at('21T10:06'))).not.toContain('22\u00a0h');
    expect(polledAt(at('21T09:20'), { status: 'paused' })).not.toContain('22\u00a0h');
  });

  test('lines that do not fit into the card stand below it', () => {
    const due = Array.from({ length: 5 }, (_, day) => ({ port: port('BEANR'), at: at(`${22 + day}T06:00`) }));
    const followedSubjects = [answeredWith(antwerp)];
    const { blocks } = cardMessage(
      watch({ rules: chooseRules({ due }), followedSubjects, ...news }),
      names,
      inChannel,
    );
    const [card, below] = blocks.map((block) => blockLines(block).join('\n'));
    expect(card?.split('\n').slice(2)).toEqual([
      '┃ Not acknowledged: Rotterdam → Antwerp 80%, Rotterdam 15%',
      'Antwerp by Sun 22 Nov 07:00 LT (06:00 UTC): 🟠 1 h 5 min late',
      'Antwerp by Mon 23 Nov 07:00 LT (06:00 UTC): in time, 22 h to spare',
    ]);
    expect(below?.split('\n')).toHaveLength(3);
  });

  test('a due date, and whether the latest answer meets it, even if it was late from the start', () => {
    const rules = chooseRules({ due: [{ port: port('BEANR'), at: at('22T06:30') }] });
    const answered = (...ranked: Prospect[]) => read({ rules, followedSubjects: [answeredWith(...ranked)] });
    expect(answered(antwerp)).toContain('┃ Antwerp by Sun 22 Nov 07:30 LT (06:30 UTC): 🟠 35 min late\n');
    const unlikely = answered({ ...rotterdam, probability: 0.55 }, { ...antwerp, probability: 0.4 });
    expect(unlikely).toContain(': 🔴 at risk, Rotterdam is likelier (55%)\n');
    expect(unlikely).toContain('┃ 🔴 DS CYPRESS → Rotterdam 55%\n');
    expect(answered()).toContain('(06:30 UTC): no prediction now');
    const key = `BEANR ${at('22T06:30').toISOString()}`;
    const memory = { due: { [key]: { lateArmed: true, unlikelyArmed: false, eta: now } } };
    const state = vesselsState({ [cypress]: vesselState({ memory }) });
    const called = followedSubject({ state, latest: new Map([[cypress, [rotterdam]]]) });
    expect(read({ rules, followedSubjects: [called] })).toContain(
      '(06:30 UTC): no longer predicted, at about its ETA\n',
    );
    const both = [
      answeredWith(antwerp),
      followedSubject({ subject: { kind: 'vessel', imo: diana }, latest: new Map([[diana, [rotterdam]]]) }),
    ];
    expect(read({ rules, followedSubjects: both })).toContain(
      'DS CYPRESS at Antwerp by Sun 22 Nov 07:30 LT (06:30 UTC): 🟠 35 min late, ETA Sun 22 Nov 08:05, 80%',
    );
    const readPast = (time: string) =>
      read({
        rules: chooseRules({ due: [{ port: port('BEANR'), at: at(time) }] }),
        followedSubjects: [answeredWith(antwerp)],
      });
    expect(readPast('20T09:06')).toContain('🟠 1 d 21 h late');
    expect(readPast('20T09:05')).not.toMatch(/ by |🟠/);
    const due = Array.from({ length: 9 }, (_, day) => ({ port: port('BEANR'), at: at(`${22 + day}T00:00`) }));
    const crowded = read({ rules: chooseRules({ due }), followedSubjects: [answeredWith(antwerp)] });
    expect(crowded).toContain('… and 4 more promises');
  });
});

describe('other cards', () => {
  test('a table of several vessels, by ETA', () => {
    const both = vesselsState({
      [cypress]: vesselState({ baseline: notifiedRotterdam }),
      [diana]: vesselState({ baseline: { ...antwerp, at: now } }),
      9811000: vesselState({ baseline: null, lost: true }),
    });
    const list = followedSubject({ subject: { kind: 'shiplist', name: 'NORTH "A"' }, state: both });
    const shown = read({ title: 'list NORTH "A"', followedSubjects: [list], ...news });
    expect(shown).toContain(
      '*🔴 List NORTH "A": 3 vessels* · next MSC DIANA → Antwerp 80%, Sun 22 Nov 08:05',
    );
    expect(shown).toContain(
      '| 🔴 DS CYPRESS | Rotterdam 82% · Mon 23 Nov 15:05 | Mon 23 Nov 15:05 LT (14:05 UTC) | as of',
    );
    expect(shown).toContain('| IMO 9811000 | no prediction | – | – | 9811000 |');
    expect(shown).toContain('| All vessels → nextport list:"NORTH ""A""" |');
    const latest = new Map([[diana, [{ ...antwerp, probability: 0.76 }]]]);
    const refreshed = read({ title: 'list NORTH', followedSubjects: [{ ...list, latest }] });
    expect(refreshed).toContain(
      '| MSC DIANA | Antwerp 76% · Sun 22 Nov 08:05 | Sun 22 Nov 08:05 LT (07:05 UTC) | – | 9755933 |',
    );
    expect(refreshed).toContain(
      '| DS CYPRESS | Rotterdam 82% · Mon 23 Nov 15:05 | Mon 23 Nov 15:05 LT (14:05 UTC) | not in the latest answer, as of Sat 21 Nov 07:00 UTC | 9461477 |',
    );
  });

  test('vessels named one by one, one of them without an answer yet', () => {
    const followedSubjects = [
      followedSubject(),
      followedSubject({ subject: { kind: 'vessel', imo: diana }, state: null, polledAt: null }),
    ];
    const shown = read({ title: 'DS CYPRESS, MSC DIANA', followedSubjects });
    expect(shown).toContain(
      '*DS CYPRESS, MSC DIANA: 2 vessels* · next DS CYPRESS → Antwerp 80%, Sun 22 Nov 08:05',
    );
    expect(shown).toContain('| MSC DIANA | no answer yet | – | 9755933 |');
    expect(shown).toContain('| All vessels → nextport 9461477, 9755933 |');
  });

  test('a list of sixty vessels shows thirty, and a button for the others', () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [
        9_000_000 + index,
        vesselState({ baseline: { ...rotterdam, at: now } }),
      ]),
    );
    const list = followedSubject({ subject: { kind: 'shiplist', name: 'ALL' }, state: vesselsState(many) });
    const shown = read({ title: 'list ALL', followedSubjects: [list] });
    expect(shown).toContain('the 30 with the nearest ETA; All vessels (⋯) shows 30 more');
    expect(shown).toContain(' | All vessels → nextport list:ALL | ');
  });

  test('a port shows the figures of the latest answer, and which are older', () => {
    const baseline = { ...rotterdam, at: at('20T07:00'), missedPolls: 0 };
    const expected = [
      { imo: diana, ...baseline },
      { imo: cypress, ...baseline },
    ];
    const state = portState(expected);
    const latest = new Map([[cypress, [{ ...rotterdam, probability: 0.6, eta: at('23T10:00') }]]]);
    const followedSubjects = [
      followedSubject({ subject: { kind: 'port', port: port('NLRTM') }, state, latest }),
    ];
    const shown = read({ title: 'port Rotterdam (NLRTM)', followedSubjects });
    expect(shown).toContain('| DS CYPRESS | Mon 23 Nov 11:00 LT (10:00 UTC) | 60% | – | 9461477 |\n');
    expect(shown).toContain(
      '| MSC DIANA | Mon 23 Nov 15:05 LT (14:05 UTC) | 82% | as of Fri 20 Nov 07:00 UTC | 9755933 |',
    );
  });

  test('vessels at a port: how many of them are expected, and when', () => {
    const expected = [{ imo: diana, ...rotterdam, at: now, missedPolls: 0 }];
    const state = portState(expected);
    const subject = { kind: 'port', port: port('NLRTM') } as const;
    const ofFleet = {
      title: 'fleet NORTH at Rotterdam (NLRTM)',
      fleet: 'NORTH',
      condition: { port: subject.port, imos: [cypress, diana] },
    };
    const followedSubjects = [followedSubject({ subject, state })];
    expect(read({ ...ofFleet, followedSubjects })).toContain(
      '*Fleet NORTH at Rotterdam: 1 of 2 vessels expected* · next MSC DIANA 82%, Mon 23 Nov 15:05 LT (14:05 UTC)\n',
    );
    const one = { title: 'MSC DIANA at Rotterdam (NLRTM)', condition: { port: subject.port, imos: [diana] } };
    expect(read({ ...one, followedSubjects })).toContain(
      '*MSC DIANA at Rotterdam: expected* · 82%, Mon 23 Nov 15:05 LT (14:05 UTC)\n',
    );
    const none = followedSubject({ subject, state: { ...state, expected: [] } });
    expect(read({ ...one, followedSubjects: [none] })).toContain('*MSC DIANA at Rotterdam: not expected*');
    expect(read({ ...ofFleet, isFleetGone: true, followedSubjects: [none] })).toContain(
      '*Fleet NORTH at Rotterdam: none of 2 vessels expected*\nThe fleet no longer exists',
    );
    const list = followedSubject({
      subject: { kind: 'shiplist', name: 'FEEDERS' },
      state: { ...state, members: [cypress, diana] },
    });
    const condition = { port: subject.port, imos: null };
    const title = 'list FEEDERS at Rotterdam (NLRTM)';
    expect(read({ title, condition, followedSubjects: [list] })).toContain(
      '*List FEEDERS at Rotterdam: 1 of 2 vessels expected*',
    );
  });

  test('a fleet says that the watch follows it', () => {
    const followedSubjects = [
      followedSubject(),
      followedSubject({ subject: { kind: 'vessel', imo: diana } }),
    ];
    const ofFleet = { title: 'fleet NORTH', fleet: 'NORTH', followedSubjects };
    expect(read(ofFleet)).toContain(" · follows the fleet (2 vessels) · Ada's watch");
    const gone = read({ ...ofFleet, isFleetGone: true });
    expect(gone).toContain('The fleet no longer exists: its last vessels stay watched');
    expect(gone).not.toContain('follows the fleet');
  });

  test('vessels polled at different times show the first and the last time', () => {
    const followedSubjects = [
      followedSubject({ polledAt: at('21T03:40') }),
      followedSubject({ subject: { kind: 'vessel', imo: diana }, state: null }),
    ];
    expect(read({ followedSubjects })).toContain('Forecasts of Sat 21 Nov 03:40 UTC to Sat 21 Nov 09:05 UTC');
  });

  test('names the most urgent news first, and counts the other alerts', () => {
    const routine: WatchEvent = { kind: 'arriving', imo: cypress, now: antwerp, hours: 24, call: 1 };
    const later: WatchEvent = {
      kind: 'eta-slipped',
      imo: cypress,
      was: { ...antwerp, at: now },
      now: { ...antwerp, eta: at('22T23:05') },
    };
    const first = alert({ events: [routine, changed] });
    const openAlerts = { first, others: [alert({ id: 'a2', events: [later] })], count: 3 };
    expect(read({ openAlerts, acknowledgement: null })).toContain(
      '┃ Not acknowledged: Rotterdam → Antwerp 80%, Rotterdam 15%, and 2 more alerts',
    );
    const all = { first: alert({ events: [routine] }), others: openAlerts.others, count: 2 };
    expect(read({ openAlerts: all, acknowledgement: null })).toContain(
      '┃ Not acknowledged: ETA Antwerp 16 h later, 80%, and 1 more alert',
    );
  });

  test('the final card says who stopped the watch', () => {
    const stopped = stoppedCardAnswer(watch(), { at: at('21T09:12'), byName: 'Ben' }, reader);
    expect(asRead(replyMessage(stopped, inChannel))).toContain('Stopped by Ben, Sat 21 Nov 09:12 UTC');
    expect(asRead(replyMessage(stopped, { ...reader, audience: 'outside' }))).not.toContain('Ben');
  });
});
