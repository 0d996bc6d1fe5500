// What each subject talks to: the sandbox in a process of its own (50 ms per request), and the local Slack with the
// load in this process.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createPlayground } from '../src/playground/playground.ts';
import { createLoad } from './load.ts';
import type { SandboxCounts, SandboxReady } from './sandbox-process.ts';

export type Services = Awaited<ReturnType<typeof startServices>>;

export async function startServices() {
  const sandboxProcess = fork(new URL('./sandbox-process.ts', import.meta.url), ['50']);
  // The child's own types: it sends `SandboxReady` first, then `SandboxCounts` for each message.
  const [sandbox] = (await once(sandboxProcess, 'message')) as [SandboxReady];
  const load = createLoad();
  const slack = await createPlayground({ mode: 'http', rateLimit: false, onDelivery: load.onDelivery });
  const [asker] = slack.world.users;
  const channel = slack.world.channels.find(({ memberIds }) => asker && memberIds.includes(asker.id));
  if (!asker || !channel) throw new Error('The local Slack has no user');
  const say = (text: string) => slack.say({ userId: asker.id, channelId: channel.id, text });
  return {
    slack,
    /** One command line per vessel. */
    questions: sandbox.vessels.map((imo) => `/nextport ${imo}`),
    run: (plan: { lines: readonly string[]; samples: number; concurrency: number }) => load.run(say, plan),
    env: {
      ...sandbox.env,
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_SIGNING_SECRET: slack.signingSecret,
      SLACK_API_URL: slack.apiUrl,
      LANDFALL_DATA_DIR: ':memory:',
    },
    /** The sandbox's totals since the start. */
    async sandboxCounts(): Promise<SandboxCounts> {
      sandboxProcess.send('counts');
      const [counts] = (await once(sandboxProcess, 'message')) as [SandboxCounts]; // see above
      return counts;
    },
    async close(): Promise<void> {
      await slack.close();
      sandboxProcess.disconnect();
    },
  };
}
