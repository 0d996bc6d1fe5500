import { type Alert, type AlertState, noAlerts } from '../../src/features/alerts/alert.ts';
import type { FollowedSubject, WatchWithSubjects } from '../../src/features/polling/watch-list.ts';
import type { VesselState, WatchState } from '../../src/features/rules/evaluation/state.ts';
import type { WatchEvent } from '../../src/features/rules/list.ts';
import { chooseRules, type WatchNames, watchRules } from '../../src/features/rules/registry.ts';
import type { Locode } from '../../src/reference/codes.ts';
import { now } from './view-fixtures.ts';
import { cypress, diana } from './watch-story.ts';

export const at = (text: string): Date => new Date(`2026-11-${text}:00Z`);
export const port = (code: string): Locode => code as Locode;

export const rotterdam = { port: port('NLRTM'), probability: 0.82, eta: at('23T14:05') };
export const antwerp = { port: port('BEANR'), probability: 0.8, eta: at('22T07:05') };
export const notifiedRotterdam = { ...rotterdam, at: at('21T07:00') };

export const names: WatchNames = {
  nameOf: (imo) =>
    new Map([
      [cypress, 'DS CYPRESS'],
      [diana, 'MSC DIANA'],
    ]).get(imo),
  referencesOf: () => [],
  ownerName: 'Ada',
  acknowledgedBy: 'Ben',
};

export const changed: WatchEvent = {
  kind: 'diverted',
  imo: cypress,
  was: notifiedRotterdam,
  next: antwerp,
  old: { ...rotterdam, probability: 0.15 },
};

export const vesselState = (more: Partial<VesselState> = {}): VesselState => ({
  scale: 'fraction',
  baseline: { ...antwerp, at: now },
  challenged: 0,
  previous: null,
  dispute: null,
  calls: {},
  nextCall: 2,
  memory: {},
  emptyPolls: 0,
  lost: false,
  ended: false,
  ...more,
});

export const vesselsState = (
  vessels: Record<number, VesselState>,
  more: { stale?: boolean } = {},
): WatchState => ({ kind: 'vessels', snapshotAt: now, stale: false, vessels, ...more });

export const followedSubject = (more: Partial<FollowedSubject> = {}): FollowedSubject => ({
  subject: { kind: 'vessel', imo: cypress },
  state: vesselsState({ [cypress]: vesselState() }),
  nextPollAt: at('21T09:20'),
  polledAt: now,
  latest: null,
  failingSince: null,
  ...more,
});

export const alert = (more: Partial<Alert> = {}): Alert => ({
  id: 'a1',
  watchId: 'w1',
  messageId: 'a1',
  at: now,
  notifiedAt: now,
  events: [changed],
  isCritical: (more.events ?? [changed]).some(watchRules.isCritical),
  assignment: null,
  acknowledgement: null,
  isClosed: false,
  ...more,
});

/** The state of a watch with one alert that nobody has acknowledged. */
export const openAlert = (more: Partial<Alert> = {}): AlertState => ({
  openAlerts: { first: alert(more), others: [], count: 1 },
  acknowledgement: null,
});

/** The due dates of its rules are promised to each of its vessels. */
export const watch = (more: Partial<WatchWithSubjects> = {}): WatchWithSubjects => ({
  id: 'w1',
  channelId: 'C0WATCHED1',
  destination: 'channel',
  ownerId: 'U0WATCHER1',
  title: 'DS CYPRESS',
  fleet: null,
  portGroup: null,
  condition: null,
  isFleetGone: false,
  isPortGroupGone: false,
  rules: chooseRules({}),
  promises: (more.followedSubjects ?? [followedSubject()]).flatMap(({ subject }) =>
    subject.kind === 'vessel' ? (more.rules?.due ?? []).map((due) => ({ imo: subject.imo, due })) : [],
  ),
  snooze: null,
  status: 'active',
  pauseReason: null,
  ...noAlerts,
  outsidersAllowedBy: null,
  cardTs: '1700000000.000001',
  createdAt: at('20T12:00'),
  followedSubjects: [followedSubject()],
  ...more,
});
