import type { App } from '@slack/bolt';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { createOneWorkspaceEnd, listenToLifecycle } from '../../../src/slack/listeners/lifecycle.ts';
import { createInFlight } from '../../../src/slack/receivers/in-flight.ts';
import type { LifecycleEvent } from '../../../src/workspaces/end-installation.ts';

type Name = 'app_uninstalled' | 'tokens_revoked' | 'team_access_granted' | 'team_access_revoked';

/** What the listeners pass on of an event with this body. */
async function passedOn(
  name: Name,
  body: object,
  tokens: object = { bot: ['U0BOT'] },
): Promise<(LifecycleEvent | string)[]> {
  const events: (LifecycleEvent | string)[] = [];
  const listeners = new Map<string, (args: object) => Promise<void>>();
  listenToLifecycle(
    // The only part of Bolt's app that is used.
    { event: (event: string, listener: never) => listeners.set(event, listener) } as unknown as App,
    {
      async endOlderThan(event) {
        events.push(event);
        return { outcome: 'ignored' };
      },
      async endUnlisted(enterpriseId) {
        events.push(enterpriseId);
        return { outcome: 'ignored' };
      },
      inFlight: createInFlight(),
      logger: pino({ level: 'silent' }),
    },
  );
  await listeners.get(name)?.({
    body: { event_time: 1_795_000_000, ...body },
    event: { type: name, tokens },
  });
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
  /** What an installation in T1 of an organisation does on an event. */
  async function end(
    event: Partial<LifecycleEvent>,
    { enterpriseId = 'E1', accepted = false }: { enterpriseId?: string; accepted?: boolean | 'unknown' } = {},
  ): Promise<string[]> {
    const done: string[] = [];
    const endOlderThan = createOneWorkspaceEnd({
      installation: {
        teamId: 'T1',
        teamName: 'One',
        enterpriseId: enterpriseId || undefined,
        botUserId: 'U0BOT',
        botId: undefined,
      },
      isTokenAccepted: async () => (accepted === 'unknown' ? undefined : accepted),
      onRefused: () => void done.push('refused'),
      forgetWorkspace: async () => void done.push('forgotten'),
    });
    const place = { teamId: undefined, enterpriseId: undefined, isOrgWide: false };
    const { outcome } = await endOlderThan({ kind: 'uninstalled', at, ...place, ...event });
    return [...done, outcome];
  }

  const here = [{ teamId: 'T1' }, { teamId: 'T1', enterpriseId: 'E1' }, { enterpriseId: 'E1' }];
  const elsewhere = [{ teamId: 'T2' }, { teamId: 'T2', enterpriseId: 'E1' }, { enterpriseId: 'E2' }, {}];

  test.each(
    here,
  )('an uninstall of this workspace (%j) deletes everything, a revoked token nothing', async (place) => {
    expect(await end(place)).toEqual(['refused', 'forgotten', 'ended']);
    expect(await end({ ...place, kind: 'revoked' })).toEqual(['refused', 'revoked']);
  });

  test.each(elsewhere)('an event of another workspace (%j) does nothing', async (place) => {
    expect(await end(place)).toEqual(['ignored']);
    expect(await end({ ...place, kind: 'revoked' })).toEqual(['ignored']);
  });

  test('an event of an earlier installation does nothing: Slack accepts the token', async () => {
    expect(await end({ teamId: 'T1' }, { accepted: true })).toEqual(['ignored']);
    expect(await end({ teamId: 'T1', kind: 'revoked' }, { accepted: true })).toEqual(['ignored']);
  });

  test('an event counts if Slack does not answer', async () => {
    expect(await end({ teamId: 'T1' }, { accepted: 'unknown' })).toEqual(['refused', 'forgotten', 'ended']);
  });

  test('outside of any organisation, a body without a team is ignored', async () => {
    expect(await end({}, { enterpriseId: '' })).toEqual(['ignored']);
  });
});
