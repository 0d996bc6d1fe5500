import type { App } from '@slack/bolt';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { listenToLifecycle } from '../../../src/slack/listeners/lifecycle.ts';
import { createInFlight } from '../../../src/slack/receivers/in-flight.ts';

interface Place {
  team_id?: string | null;
  enterprise_id?: string | null;
}

/** What an installation in T1 of E1 does on an event with this body. */
async function receive(
  name: 'app_uninstalled' | 'tokens_revoked',
  body: Place,
  { enterpriseId }: { enterpriseId: string | undefined } = { enterpriseId: 'E1' },
): Promise<string[]> {
  const done: string[] = [];
  const listeners = new Map<string, (args: object) => Promise<void>>();
  listenToLifecycle(
    // The only part of Bolt's app that is used.
    { event: (event: string, listener: never) => listeners.set(event, listener) } as unknown as App,
    {
      installation: { teamId: 'T1', teamName: 'One', enterpriseId, botUserId: 'U0BOT', botId: undefined },
      inFlight: createInFlight(),
      forgetWorkspace: async () => void done.push('forgotten'),
      onTokenRevoked: () => void done.push('revoked'),
      logger: pino({ level: 'silent' }),
    },
  );
  await listeners.get(name)?.({ body, event: { type: name, tokens: { bot: ['U0BOT'] } } });
  return done;
}

const here: Place[] = [
  { team_id: 'T1' },
  { team_id: 'T1', enterprise_id: 'E1' },
  { team_id: null, enterprise_id: 'E1' },
];
const elsewhere: Place[] = [
  { team_id: 'T2' },
  { team_id: 'T2', enterprise_id: 'E1' },
  { team_id: null, enterprise_id: 'E2' },
  { team_id: null, enterprise_id: null },
  {},
];

test.each(
  here,
)('an event of this workspace (%j): an uninstall deletes everything, a revoked token nothing', async (body) => {
  expect(await receive('app_uninstalled', body)).toEqual(['revoked', 'forgotten']);
  expect(await receive('tokens_revoked', body)).toEqual(['revoked']);
});

test.each(elsewhere)('an event of another workspace (%j) does nothing', async (body) => {
  expect(await receive('app_uninstalled', body)).toEqual([]);
  expect(await receive('tokens_revoked', body)).toEqual([]);
});

test('an installation outside of any enterprise ignores a body without a team', async () => {
  for (const body of [{ team_id: null, enterprise_id: null }, {}])
    expect(await receive('app_uninstalled', body, { enterpriseId: undefined })).toEqual([]);
});
