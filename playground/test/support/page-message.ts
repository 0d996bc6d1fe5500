import type { PageMessage, PageState, PageUser } from '../../src/page-api/page-api.ts';

export const pageUser = (id: string, over: Partial<PageUser> = {}): PageUser => ({
  id,
  name: id.toLowerCase(),
  realName: id,
  zone: 'UTC',
  isAdmin: false,
  isBot: false,
  isOutside: false,
  ...over,
});

export const pageMessage = (ts: string, over: Partial<PageMessage> = {}): PageMessage => ({
  ts,
  channelId: 'C1',
  userId: 'BOB',
  text: `at ${ts}`,
  ...over,
});

/** The state of a user who sees two channels, C1 and C2. */
export const pageState = (userId: string, messages: PageMessage[] = []): PageState => ({
  teamId: 'T1',
  teamName: 'Team',
  me: pageUser(userId),
  botUserId: 'BOT',
  users: [pageUser('ADA'), pageUser('BOB'), pageUser('BOT', { isBot: true })],
  channels: ['C1', 'C2'].map((id) => ({
    id,
    name: id.toLowerCase(),
    kind: 'public',
    topic: '',
    memberIds: ['ADA', 'BOB'],
  })),
  commands: [],
  messages,
  appConnected: true,
  faults: [],
  isServiceRecorded: true,
  texts: {},
  views: [],
  agent: { statuses: [] },
  homeEnabled: true,
  shortcuts: [],
  steps: [],
});
