import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/answers/answer.ts';
import { pageNumbers, type Reader } from '../../../src/answers/message.ts';
import { toReply } from '../../../src/answers/slack/render.ts';
import { toStored } from '../../../src/answers/stored.ts';
import type { Text } from '../../../src/answers/text.ts';
import { listAnswer, press, type Reply, replyAnswer } from '../../../src/features/digests/answer.ts';
import type { Digest, DigestMessage, News } from '../../../src/features/digests/digest.ts';
import { type DigestFrame, digestAnswer, newsCounts } from '../../../src/features/digests/message.ts';
import type { Imo, Locode } from '../../../src/reference/codes.ts';
import { lineOf, messageOf } from '../../support/answer-message.ts';
import { asRead } from '../../support/message-text.ts';
import { slackFaults } from '../../support/slack-faults.ts';
import { diana } from '../../support/watch-story.ts';

const now = new Date('2026-11-24T07:00Z');
const reader: Reader = { now, zone: 'Europe/Berlin', source: 'service', audience: 'channel' };
const cypress = 9461477 as Imo;
const frame = {
  ownerName: 'Ada',
  vessels: new Map([
    [cypress, { imo: cypress, name: 'DS CYPRESS', url: 'https://acme.slack.com/archives/C1/p1' }],
  ]),
};
const at = (port: string, probability: number, eta: string | null) => ({
  port: port as Locode,
  probability,
  eta: eta === null ? null : new Date(eta),
});

/** What is stored of a line's verdict. */
const briefOf = (strong: string, rest = '', lines: Text[] = []) =>
  toStored({ verdict: { strong, rest, lines } }, { line: 'usage' }, reader);

const answered = {
  kind: 'answered',
  line: 'usage',
  hasDetail: false,
  isUnchanged: false,
  isForecast: false,
  hasNews: false,
  isInternal: false,
} as const;

const digest: DigestMessage = {
  kind: 'digest',
  digestId: 'd1',
  number: 2,
  title: 'Morning',
  ownerId: 'U1',
  destination: 'channel',
  zone: 'Europe/Berlin',
  scheduledFor: now,
  ranAt: now,
  nextRunAt: new Date('2026-11-25T07:00Z'),
  since: new Date('2026-11-23T07:00Z'),
  news: [],
  calls: { first: [], total: 0 },
  missed: null,
  reports: [{ ...answered, brief: briefOf('October 2026: 1,300 requests') }],
};

const post = (answer: Answer, shownTo: Reader = reader) => toReply(answer, { reader: shownTo, lineOf });
const digestView = (message: DigestMessage, given: DigestFrame, shownTo: Reader) =>
  post(digestAnswer(message, given, shownTo), shownTo);

describe('a digest', () => {
  it('shows the news, the answer of each line, the owner and the next run', () => {
    const news: News[] = [
      {
        kind: 'next-port-changed',
        imo: cypress,
        was: at('NLRTM', 0.82, '2026-11-25T14:05Z'),
        now: at('BEANR', 0.8, '2026-11-25T07:05Z'),
      },
      {
        kind: 'eta-moved',
        imo: diana,
        was: at('NLRTM', 0.9, '2026-11-25T14:05Z'),
        now: at('NLRTM', 0.9, '2026-11-26T02:05Z'),
      },
      { kind: 'new-arrival', imo: diana, now: at('NLRTM', 0.6, null) },
      {
        kind: 'now-within',
        imo: cypress,
        now: at('NLRTM', 0.93, '2026-11-26T14:05Z'),
        period: 'next 3 days',
      },
      { kind: 'no-longer-expected', imo: cypress, was: at('NLRTM', 0.82, '2026-11-25T14:05Z') },
      { kind: 'next-port-changed', imo: diana, was: at('NLRTM', 0.9, null), now: null },
    ];
    const reports: DigestMessage['reports'] = [
      {
        ...answered,
        line: 'portcalls NLRTM',
        brief: briefOf('Rotterdam: 14 vessels may call 21–24 Nov'),
        hasDetail: true,
        isForecast: true,
      },
      { ...answered, line: 'nextport fleet:NORTH', brief: null, hasDetail: true },
      { ...answered, line: 'lane SGSIN CNXAM', brief: briefOf('Singapore → Xiamen: MSC'), isUnchanged: true },
      { ...answered, brief: briefOf('October 2026: 1,300 requests'), isUnchanged: true },
      { kind: 'failed', line: 'usage', reason: 'The analytics service does not answer', ref: '7K3F' },
    ];
    expect(asRead(digestView({ ...digest, news, reports }, frame, reader))).toMatchInlineSnapshot(`
      "text: Morning: 🔴 1 diverted · 🟠 1 moved, 1 no longer predicted, 1 no longer expected · ⚪ 1 new, 1 now within the period since Mon 23 Nov 08:00; 1 line could not be answered; <https://acme.slack.com/archives/C1/p1|DS CYPRESS> · 🔴 now Antwerp 80% · Wed 25 Nov 08:05 LT (07:05 UTC) · was Rotterdam 82%, Wed 25 Nov 15:05 LT (14:05 UTC); IMO 9755933 · 🟠 12 h later at Rotterdam · Thu 26 Nov 03:05 LT (02:05 UTC) · was Wed 25 Nov 15:05 LT (14:05 UTC); IMO 9755933 · 🟠 no longer predicted · was Rotterdam 90%; <https://acme.slack.com/archives/C1/p1|DS CYPRESS> · 🟠 no longer expected at Rotterdam · was 82%, Wed 25 Nov 15:05 LT (14:05 UTC); IMO 9755933 · ⚪ new at Rotterdam 60% · ETA not given; <https://acme.slack.com/archives/C1/p1|DS CYPRESS> · ⚪ within next 3 days at Rotterdam 93% · Thu 26 Nov 15:05 LT (14:05 UTC). Rotterdam: 14 vessels may call 21–24 Nov. \`/nextport fleet:NORTH\`: in the thread. 🟠 \`/usage\` could not be answered: The analytics service does not answer (ref 7K3F). Unchanged: Singapore → Xiamen: MSC; October 2026: 1,300 requests. Full answers in the thread · Forecast as of 07:00 UTC · Digest 2 by Ada · next Wed 25 Nov 08:00 Europe/Berlin

      # Morning · Tue 24 Nov 08:00
      *🔴 1 diverted · 🟠 1 moved, 1 no longer predicted, 1 no longer expected · ⚪ 1 new, 1 now within the period* since Mon 23 Nov 08:00; 1 line could not be answered
      (table: What changed since the last digest)
      | Vessel | What, ETA (LT) | ETA (UTC) | Was |
      | DS CYPRESS | 🔴 Now Antwerp 80% · Wed 25 Nov 08:05 | Wed 25 Nov 07:05 | Rotterdam 82%, Wed 25 Nov 15:05 LT (14:05 UTC) |
      | IMO 9755933 | 🟠 12 h later at Rotterdam · Thu 26 Nov 03:05 | Thu 26 Nov 02:05 | Wed 25 Nov 15:05 LT (14:05 UTC) |
      | IMO 9755933 | 🟠 No longer predicted | – | Rotterdam 90% |
      | DS CYPRESS | 🟠 No longer expected at Rotterdam | – | 82%, Wed 25 Nov 15:05 LT (14:05 UTC) |
      | IMO 9755933 | ⚪ New at Rotterdam 60% | not given | – |
      | DS CYPRESS | ⚪ Within next 3 days at Rotterdam 93% · Thu 26 Nov 15:05 | Thu 26 Nov 14:05 | – |
      Rotterdam: 14 vessels may call 21–24 Nov
      \`/nextport fleet:NORTH\`: in the thread
      🟠 \`/usage\` could not be answered: The analytics service does not answer (ref 7K3F)
      Unchanged: Singapore → Xiamen: MSC; October 2026: 1,300 requests
      Full answers in the thread · Forecast as of 07:00 UTC · Digest 2 by Ada · next Wed 25 Nov 08:00 Europe/Berlin
      [Run now → d1] [Edit → {"digestId":"d1"}] [Pause → d1]"
    `);
  });

  it('begins with the line that says itself what has changed, instead of “nothing new”', () => {
    const brief = briefOf('3 of 11 vessels changed', ' since Tue 24 Nov 00:00 · 🔴 1 · ⚪ 2');
    const changes = { ...answered, line: 'watch changes', brief, hasNews: true };
    const reports = [...digest.reports, changes];
    const shown = digestView({ ...digest, reports }, frame, reader);
    expect(shown.text).toMatch(
      /^Morning: 3 of 11 vessels changed since Tue 24 Nov 00:00 · 🔴 1 · ⚪ 2\. October/u,
    );
    expect(asRead(shown).split('\n').slice(2, 5)).toEqual([
      '# Morning · Tue 24 Nov 08:00',
      '*3 of 11 vessels changed* since Tue 24 Nov 00:00 · 🔴 1 · ⚪ 2',
      'October 2026: 1,300 requests',
    ]);
    const old = { ...changes, brief: briefOf('1 vessel changed', '', [['from ', { instant: now }]]) };
    expect(asRead({ ...digestView({ ...digest, reports: [old] }, frame, reader), text: '' })).toContain(
      `*1 vessel changed*\nfrom <!date^${now.getTime() / 1000}^`,
    );
    const failed = { kind: 'failed', line: 'usage', reason: 'No answer', ref: '7K3F' } as const;
    expect(digestView({ ...digest, reports: [changes, failed] }, frame, reader).text).toContain(
      'Morning: 3 of 11 vessels changed since Tue 24 Nov 00:00 · 🔴 1 · ⚪ 2; 1 line could not be answered',
    );
  });

  it('says if nothing is new, if it is the first or late, and which runs were missed', () => {
    expect(digestView(digest, frame, reader).text).toContain(
      'Morning: Nothing new since Mon 23 Nov 08:00. October 2026',
    );
    expect(digestView({ ...digest, since: null }, frame, reader).text).toContain(
      'Morning: First run; the next ones say what is new',
    );
    const missed = { count: 3, first: new Date('2026-11-20T07:00Z'), last: new Date('2026-11-22T07:00Z') };
    const late = { ...digest, missed, ranAt: new Date('2026-11-24T08:30Z') };
    const said = asRead(digestView(late, frame, { ...reader, now: late.ranAt }));
    expect(said).toContain('🟠 3 digests were missed: from Fri 20 Nov 08:00 to Sun 22 Nov 08:00');
    expect(said).toContain('🟠 Sent 1 h 30 min late, with data as of Tue 24 Nov 09:30');
  });

  it('says what urgency each change has: an ordinary next leg is none', () => {
    const counts = (was: ReturnType<typeof at> | null, next: ReturnType<typeof at> | null) =>
      newsCounts([{ kind: 'next-port-changed', imo: cypress, was, now: next }], now);
    const next = at('BEANR', 0.8, '2026-11-27T07:05Z');
    // Three hours, as for an alert.
    expect(counts(at('NLRTM', 0.8, '2026-11-24T10:01Z'), next)).toBe('🔴 1 diverted');
    expect(counts(at('NLRTM', 0.8, '2026-11-24T10:00Z'), next)).toBe('⚪ 1 on the next leg');
    expect(counts(at('NLRTM', 0.8, '2026-11-24T03:00Z'), null)).toBe('⚪ 1 on the next leg');
    expect(counts(at('NLRTM', 0.8, null), next)).toBe('🔴 1 diverted');
    expect(counts(at('NLRTM', 0.8, null), null)).toBe('🟠 1 no longer predicted');
    expect(counts(null, next)).toBe('⚪ 1 new');
  });

  it('withholds internal lines and the owner where people of another organisation read', () => {
    const reports = [{ ...answered, brief: briefOf('October 2026: 1,300 requests'), isInternal: true }];
    const outside = { ...reader, audience: 'outside' } as const;
    const inside = asRead(digestView({ ...digest, reports }, frame, reader));
    expect(inside).toContain('1,300 requests');
    expect(inside).toContain('Digest 2 by Ada');
    const shown = asRead(digestView({ ...digest, reports }, frame, outside));
    expect(shown).not.toMatch(/1,300|Ada/);
    expect(shown).toContain('`/usage`: not shown where people from another organisation can read it');
  });

  it('never says that nothing is new if no line could be answered', () => {
    const failed = {
      kind: 'failed',
      line: 'nextport fleet:NORTH',
      reason: 'No such fleet',
      ref: '7K3F',
    } as const;
    const [answered] = digest.reports;
    const read = (reports: DigestMessage['reports'], more: Partial<DigestMessage> = {}) => {
      const { text, blocks } = digestView({ ...digest, reports, ...more }, frame, reader);
      return { text, shown: asRead({ text: '', blocks }) };
    };
    if (!answered) throw new Error('a digest has lines');
    const some = read([answered, failed]);
    expect(some.text).toContain(
      'Morning: 1 line could not be answered; nothing new in the rest since Mon 23 Nov 08:00',
    );
    expect(some.shown).toContain(
      '*1 line could not be answered*; nothing new in the rest since Mon 23 Nov 08:00',
    );
    const none = read([failed, failed]);
    expect(none.text).toContain('Morning: Nothing could be answered');
    expect(none.shown).toContain('*Nothing could be answered*');
    expect(JSON.stringify(none)).not.toMatch(/nothing new/i);
    const news = [{ kind: 'new-arrival', imo: cypress, now: at('NLRTM', 0.6, null) } as const];
    expect(read([answered, failed, failed], { news }).text).toContain(
      '⚪ 1 new since Mon 23 Nov 08:00; 2 lines could not be answered',
    );
    expect(read([answered, failed], { since: null }).shown).toContain('; 1 line could not be answered');
  });

  it('names vessels with port and ETA when nothing is new, and fills up to ten beside what is new', () => {
    const first = Array.from({ length: 10 }, (_, index) => ({
      imo: (9_400_000 + index) as Imo,
      ...at('NLRTM', 0.7, `2026-11-25T${10 + index}:05Z`),
    }));
    const calls = { first, total: 33 };
    const quiet = asRead(digestView({ ...digest, calls }, frame, reader)).split('\n\n')[1] ?? '';
    expect(quiet.split('\n').slice(0, 5)).toEqual([
      '# Morning · Tue 24 Nov 08:00',
      '*Nothing new* since Mon 23 Nov 08:00',
      '(table: Next calls)',
      '| Vessel | Next port, ETA (LT) | ETA (UTC) |',
      '| IMO 9400000 | Rotterdam 70% · Wed 25 Nov 11:05 | Wed 25 Nov 10:05 |',
    ]);
    expect(quiet.match(/^\| IMO/gm)).toHaveLength(10);
    expect(quiet).toContain('\nand 23 more vessels\nOctober 2026');

    const news: News[] = [{ kind: 'new-arrival', imo: cypress, now: at('NLRTM', 0.6, null) }];
    const shown = asRead(digestView({ ...digest, news, calls }, frame, reader));
    expect(shown).toContain('(table: What changed since the last digest; Next calls)');
    expect(shown.match(/^\| (?:DS CYPRESS|IMO)/gm)).toHaveLength(10);
    expect(shown).toContain('and 24 more vessels');
  });

  it('shows as much news as fits beside the answers', () => {
    const news = Array.from({ length: 12 }, () => ({
      kind: 'new-arrival' as const,
      imo: cypress,
      now: at('NLRTM', 0.6, null),
    }));
    const reports = Array.from({ length: 20 }, () => ({
      ...answered,
      brief: briefOf('x'.repeat(170)),
      hasDetail: true,
    }));
    const crowded = digestView(
      { ...digest, news, reports },
      { vessels: new Map([[cypress, { imo: cypress, name: '<'.repeat(40) }]]) },
      reader,
    );
    expect(asRead(crowded)).toContain('2 more changes in the thread');
    expect(slackFaults(crowded)).toEqual([]);
  });
});

describe('replies about digests', () => {
  const saved: Digest = {
    id: 'd1',
    channelId: 'C1',
    destination: 'channel',
    number: 2,
    ownerId: 'U1',
    chosenBy: 'U1',
    title: 'Morning',
    lines: ['portcalls NLRTM next 3 days', 'nextport 9461477, 9755933', 'usage'],
    schedule: { days: { kind: 'week', weekdays: [1, 2, 3, 4, 5] }, minutes: [480] },
    zone: 'Europe/Berlin',
    onlyNews: true,
    status: 'active',
    pauseReason: null,
    outsidersAllowedBy: null,
    nextRunAt: new Date('2026-11-25T07:00Z'),
    missed: null,
    isUndelivered: false,
  };
  const reply: Reply = {
    did: 'added',
    digest: saved,
    runs: [25, 26, 27].map((day) => new Date(`2026-11-${day}T07:00Z`)),
    edit: 'digest edit 2 "Morning" weekdays 08:00 Europe/Berlin only news: usage',
    cost: { calls: 4 },
    undo: press('remove', 'd1', 'Undo'),
  };
  const privately = { ...reader, audience: 'private' } as const;
  const replyView = (given: Reply, shownTo: Reader = privately) => post(replyAnswer(given, now), shownTo);
  const listView = (digests: readonly Digest[], scope: 'channel' | 'mine', total: number) =>
    messageOf(
      listAnswer({ digests, scope, ...pageNumbers(total, 1, 10) }, now),
      scope === 'channel' ? 'digest list' : 'digest list mine',
      privately,
    );

  it('say what each run costs, and give no next run of a removed digest', () => {
    const withCost = (cost: Reply['cost']) => asRead(replyView({ ...reply, cost }));
    expect(withCost({ calls: 0 })).not.toContain('Each run uses');
    expect(withCost({ calls: 1 })).toContain('Each run uses 1 API call');
    expect(withCost({ calls: 1, isOfGroup: true })).toContain(
      'Each run uses 1 API call, and one more for each further vessel',
    );
    expect(replyView({ ...reply, did: 'removed' }).text).toBe(
      'Digest removed: “Morning”. It is no longer sent in <#C1>; messages already sent stay there.',
    );
  });
  const own = { ...saved, channelId: 'U1', destination: 'direct-message' as const };

  it('name a digest in another channel by its id, since its number may be another digest here', () => {
    const shown = asRead(replyView({ ...reply, digest: own, isElsewhere: true }));
    expect(shown).not.toContain('Digest 2');
    expect(shown).toContain('Sent to you by direct message; in your direct messages it is digest 2 ');
    expect(shown).toContain('[Undo → d1] [Run now → d1] [Edit → {"digestId":"d1"}]');
  });

  it('list the digests of several channels with their places, and without lines that contain numbers', () => {
    const message = listView([saved, own], 'mine', 2);
    expect(asRead(message)).toContain('*2 digests of yours*');
    expect(asRead(message)).toContain('in <#C1>');
    expect(asRead(message)).toContain('only to you');
    expect(JSON.stringify(message.blocks)).not.toMatch(/digest (?:show|remove) /);
    expect(listView([], 'mine', 0).text).toContain('You have no digests yet');
  });
});
