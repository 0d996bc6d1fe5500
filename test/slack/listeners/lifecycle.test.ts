import type { App } from '@slack/bolt';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { createInFlight, slackKey } from '../../../src/slack/context.ts';
import {
  createOneWorkspaceEnd,
  listenToLifecycle,
  listenToUnavailableChannels,
} from '../../../src/slack/listeners/lifecycle.ts';
import type { LifecycleEvent } from '../../../src/workspaces/end-installation.ts';

/** The only part of Bolt's app that is used. */
function fakeApp() {
  const listeners = new Map<string, (args: object) => Promise<void>>();
  const app = { event: (event: string, listener: never) => listeners.set(event, listener) } as unknown as App;
  return { app, deliver: (event: string, args: object) => listeners.get(event)?.(args) };
}

/** What the listeners pass on of an event with this body. */
async function passedOn(type: string, body: object, tokens: object = { bot: ['U0BOT'] }): Promise<unknown[]> {
  const events: unknown[] = [];
  const pass = async (event: unknown) => {
    events.push(event);
    return { outcome: 'ignored' } as const;
  };
  const { app, deliver } = fakeApp();
  const logger = pino({ level: 'silent' });
  listenToLifecycle(app, { endOlderThan: pass, endUnlisted: pass, inFlight: createInFlight(), logger });
  await deliver(type, { body: { event_time: 1_795_000_000, ...body }, event: { type, tokens } });
  return events;
}

const at = new Date('2026-11-18T11:06:40Z');
const authorized = (is_enterprise_install: boolean) => ({
  authorizations: [{ enterprise_id: 'E1', is_enterprise_install }],
});

test.each([
  ['a workspace', { team_id: 'T1' }, { teamId: 'T1', enterpriseId: undefined, isOrgWide: false }],
  [
    'a workspace of an organisation',
    { team_id: 'T1', enterprise_id: 'E1', ...authorized(false) },
    { teamId: 'T1', enterpriseId: 'E1', isOrgWide: false },
  ],
  [
    'an organisation, which names a workspace',
    { team_id: 'T1', ...authorized(true) },
    { teamId: 'T1', enterpriseId: 'E1', isOrgWide: true },
  ],
  [
    'an organisation',
    { team_id: null, enterprise_id: 'E1' },
    { teamId: undefined, enterpriseId: 'E1', isOrgWide: true },
  ],
])('the events of %s are passed on, with their time', async (_, body, place) => {
  expect(await passedOn('app_uninstalled', body)).toEqual([{ kind: 'uninstalled', ...place, at }]);
  expect(await passedOn('tokens_revoked', body)).toEqual([{ kind: 'revoked', ...place, at }]);
});

test.each([
  'team_access_granted',
  'team_access_revoked',
] as const)('%s makes the bot ask for the workspaces of the organisation', async (name) => {
  expect(await passedOn(name, { team_id: null, enterprise_id: 'E1' })).toEqual(['E1']);
  expect(await passedOn(name, { team_id: 'T1', ...authorized(false) })).toEqual(['E1']);
  expect(await passedOn(name, { team_id: 'T1' })).toEqual([]);
});

test("a revoked token of a person isn't the bot's", async () => {
  expect(await passedOn('tokens_revoked', { team_id: 'T1' }, { oauth: ['U1'] })).toEqual([]);
  expect(await passedOn('tokens_revoked', { team_id: 'T1' }, { oauth: ['U1'], bot: [] })).toEqual([]);
});

describe('with the token in the settings', () => {
  const place = { teamId: undefined, enterpriseId: undefined, isOrgWide: false };
  /** What an installation in T1 does on an event; `accepted`: whether Slack takes its token, if it says. */
  async function end(
    event: Partial<LifecycleEvent>,
    {
      enterpriseId = 'E1',
      accepted = false,
    }: { enterpriseId?: string | undefined; accepted?: boolean | undefined },
  ): Promise<string> {
    const done: string[] = [];
    const endOlderThan = createOneWorkspaceEnd({
      installation: { teamId: 'T1', teamName: 'One', enterpriseId, botUserId: 'U0BOT', botId: undefined },
      isTokenAccepted: async () => accepted,
      onRefused: () => void done.push('refused'),
      forgetWorkspace: async () => void done.push('forgotten'),
    });
    const { outcome } = await endOlderThan({ kind: 'uninstalled', at, ...place, ...event });
    return [...done, outcome].join(', ');
  }
  const ended = ['refused, forgotten, ended', 'refused, revoked'] as const;
  const ignored = ['ignored', 'ignored'] as const;

  test.each([
    [{ teamId: 'T1' }, {}, ended],
    [{ teamId: 'T1', enterpriseId: 'E1' }, {}, ended],
    [{ enterpriseId: 'E1' }, {}, ended],
    [{ teamId: 'T2' }, {}, ignored],
    [{ teamId: 'T2', enterpriseId: 'E1' }, {}, ignored],
    [{ enterpriseId: 'E2' }, {}, ignored],
    [{}, {}, ignored],
    // Of an earlier installation.
    [{ teamId: 'T1' }, { accepted: true }, ignored],
    [{}, { enterpriseId: undefined }, ignored],
  ])('an uninstall of %j deletes everything of this workspace, a revoked token nothing (%j)', async (event, given, [
    uninstalled,
    revoked,
  ]) => {
    expect(await end(event, given)).toBe(uninstalled);
    expect(await end({ ...event, kind: 'revoked' }, given)).toBe(revoked);
  });
});

test('a stop waits for the work of an unavailable channel, since Slack sends the event only once', async () => {
  const inFlight = createInFlight();
  const { app, deliver } = fakeApp();
  listenToUnavailableChannels(app, pino({ level: 'silent' }));
  const asked = Promise.withResolvers<object>();
  const paused = Promise.withResolvers<void>();
  const info = async () => ({ channel: { id: 'C1', is_archived: true } });
  const onChannelGone = (channel: object) => {
    asked.resolve(channel);
    return paused.promise;
  };
  const slack = {
    inFlight,
    clients: { reads: { conversations: { info } } },
    runDue: async () => {},
    features: [{ onChannelGone }],
  };
  const handled = deliver('channel_left', { event: { channel: 'C1' }, context: { [slackKey]: slack } });
  expect(await asked.promise).toEqual({ channelId: 'C1', code: 'is_archived' });
  expect(inFlight.count()).toBe(1);
  paused.resolve();
  await handled;
  expect(inFlight.count()).toBe(0);
});
