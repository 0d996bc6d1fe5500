import type { Answer } from '../../src/answers/answer.ts';
import { toReply } from '../../src/answers/slack/render.ts';
import { toStored } from '../../src/answers/stored.ts';
import { listAnswer, planAnswer, type Reply, replyAnswer } from '../../src/features/digests/answer.ts';
import { type Digest, type DigestMessage, digestKind } from '../../src/features/digests/digest.ts';
import { type DigestForm, formView } from '../../src/features/digests/form-view.ts';
import {
  digestAnswer,
  moreNewsAnswer,
  noticeAnswer,
  withheldAnswer,
} from '../../src/features/digests/message.ts';
import { endQuestion } from '../../src/features/owned/kind.ts';
import { lineOf } from '../../test/support/answer-message.ts';
import { cypress, diana, now, port, reader } from '../../test/support/view-fixtures.ts';
import { form, type ShownText, shown } from './shown-text.ts';

const ownerId = 'U0ADA0001';
const place = { channelId: 'C0OPS00001', destination: 'channel', ownerId } as const;
const tomorrow = new Date('2026-11-22T07:00:00Z');
const missed = { count: 2, first: new Date('2026-11-19T07:00:00Z'), last: new Date('2026-11-20T07:00:00Z') };
const rotterdam = { port: port('NLRTM'), probability: 0.82, eta: new Date('2026-11-23T14:05:00Z') };
const antwerp = { port: port('BEANR'), probability: 0.8, eta: new Date('2026-11-22T07:05:00Z') };

const digest: Digest = {
  ...place,
  id: 'd1',
  number: 2,
  chosenBy: ownerId,
  title: 'Morning',
  lines: ['portcalls NLRTM next 3 days', 'nextport watched'],
  schedule: { days: { kind: 'week', weekdays: [1, 2, 3, 4, 5] }, minutes: [480] },
  zone: 'Europe/Berlin',
  onlyNews: true,
  status: 'active',
  pauseReason: null,
  outsidersAllowedBy: null,
  nextRunAt: tomorrow,
  missed,
  isUndelivered: true,
};

const answered = {
  kind: 'answered',
  line: 'usage',
  hasDetail: true,
  isUnchanged: false,
  isForecast: true,
  hasNews: false,
  isInternal: true,
} as const;

const brief = toStored(
  { verdict: { strong: 'October 2026: 1,300 requests, 66 errors (5%)' } },
  { line: 'usage' },
  reader,
);

const message: DigestMessage = {
  kind: 'digest',
  digestId: 'd1',
  number: 2,
  title: 'Morning',
  ownerId,
  destination: 'channel',
  zone: 'Europe/Berlin',
  scheduledFor: now,
  ranAt: new Date('2026-11-21T10:05:00Z'),
  nextRunAt: tomorrow,
  since: new Date('2026-11-20T07:00:00Z'),
  news: [
    { kind: 'next-port-changed', imo: cypress.imo, was: rotterdam, now: antwerp },
    { kind: 'next-port-changed', imo: diana.imo, was: rotterdam, now: null },
    {
      kind: 'eta-moved',
      imo: diana.imo,
      was: rotterdam,
      now: { ...rotterdam, eta: now },
      beyond: 'next 3 days',
    },
    { kind: 'new-arrival', imo: diana.imo, now: rotterdam },
    { kind: 'now-within', imo: diana.imo, now: rotterdam, period: 'next 3 days' },
    { kind: 'no-longer-expected', imo: diana.imo, was: rotterdam },
  ],
  calls: { first: [{ imo: cypress.imo, ...antwerp }], total: 24 },
  missed,
  reports: [
    { ...answered, brief },
    { ...answered, brief, isUnchanged: true },
    { ...answered, brief: null },
    { kind: 'failed', line: 'usage', reason: 'The analytics service does not answer', ref: '7K3F' },
  ],
};

const state: DigestForm = {
  edited: null,
  title: '',
  where: 'channel',
  channelId: 'C0OPS00001',
  days: 'dates',
  weekdays: [],
  dates: '1st',
  times: '08:00',
  zone: 'Europe/Berlin',
  onlyNews: false,
  lines: [],
  runs: { at: [tomorrow], zone: 'Europe/Berlin' },
  trouble: 'It can be previewed when it is complete.',
};

const actions: readonly Reply['did'][] = [
  'added',
  'changed',
  'handed-over',
  'how-to-edit',
  'paused',
  'resumed',
  'removed',
  'restored',
  'shown',
  'running',
];

/** Digests as they are posted, lists, answers, notices and the form. */
export function shownDigests(): ShownText[] {
  const frame = { ownerName: 'Ada', vessels: new Map() };
  const inChannel = { ...reader, audience: 'channel' } as const;
  const outside = { ...reader, audience: 'outside' } as const;
  const list = { page: 1, pages: 1, after: 0 } as const;
  const reply = {
    digest,
    runs: [tomorrow, now],
    edit: 'digest edit 2 "Morning" weekdays 08:00: usage',
    cost: { calls: 2, isOfGroup: true },
  } as const;
  const notice = {
    kind: 'digest-notice',
    digestId: 'd1',
    number: 2,
    title: 'Morning',
    reason: 'is_archived',
  } as const;
  const said = (name: string, answer: Answer, shownTo: typeof reader = reader) =>
    shown(name, toReply(answer, { reader: shownTo, lineOf }));
  const posted = (name: string, more: Partial<DigestMessage> = {}, shownTo: typeof reader = inChannel) =>
    said(name, digestAnswer({ ...message, ...more }, frame, shownTo), shownTo);
  return [
    posted('a digest'),
    posted('a digest, the first', { since: null, news: [], missed: null }),
    posted('a digest, nothing new', { scheduledFor: null, news: [], reports: [] }),
    posted('a digest, outside', {}, outside),
    said('a digest, more news', moreNewsAnswer(message, frame.vessels)),
    said('a digest, withheld', withheldAnswer({ line: 'usage' })),
    said('a digest, paused', noticeAnswer({ ...notice, channelId: 'C0OPS00001', destination: 'channel' })),
    ...(['channel', 'mine', 'all'] as const).flatMap((scope) => [
      said(`digests, ${scope}`, listAnswer({ ...list, scope, total: 1, digests: [digest] }, now)),
      said(`digests, ${scope}, none`, listAnswer({ ...list, scope, total: 0, digests: [] }, now)),
    ]),
    said('digest add', planAnswer('')),
    ...actions.map((did) => said(`digest, ${did}`, replyAnswer({ ...reply, did }, now))),
    said('a button, remove', endQuestion(digestKind, digest)),
    form('digestForm', formView(state, reader)),
    form(
      'digestForm, edit',
      formView({ ...state, days: 'some', edited: { ...place, title: 'Morning', number: 2 } }, reader),
    ),
  ];
}
