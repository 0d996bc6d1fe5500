import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { afterEach } from 'vitest';
import type { Playground, PlaygroundOptions } from '../../src/index.ts';
import { type PlaygroundApp, startPlaygroundApp } from './app.ts';
import { input } from './views.ts';

export const ADA = 'U0ADA0001';
export const BEN = 'U0BEN0001';
export const OPS = 'C0OPS00001';

type Start = (register: (app: App) => void, options?: Partial<PlaygroundOptions>) => Promise<PlaygroundApp>;

/** Starts local Slacks with a Bolt app. Registers the hook that stops them after each test. */
export function appStarter(): Start {
  let running: PlaygroundApp | undefined;
  afterEach(async () => {
    await running?.stop();
    running = undefined;
  });
  return async (register, options = {}) => {
    running = await startPlaygroundApp({ mode: 'socket', ...options }, register);
    return running;
  };
}

/** Registers `/open`, which opens this view. */
export const opens = (app: App, view: ModalView): void =>
  app.command('/open', async ({ ack, client, body }) => {
    await client.views.open({ trigger_id: body.trigger_id, view });
    await ack();
  });

export const open = (slack: Playground, userId = ADA) => slack.say({ userId, channelId: OPS, text: '/open' });

/** The topmost modal of the user. */
export const top = (slack: Playground, userId = ADA) => slack.views(userId).at(-1);

export const submit = (slack: Playground, values = {}) =>
  slack.submitView({ userId: ADA, viewId: top(slack)?.id ?? '', values });

export const titles = (slack: Playground) => slack.views(ADA).map((view) => view.title?.text);

export const vesselInput = input(
  'vessel',
  { type: 'plain_text_input', action_id: 'v', min_length: 3 },
  false,
);
