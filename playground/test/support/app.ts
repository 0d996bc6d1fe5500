import { App, type AppOptions, type Logger, LogLevel } from '@slack/bolt';
import { createPlayground, type Playground, type PlaygroundOptions } from '../../src/index.ts';

export interface PlaygroundApp {
  playground: Playground;
  app: App;
  stop(): Promise<void>;
}

export const quietLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => LogLevel.ERROR,
  setName() {},
};

/** A local Slack with an unmodified Bolt app connected in either mode. */
export async function startPlaygroundApp(
  options: PlaygroundOptions,
  register: (app: App) => void,
  appOptions: (playground: Playground) => AppOptions = () => ({}),
): Promise<PlaygroundApp> {
  const playground = await createPlayground(options);
  const { botToken, appToken, signingSecret, apiUrl } = playground;
  const isSocket = options.mode === 'socket';
  const app = new App({
    token: botToken,
    logger: quietLogger,
    clientOptions: { slackApiUrl: apiUrl, retryConfig: { retries: 0 } },
    ...(isSocket ? { socketMode: true, appToken } : { signingSecret }),
    ...appOptions(playground),
  });
  register(app);
  await app.start(0);
  if (!isSocket) playground.setRequestUrl(`http://127.0.0.1:${portOf(app)}/slack/events`);
  await playground.waitForApp();
  return {
    playground,
    app,
    async stop() {
      await app.stop();
      await playground.close();
    },
  };
}

function portOf(app: App): number {
  // Bolt's receiver and its server are private, and nothing else knows the random port.
  const receiver = Reflect.get(app, 'receiver') as { server: { address(): { port: number } } };
  return receiver.server.address().port;
}
