import type { Installation } from '@slack/oauth';
import { WebAPIHTTPError, WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api';
import type { Granted } from '../../workspaces/save-installation.ts';

/** Throws if Slack gave no bot token. */
export function toGranted(installation: Installation, installedAt: Date): Granted {
  const { bot, team, enterprise, isEnterpriseInstall, user, appId } = installation;
  if (!bot) throw new Error('Slack gave no bot token: the app has no bot scopes');
  const isOrgWide = isEnterpriseInstall === true;
  const place = isOrgWide ? enterprise : team;
  return {
    isOrgWide,
    enterpriseId: enterprise?.id,
    teamId: isOrgWide ? undefined : team?.id,
    name: place?.name ?? (isOrgWide ? 'your organisation' : 'your workspace'),
    botUserId: bot.userId,
    botId: bot.id,
    appId,
    installerId: user.id,
    scopes: bot.scopes,
    token: bot.token,
    refreshToken: bot.refreshToken,
    // In seconds.
    expiresAt: bot.expiresAt === undefined ? undefined : new Date(bot.expiresAt * 1000),
    installedAt,
  };
}

/** Slack did not answer, or not now. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof WebAPIRequestError ||
  error instanceof WebAPIHTTPError ||
  error instanceof WebAPIRateLimitedError;
