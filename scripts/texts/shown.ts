// Answers, forms and notices as people see them, with the embedded service and small samples.

import {
  RateLimitedError,
  UnauthorizedError,
  UnavailableError,
  UnreadableResponseError,
} from '../../src/analytics/errors.ts';
import type { Answer } from '../../src/answers/answer.ts';
import { failureView } from '../../src/answers/slack/failure.ts';
import {
  guestNotice,
  outsideNotice,
  outsidersQuestion,
  pausedNotice,
  shareQuestion,
  unavailableNotice,
  workingNotice,
} from '../../src/answers/slack/notices.ts';
import { ServiceTrouble, type ServiceTroubleCode, StoreUnavailable, UserError } from '../../src/errors.ts';
import { accountAnswer, welcomeAnswer } from '../../src/features/account/answer.ts';
import { accountModal, explainLogin } from '../../src/features/account/index.ts';
import { assistantsAnswer, newTokenAnswer, unseenTokenAnswer } from '../../src/features/assistants/answer.ts';
import { tokenModal } from '../../src/features/assistants/index.ts';
import { changesAnswer } from '../../src/features/audit/answer.ts';
import { pausableDigests } from '../../src/features/digests/digests.ts';
import { exportAnswer } from '../../src/features/export/index.ts';
import { historyAnswer, type VesselHistory } from '../../src/features/next-ports/history.ts';
import { overviewAnswer } from '../../src/features/overview/answer.ts';
import type { Overview } from '../../src/features/overview/visible.ts';
import { channelNoticeAnswer, resumedAllAnswer } from '../../src/features/owned/channel-notice.ts';
import { changedAnswer, settingsAnswer } from '../../src/features/settings/answer.ts';
import { channelForm } from '../../src/features/settings/index.ts';
import {
  exportedAnswer,
  forgetQuestion,
  forgottenAnswer,
  type Subject,
  unsentAnswer,
} from '../../src/features/stored-data/answer.ts';
import type { Plan } from '../../src/features/stored-data/plan.ts';
import { nameView } from '../../src/features/vessels/form.ts';
import { importAnswer, type VesselImport } from '../../src/features/vessels/import-answer.ts';
import { type ImportPreview, previewAnswer } from '../../src/features/vessels/preview-answer.ts';
import { pausableWatches } from '../../src/features/watches/index.ts';
import { stabilityOf } from '../../src/predictions/stability.ts';
import { lineOf, messageOf, replyMessage } from '../../test/support/answer-message.ts';
import { asRead } from '../../test/support/message-text.ts';
import { type CommandHarness, createCommandHarness } from '../../test/support/run-command.ts';
import { cypress, diana, now, port, reader } from '../../test/support/view-fixtures.ts';
import { shownDigests } from './shown-digests.ts';
import { shownLinks } from './shown-links.ts';
import { shownMap } from './shown-map.ts';
import { form, type ShownText, shown } from './shown-text.ts';
import { shownWatches } from './shown-watches.ts';
import { lines } from './typed-lines.ts';

/** By the folder of the feature, in the order of help. `messages` are the texts that belong to no feature. */
export async function textsAsShown(): Promise<Record<string, ShownText[]>> {
  const harness = await createCommandHarness();
  const typed = (feature: keyof typeof lines) =>
    Promise.all(lines[feature].map((line) => asAnswered(harness, line)));
  try {
    return {
      'next-ports': [...(await typed('next-ports')), ...shownHistory(), await shownMap()],
      'port-calls': await typed('port-calls'),
      lane: await typed('lane'),
      links: shownLinks(),
      usage: await typed('usage'),
      watches: [...(await typed('watches')), ...(await shownWatches())],
      digests: [...(await typed('digests')), ...shownDigests()],
      owned: shownPausing(),
      vessels: [...(await typed('vessels')), ...shownVessels()],
      help: await typed('help'),
      settings: [...(await typed('settings')), ...shownSettings()],
      audit: [...(await typed('audit')), ...shownAudit()],
      overview: [...(await typed('overview')), ...shownOverview()],
      export: [...(await typed('export')), ...shownExports()],
      account: [...(await typed('account')), ...shownAccount()],
      assistants: [...(await typed('assistants')), ...shownAssistants()],
      limits: await typed('limits'),
      'stored-data': [...(await typed('stored-data')), ...shownStoredData()],
      messages: shownFrames(),
    };
  } finally {
    await harness.close();
  }
}

async function asAnswered(harness: CommandHarness, line: string): Promise<ShownText> {
  return { context: `/${line}`, text: asRead(await harness.show(line)) };
}

function shownPausing(): ShownText[] {
  const channelId = 'C0OPS00001';
  const things = [
    { ...pausableWatches, titles: ['DS CYPRESS', 'port Rotterdam (NLRTM)'] },
    { ...pausableDigests, titles: ['Morning'] },
  ];
  return [
    shown(
      'channelNoticeAnswer',
      replyMessage(channelNoticeAnswer({ things, channelId, reason: 'not_in_channel' })),
    ),
    shown('resumedAllAnswer', replyMessage(resumedAllAnswer(channelId, 3))),
    shown('resumedAllAnswer, nothing', replyMessage(resumedAllAnswer(channelId, 0))),
  ];
}

function shownExports(): ShownText[] {
  const sent = { file: 'port-calls-NLRTM-2026-11-23.csv', rows: 214 };
  const unsent = {
    text: 'imo,vessel\r\n9461477,DS CYPRESS\r\n',
    rows: 1,
    advice: 'Tell whoever runs this bot: it needs the scope files:write.',
  };
  return [
    shown('exportAnswer', messageOf(exportAnswer(sent), '')),
    shown(
      'exportAnswer, too many rows',
      messageOf(exportAnswer({ ...sent, rows: 10_000, total: 12_345 }), ''),
    ),
    shown('exportAnswer, not sent', messageOf(exportAnswer(sent, unsent), '')),
  ];
}

function shownStoredData(): ShownText[] {
  const plan: Plan = {
    things: [
      { ...pausableWatches, personal: 2, inChannels: 3 },
      { ...pausableDigests, personal: 0, inChannels: 1 },
    ],
    ...{ tokens: 1, imports: 0, messages: 4, assigned: 2, changes: 40 },
    saved: [
      { noun: 'promise', plural: 'promises', count: 1 },
      { noun: 'fleet', plural: 'fleets', count: 2 },
    ],
  };
  const file = 'landfall-workspace-2026-11-23.json';
  const read = { tables: [{ table: 'history', rows: [], total: 12_000 }], isCut: true } as const;
  const subjects: readonly Subject[] = [
    { kind: 'self' },
    { kind: 'person', userId: 'U0BEN0001' },
    { kind: 'workspace' },
  ];
  const message = (answer: Answer) => messageOf(answer, '');
  return [
    ...subjects.flatMap((subject) => [
      shown(`forgetQuestion, ${subject.kind}`, message(forgetQuestion(subject, plan, { value: '' }))),
      shown(`forgottenAnswer, ${subject.kind}`, message(forgottenAnswer(subject))),
    ]),
    shown(
      'forgetQuestion, begun',
      message(forgetQuestion({ kind: 'self' }, plan, { value: '', isBegun: true })),
    ),
    shown('exportedAnswer', message(exportedAnswer(read, { file, isWorkspace: true }))),
    shown('unsentAnswer', message(unsentAnswer(file, undefined, 'landfall export'))),
  ];
}

function shownHistory(): ShownText[] {
  const at = (day: string) => new Date(`2026-11-${day}T08:00:00Z`);
  const asked = {
    vessel: cypress,
    chart: undefined,
    stability: stabilityOf([]),
  } as const;
  const point = { at: at('15'), eta: at('23'), probability: 0.82 };
  const spells = [
    {
      port: port('NLRTM'),
      from: at('15'),
      until: at('19'),
      points: [point, { ...point, at: at('17'), eta: at('24') }],
    },
    { port: null, from: at('19'), until: at('20'), points: [] },
  ];
  const answered = (history: Omit<VesselHistory, keyof typeof asked>) =>
    messageOf(historyAnswer({ ...asked, ...history }, { now, page: 1 }), 'nextport 9461477 history');
  return [
    shown('historyAnswer', answered({ isOfChannel: true, since: at('15'), until: at('20'), spells })),
    shown(
      'historyAnswer, nothing stored',
      answered({ isOfChannel: false, since: undefined, until: undefined, spells: [] }),
    ),
  ];
}

function shownVessels(): ShownText[] {
  const read = {
    id: 'i1',
    fileName: 'vessels.csv',
    saved: 2,
    fleets: 1,
    references: [{ added: ['BK123', 'MEDU4711'] }],
    refused: [{ imo: cypress.imo, reference: 'HAMBURG', fault: 'is the name of a port' }],
    leftOut: (['vessel', 'vessels', 'references'] as const).map((limit) => ({
      ...{ limit, imo: cypress.imo, references: ['BK456'] },
    })),
    unread: 3,
    tooLarge: ['SOUTH'],
    isEncodingGuessed: true,
    promises: 1,
    replaced: ['BK1 · DS CYPRESS at Rotterdam by Sun 20 Dec 23:59 LT → by Thu 24 Dec 23:59 LT'],
    promised: [cypress.imo, diana.imo],
    unwatched: [diana.imo],
    promisesLeftOut: 2,
    unnamedPromises: 0,
  };
  const state = {
    imo: '',
    imoNote: '',
    name: 'DS CYPRESS',
    namesakes: [diana.imo],
    fleets: '',
    references: '',
    existingFleets: ['NORTH'],
  };
  const preview: ImportPreview = {
    ...{ source: 'bookings.xlsx', sheet: 'Week 48', id: 'i1', totalRows: 1_200, usedRows: 1_190 },
    columns: [
      { heading: 'Booking', as: 'reference' },
      { heading: 'ETA', why: 'an earlier forecast; I look up the current one' },
      { heading: 'Remarks' },
    ],
    added: { names: 2, references: 1_100, fleets: 1, promises: 900 },
    ...{
      refused: read.refused,
      leftOut: [],
      unread: 3,
      tooLarge: ['SOUTH'],
      promisesLeftOut: 2,
      unnamedPromises: 0,
      isEncodingGuessed: false,
    },
    skippedRows: [{ line: 3, kind: 'bad-date', detail: '“soon” isn’t a valid date.' }],
    skippedFile: 'rows-not-imported.csv',
    firstPromise: 'DS CYPRESS at Rotterdam by Sat 5 Dec 23:59 LT',
    replaced: read.replaced,
    asked: [cypress.imo],
  };
  const imported = (found: VesselImport) => messageOf(importAnswer(found), '');
  return [
    shown(
      'importAnswer',
      imported({ ...read, skippedRows: [{ line: 3, kind: 'unknown-name', detail: 'NOBODY' }] }),
    ),
    shown(
      'importAnswer, nothing',
      imported({
        ...read,
        saved: 0,
        fleets: 0,
        references: [],
        promises: 0,
        replaced: [],
        promised: [],
        unwatched: [],
        promisesLeftOut: 0,
        unnamedPromises: 0,
        refused: [],
        leftOut: [],
        unread: 0,
        tooLarge: [],
        skippedRows: [],
      }),
    ),
    shown('previewAnswer', messageOf(previewAnswer(preview), '')),
    shown(
      'previewAnswer, dates of either order',
      messageOf(previewAnswer({ ...preview, dateExample: '05/12/2026' }), ''),
    ),
    shown('previewAnswer, nothing', messageOf(previewAnswer({ ...preview, id: undefined, usedRows: 0 }), '')),
    form('nameForm', nameView(state)),
  ];
}

function shownSettings(): ShownText[] {
  const settings = { mode: 'thread', visibility: 'private', whoMayAdd: 'members' } as const;
  const answer = {
    channelId: 'C0OPS00001',
    settings,
    guests: 'ask',
    links: 'off',
    mayChange: true,
  } as const;
  return [
    shown('settingsAnswer', messageOf(settingsAnswer(answer), '')),
    shown(
      'settingsAnswer, saved',
      messageOf(settingsAnswer({ ...answer, mayChange: false, isSaved: true }), ''),
    ),
    ...(['ask', 'full', 'none'] as const).map((guests) =>
      shown(
        `changedAnswer, ${guests}`,
        messageOf(
          changedAnswer({ setting: 'guests', value: guests }, { setting: 'guests', value: 'ask' }),
          '',
        ),
      ),
    ),
    ...(['off', 'on', 'composer'] as const).map((links) =>
      shown(
        `changedAnswer, ${links}`,
        messageOf(changedAnswer({ setting: 'links', value: links }, { setting: 'links', value: 'off' }), ''),
      ),
    ),
    form('channelForm', channelForm(settings)),
  ];
}

function shownAssistants(): ShownText[] {
  const token = {
    ...({ id: 'a1', label: 'The assistant on my laptop', scope: 'write', personId: 'U0ADA0001' } as const),
    ...{ createdAt: now, expiresAt: new Date('2027-02-19T09:05:00Z'), lastUsedAt: now, isExpired: false },
  };
  const expired = { ...token, label: 'Trial', lastUsedAt: undefined, isExpired: true };
  const isAdmin = true;
  const created = { ...token, token: `lf_${'x'.repeat(43)}` };
  const listed = (given: Parameters<typeof assistantsAnswer>[0]) =>
    messageOf(assistantsAnswer(given, reader), 'landfall assistants');
  return [
    shown('assistantsAnswer', listed({ isAdmin, tokens: [token, expired] })),
    shown('assistantsAnswer, none', listed({ isAdmin, tokens: [], revoked: token.label })),
    shown('assistantsAnswer, revoked before', listed({ isAdmin, tokens: [], revoked: null })),
    shown('assistantsAnswer, for others', listed({ isAdmin: false, tokens: [] })),
    form('tokenModal', tokenModal({ label: '', scope: 'read', lifetime: '90d' })),
    ...['https://landfall.example/mcp', undefined].map((address) =>
      shown('newTokenAnswer', messageOf(newTokenAnswer({ ...created, address }, reader), '')),
    ),
    shown('unseenTokenAnswer', messageOf(unseenTokenAnswer(token.label), '')),
  ];
}

function shownAccount(): ShownText[] {
  const address = 'https://service.example';
  const own = { kind: 'own', address, connectedAt: now, connectedBy: 'U0ADA0001' } as const;
  const none = { kind: 'none', installerId: 'U0ADA0001' } as const;
  const account = {
    address: 'sandbox',
    apiKey: 'sandbox-api-key',
    userId: 'u1',
    password: 'sandbox-password',
  };
  const samples = [{ account, hasLanes: false }];
  const problems = [
    new UnauthorizedError({ refused: 'login' }),
    new UnavailableError({ since: now }),
    new RateLimitedError({ retryAfterMs: 60_000 }),
    new UnreadableResponseError({ status: 418, contentType: '', excerpt: '', reason: 'unexpected' }),
  ];
  const accountView = (shown: Parameters<typeof accountAnswer>[0]) =>
    messageOf(accountAnswer(shown, reader), 'landfall account');
  return [
    ...[true, false].flatMap((isAdmin) => [
      shown('accountAnswer', accountView({ state: own, isAdmin })),
      shown('accountAnswer, none', accountView({ state: none, isAdmin })),
    ]),
    shown(
      "accountView, the operator's",
      accountView({ state: { kind: 'operators', address }, isAdmin: true }),
    ),
    shown(
      'accountAnswer, the sandbox',
      accountView({ state: { kind: 'operators', address: 'sandbox' }, isAdmin: true }),
    ),
    ...[none, own].map((state) =>
      shown(
        'welcomeAnswer',
        messageOf(welcomeAnswer({ state, isAdmin: true }, reader, { team: 'Acme', lineOf }), ''),
      ),
    ),
    form('accountModal', accountModal({ addresses: [address, `${address}/v2`], samples, own }, reader)),
    ...problems.map((problem) => {
      const explained = explainLogin(problem, { address, hasChoice: true });
      const text =
        explained instanceof UserError ? `${explained.message} ${explained.hint}` : String(explained);
      return { context: `explainLogin, ${problem.name}`, text };
    }),
  ];
}

function shownAudit(): ShownText[] {
  const change = { id: 'e1', at: now, actorId: 'U0ADA0001', subject: 'DS CYPRESS', channelId: 'C0OPS00001' };
  const changes = [
    { ...change, action: 'watch.stop' },
    { ...change, action: 'digest.pause', subject: 'Morning' },
    {
      ...change,
      action: 'watch.pause',
      after: { other: { reason: 'is_archived', mode: 'thread', whoMayAdd: 'admins' } },
    },
  ];
  const lineOf = (id: string) => `landfall audit entry ${id}`;
  return [changes, []].map((some) => {
    const page = { page: 1, pages: 1, after: 0, total: some.length, changes: some };
    return shown('changesAnswer', messageOf(changesAnswer(page, {}, { reader, lineOf }), 'landfall audit'));
  });
}

function shownOverview(): ShownText[] {
  const common = { channelId: 'C0OPS00001', status: 'active', pauseReason: null, isSnoozed: false } as const;
  const watch = { ...common, kind: 'watch', calls: 480, openAlerts: 2, usedAt: now } as const;
  const things = [
    { ...watch, id: 'w1', title: 'DS CYPRESS', ownerId: 'U0ADA0001' },
    { ...watch, id: 'w2', title: 'MSC DIANA', ownerId: 'U0BEN0001', pauseReason: 'is_archived' },
  ];
  const gone = { name: 'ben', zone: 'UTC', isAdmin: false, isGuest: false, isOutside: false };
  const hidden = { counts: { watch: 4, digest: 1, promise: 0 }, calls: 900 };
  const overview: Overview = {
    ...{ things, elsewhere: hidden, personal: hidden, unknownChannels: 2 },
    people: new Map([['U0BEN0001', { ...gone, isGone: true, isUnknown: false }]]),
    callsOf: (some) => some.length * 480,
  };
  const answer = overviewAnswer(overview, { filter: {}, page: 1, now });
  return [shown('overviewAnswer', messageOf(answer, 'landfall overview'))];
}

const troubles: readonly ServiceTroubleCode[] = [
  'unauthorized',
  'forbidden',
  'not-found',
  'rate-limited',
  'unavailable',
  'unreadable',
];

function shownFrames(): ShownText[] {
  const failure = { ref: '7K3F', reader, line: 'nextport 9461477' };
  return [
    ...troubles.map((code) =>
      shown(
        `failureView, ${code}`,
        failureView(new ServiceTrouble('', { code, since: now, status: 502 }), failure),
      ),
    ),
    shown(
      'failureView, lane',
      failureView(new ServiceTrouble('', { code: 'forbidden' }), { ...failure, line: 'lane A B' }),
    ),
    shown('failureView, too slow', failureView(new DOMException('', 'TimeoutError'), failure)),
    shown('failureView, the store', failureView(new StoreUnavailable(''), failure)),
    shown('failureView, our fault', failureView(new Error(''), failure)),
    shown(
      'failureView, what was typed',
      failureView(
        new UserError({
          code: 'bad-rule',
          message: 'Wrong.',
          hint: 'Hint.',
          example: 'usage',
          choices: [{ label: 'This', line: 'usage' }],
        }),
        failure,
      ),
    ),
    shown('workingNotice', workingNotice),
    shown('outsideNotice', outsideNotice),
    shown('guestNotice', guestNotice),
    shown('pausedNotice', pausedNotice),
    shown('unavailableNotice', unavailableNotice),
    shown('shareQuestion', shareQuestion('usage')),
    ...(['watch', 'digest', 'paused'] as const).map((what, index) =>
      shown(
        `outsidersQuestion ${what}`,
        outsidersQuestion({
          channelId: 'C0OPS00001',
          what,
          isHere: index === 0,
          isCertain: index < 2,
          again: { value: 'watch 9461477' },
          toMe: { value: 'watch 9461477 to me' },
        }),
      ),
    ),
  ];
}
