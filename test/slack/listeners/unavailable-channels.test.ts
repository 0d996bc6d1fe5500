import type { App } from '@slack/bolt';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { slackKey } from '../../../src/slack/context.ts';
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
  listenToUnavailableChannels(
    // The only part of Bolt's app that is used.
    { event: (name: string, listener: never) => listeners.set(name, listener) } as unknown as App,
    pino({ level: 'silent' }),
  );
  const info = async () => ({ channel: { id: 'C1', is_archived: true } });
  const slack = {
    ...{ inFlight, clients: { reads: { conversations: { info } } }, runDue: async () => {} },
    all: [
      {
        onChannelGone({ channelId, code }: { channelId: string; code: string }) {
          losing.push(`${channelId} ${code}`);
          return paused.promise;
        },
      },
    ],
  };
  const context = { [slackKey]: slack };
  const handled = listeners.get('channel_left')?.({ event: { channel: 'C1' }, context });
  await waitUntil('it is losing the channel', () => losing.length === 1);
  expect(losing).toEqual(['C1 is_archived']);
  expect(inFlight.count()).toBe(1);
  paused.resolve();
  await handled;
  expect(inFlight.count()).toBe(0);
});
