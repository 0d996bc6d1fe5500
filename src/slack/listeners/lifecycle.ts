import type { App } from '@slack/bolt';
import type { Logger } from 'pino';
import type { Installation } from '../connection/installation.ts';
import type { InFlight } from '../receivers/in-flight.ts';

export interface LifecycleOptions {
  installation: Installation;
  inFlight: InFlight;
  /** Takes out everything that is kept of the workspace. */
  forgetWorkspace(): Promise<void>;
  /** The bot can't reach Slack any more until somebody installs it anew. */
  tokenRevoked(): void;
  logger: Logger;
}

/** The app was uninstalled, or the bot's token taken away. */
export function listenToLifecycle(app: App, options: LifecycleOptions): void {
  const { installation, inFlight, forgetWorkspace, tokenRevoked, logger } = options;
  app.event('app_uninstalled', async () => {
    tokenRevoked();
    await inFlight.track(forgetWorkspace());
    logger.warn(
      { workspace: installation.teamId },
      'uninstalled: all that was kept of the workspace is deleted',
    );
  });
  app.event('tokens_revoked', async ({ event }) => {
    if (!event.tokens.bot?.includes(installation.botUserId)) return;
    tokenRevoked();
    logger.warn({ workspace: installation.teamId }, "the bot's token was revoked");
  });
}
