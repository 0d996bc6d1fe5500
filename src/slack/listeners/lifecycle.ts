import type { App } from '@slack/bolt';
import type { Logger } from '../../log.ts';
import { type Installation, isForInstallation } from '../connection/installation.ts';
import type { InFlight } from '../receivers/in-flight.ts';

interface LifecycleOptions {
  installation: Installation;
  inFlight: InFlight;
  /** Deletes everything that is stored of the workspace. */
  forgetWorkspace(): Promise<void>;
  /** The bot can't use Slack until somebody reinstalls it. */
  tokenRevoked(): void;
  logger: Logger;
}

/** The app was uninstalled, or the bot's token revoked. Events of other workspaces are ignored. */
export function listenToLifecycle(app: App, options: LifecycleOptions): void {
  const { installation, inFlight, forgetWorkspace, tokenRevoked, logger } = options;
  app.event('app_uninstalled', async ({ body }) => {
    if (!isForInstallation(body, installation)) return;
    tokenRevoked();
    await inFlight.track(forgetWorkspace());
    logger.warn(
      { workspace: installation.teamId },
      'uninstalled: everything stored of the workspace is deleted',
    );
  });
  app.event('tokens_revoked', async ({ body, event }) => {
    if (!isForInstallation(body, installation)) return;
    if (!event.tokens.bot?.includes(installation.botUserId)) return;
    tokenRevoked();
    logger.warn({ workspace: installation.teamId }, "the bot's token was revoked");
  });
}
