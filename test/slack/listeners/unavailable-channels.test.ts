import type { App } from '@slack/bolt';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createBoltLogger } from '../../../src/slack/connection/bolt-logger.ts';
import { createSlackClients } from '../../../src/slack/connection/clients.ts';
import { partsKey } from '../../../src/slack/edge-parts.ts';
import { listenToUnavailableChannels } from '../../../src/slack/listeners/lifecycle.ts';
import { createInFlight } from '../../../src/slack/receivers/in-flight.ts';
import { waitUntil } from '../../support/wait-until.ts';

test('a stop waits for the work of an unavailable channel, since Slack sends the event only once', async () => {
  const inFlight = createInFlight();
  const listeners = new Map<
    string,
    (args: { event: { channel: string }; context: object }) => Promise<void>
  >();
  const paused = Promise.withResolvers<void>();
  const losing: string[] = [];
  const { reads } = createSlackClients({
    getToken: async () => 'xoxb-1',
    apiUrl: 'http://127.0.0.1:9/',
    fetch: async () => Response.json({ ok: true, channel: { id: 'C1', is_archived: true } }),
    logger: createBoltLogger(pino({ level: 'silent' })),
  });
  listenToUnavailableChannels(
    // The only part of Bolt's app that is used.
    { event: (name: string, listener: never) => listeners.set(name, listener) } as unknown as App,
    pino({ level: 'silent' }),
  );
  const parts = {
    reads,
    inFlight,
    markUnavailable({ channelId, code }: { channelId: string; code: string }) {
      losing.push(`${channelId} ${code}`);
      return paused.promise;
    },
    runDue: async () => {},
  };
  const context = { [partsKey]: parts };
  const handled = listeners.get('channel_left')?.({ event: { channel: 'C1' }, context });
  await waitUntil('it is losing the channel', () => losing.length === 1);
  expect(losing).toEqual(['C1 is_archived']);
  expect(inFlight.count()).toBe(1);
  paused.resolve();
  await handled;
  expect(inFlight.count()).toBe(0);
});
