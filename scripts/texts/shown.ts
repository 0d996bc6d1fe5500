// Answers, forms and notices as people see them, with the embedded service and small samples.

import {
  RateLimitedError,
  UnauthorizedError,
  UnavailableError,
  UnreadableResponseError,
} from '../../src/analytics/errors.ts';
import { ServiceTrouble, type ServiceTroubleCode, StoreUnavailable, UserError } from '../../src/errors.ts';
import { explainLogin } from '../../src/features/account/login-errors.ts';
import { accountFormView, accountView, welcomeView } from '../../src/features/account/views.ts';
import {
  assistantsView,
  newTokenView,
  tokenForm,
  unseenTokenView,
} from '../../src/features/assistants/views.ts';
import { auditView } from '../../src/features/audit/view.ts';
import { pausableDigests } from '../../src/features/digests/pausable-digests.ts';
import { exportView } from '../../src/features/export/view.ts';
import { historyAnswer, type VesselHistory } from '../../src/features/next-ports/history.ts';
import { channelNoticeView, resumedAllNotice } from '../../src/features/pausing/channel-notice.ts';
import { channelForm } from '../../src/features/settings/form.ts';

import { changedView, channelSettingsView } from '../../src/features/settings/view.ts';
import { nameForm } from '../../src/features/vessels/form.ts';
import { vesselImportView } from '../../src/features/vessels/import-view.ts';
import { type VesselNamesAnswer, vesselNamesView } from '../../src/features/vessels/view.ts';
import { pausableWatches } from '../../src/features/watches/store/pausable-watches.ts';
import { failureView } from '../../src/messages/frame/failure.ts';
import {
  guestNotice,
  outsideNotice,
  pausedNotice,
  shareQuestion,
  unavailableNotice,
  workingNotice,
} from '../../src/messages/frame/notices.ts';
import { outsidersQuestion } from '../../src/messages/frame/outsiders-question.ts';
import { stabilityOf } from '../../src/predictions/stability.ts';
import { messageOf } from '../../test/support/answer-message.ts';
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
      pausing: shownPausing(),
      vessels: [...(await typed('vessels')), ...shownVessels()],
      help: await typed('help'),
      settings: [...(await typed('settings')), ...shownSettings()],
      audit: [...(await typed('audit')), ...shownAudit()],
      export: [...(await typed('export')), ...shownExports()],
      account: [...(await typed('account')), ...shownAccount()],
      assistants: [...(await typed('assistants')), ...shownAssistants()],
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
    shown('channelNoticeView', channelNoticeView({ things, channelId, reason: 'not_in_channel' })),
    shown('resumedAllNotice', resumedAllNotice(channelId, 3)),
    shown('resumedAllNotice, nothing', resumedAllNotice(channelId, 0)),
  ];
}

function shownExports(): ShownText[] {
  const sent = { kind: 'export', format: 'csv', file: 'port-calls-NLRTM-2026-11-23.csv', rows: 214 } as const;
  const unsent = {
    text: 'imo,vessel\r\n9461477,DS CYPRESS\r\n',
    rows: 1,
    advice: 'Tell whoever runs this bot: it needs the scope files:write.',
  };
  return [
    shown('exportView', exportView(sent, reader)),
    shown('exportView, too many rows', exportView({ ...sent, rows: 10_000, total: 12_345 }, reader)),
    shown('exportView, not sent', exportView({ ...sent, unsent }, reader)),
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
  const { imo, name } = cypress;
  const answers: VesselNamesAnswer[] = [
    {
      kind: 'vessel-named',
      imo,
      name,
      previousName: 'CYPRESS',
      namesakes: [diana.imo],
      undo: 'vessel forget 9461477',
    },
    {
      kind: 'vessel-references',
      vessel: cypress,
      references: ['BK123', 'ACME'],
      added: ['BK123'],
      removed: [],
      shared: [{ reference: 'ACME', vessels: [diana] }],
      undo: 'vessel ref 9461477 remove BK123',
    },
    { kind: 'vessels-forgotten', vessels: [cypress] },
    {
      kind: 'vessel-list',
      line: 'vessel list',
      page: 1,
      fleets: 1,
      vessels: [{ ...cypress, isNamedHere: true, fleets: ['NORTH'], references: ['BK123', 'ACME'] }],
    },
    { kind: 'vessel-list', line: 'vessel list', page: 1, fleets: 0, vessels: [] },
    {
      kind: 'fleets',
      line: 'vessel fleets',
      page: 1,
      fleets: [{ name: 'NORTH', vessels: 2 }],
    },
    { kind: 'fleets', line: 'vessel fleets', page: 1, fleets: [] },
    { kind: 'fleet', name: 'NORTH', vessels: [cypress, diana], watches: 2, added: 1, removed: 1 },
    { kind: 'fleet-forgotten', watches: 0, name: 'NORTH' },
    { kind: 'vessel-file', vessels: 2, fleets: 1 },
    {
      kind: 'vessel-export',
      line: 'vessel export',
      page: 1,
      header: 'imo,name,fleets,references',
      rows: ['9461477,DS CYPRESS,,BK123'],
    },
    { kind: 'vessel-export', line: 'vessel export', page: 1, header: 'imo,name,fleets,references', rows: [] },
  ];
  const read = {
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
    columns: { used: [{ headings: ['Vessel'], as: 'vessel' }], unused: ['ETD'] },
  };
  const state = {
    imo: '',
    imoNote: '',
    name,
    namesakes: [diana.imo],
    fleets: '',
    references: '',
    existingFleets: ['NORTH'],
  };
  return [
    ...answers.map((answer) =>
      shown(`vesselNamesView, ${answer.kind}`, vesselNamesView(answer, { audience: 'private' })),
    ),
    shown(
      'vesselImportView',
      vesselImportView({ ...read, skippedRows: [{ line: 3, kind: 'unknown-name', detail: 'NOBODY' }] }),
    ),
    shown(
      'vesselImportView, nothing',
      vesselImportView({
        ...read,
        saved: 0,
        fleets: 0,
        references: [],
        refused: [],
        leftOut: [],
        unread: 0,
        tooLarge: [],
        skippedRows: [],
        columns: undefined,
      }),
    ),
    form('nameForm', nameForm(state)),
  ];
}

function shownSettings(): ShownText[] {
  const settings = { mode: 'thread', visibility: 'private', whoMayAdd: 'members' } as const;
  const answer = {
    kind: 'settings',
    channelId: 'C0OPS00001',
    settings,
    guests: 'ask',
    links: 'off',
    mayChange: true,
  } as const;
  return [
    shown('channelSettingsView', channelSettingsView(answer)),
    shown('channelSettingsView, saved', channelSettingsView({ ...answer, mayChange: false, isSaved: true })),
    ...(['ask', 'full', 'none'] as const).map((guests) =>
      shown(
        `changedView, ${guests}`,
        changedView({ kind: 'changed', setting: 'guests', value: guests, before: 'ask' }),
      ),
    ),
    ...(['off', 'on', 'composer'] as const).map((links) =>
      shown(
        `changedView, ${links}`,
        changedView({ kind: 'changed', setting: 'links', value: links, before: 'off' }),
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
  return [
    shown('assistantsView', assistantsView({ isAdmin, tokens: [token, expired] }, reader)),
    shown('assistantsView, none', assistantsView({ isAdmin, tokens: [], revoked: token.label }, reader)),
    shown('assistantsView, revoked before', assistantsView({ isAdmin, tokens: [], revoked: null }, reader)),
    shown('assistantsView, for others', assistantsView({ isAdmin: false, tokens: [] }, reader)),
    form('tokenForm', tokenForm({ label: '', scope: 'read', lifetime: '90d' })),
    shown('newTokenView', newTokenView({ ...created, address: 'https://landfall.example/mcp' }, reader)),
    shown('newTokenView, no address', newTokenView({ ...created, address: undefined }, reader)),
    shown('unseenTokenView', unseenTokenView(token.label)),
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
  return [
    ...[true, false].flatMap((isAdmin) => [
      shown('accountView', accountView({ state: own, isAdmin }, reader)),
      shown('accountView, none', accountView({ state: none, isAdmin }, reader)),
    ]),
    shown(
      "accountView, the operator's",
      accountView({ state: { kind: 'operators', address }, isAdmin: true }, reader),
    ),
    shown(
      'accountView, the sandbox',
      accountView({ state: { kind: 'operators', address: 'sandbox' }, isAdmin: true }, reader),
    ),
    shown('welcomeView', welcomeView({ state: none, isAdmin: true, team: 'Acme' })),
    shown('welcomeView, connected', welcomeView({ state: own, isAdmin: true, team: 'Acme' })),
    form('accountFormView', accountFormView({ addresses: [address, `${address}/v2`], samples, own }, reader)),
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
  const list = { kind: 'audit', line: 'landfall audit', page: 1, pages: 1, after: 0 } as const;
  return [
    shown('auditView', auditView({ ...list, total: 3, changes }, reader)),
    shown('auditView, none', auditView({ ...list, total: 0, changes: [] }, reader)),
  ];
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
