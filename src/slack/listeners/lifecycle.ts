import type { App } from '@slack/bolt';
import { seenOutside } from '../../features/outsiders.ts';
import type { Logger } from '../../log.ts';
import type { Ended, LifecycleEvent } from '../../workspaces/end-installation.ts';
import type { Installation } from '../../workspaces/installations.ts';
import { type InFlight, type SlackContext, slackFor } from '../context.ts';
import { slackCode } from '../posting/deliver.ts';

export interface LifecycleOptions {
  /** Ends the installation if it is older than the event. */
  endOlderThan(event: LifecycleEvent): Promise<Ended>;
  /** Ends the workspaces that an organisation's installation has lost. */
  endUnlisted(enterpriseId: string): Promise<Ended>;
  inFlight: InFlight;
  logger: Logger;
}

/** These events are about installations, and may be about one that has ended. So no workspace is opened for them. */
export const isLifecycleEvent = (type: string): boolean =>
  /^(?:app_uninstalled|tokens_revoked|team_access_granted|team_access_revoked)$/.test(type);

/** The app was uninstalled, a bot's token revoked, or access to workspaces given or taken, in any organisation. */
export function listenToLifecycle(
  app: App,
  { endOlderThan, endUnlisted, inFlight, logger }: LifecycleOptions,
): void {
  const end = async (kind: LifecycleEvent['kind'], body: Envelope) => {
    const event = { kind, ...placeOf(body), at: new Date(body.event_time * 1000) };
    const { teamId, enterpriseId } = event;
    const ended = await endOlderThan(event);
    const fields = { kind, team: teamId, enterprise: enterpriseId, ...ended };
    logger.warn(fields, 'Slack says that an installation has ended');
  };
  // Slack sends an acknowledged event only once, so a stop waits for this work.
  app.event('app_uninstalled', ({ body }) => inFlight.track(end('uninstalled', body)));
  const changeAccess = async (body: Envelope, event: { type: string; team_ids: string[] }) => {
    const { enterpriseId } = placeOf(body);
    if (enterpriseId === undefined) return;
    // Slack may repeat the event, and send it late and in any order. So only what Slack says now counts.
    const ended = await endUnlisted(enterpriseId);
    const fields = { enterprise: enterpriseId, teams: event.team_ids, ...ended };
    logger.info(fields, `Slack says ${event.type}`);
  };
  app.event('team_access_granted', ({ body, event }) => inFlight.track(changeAccess(body, event)));
  app.event('team_access_revoked', ({ body, event }) => inFlight.track(changeAccess(body, event)));
  app.event('tokens_revoked', async ({ body, event }) => {
    if (event.tokens.bot?.length) await inFlight.track(end('revoked', body));
  });
}

interface Envelope {
  team_id?: string | null;
  enterprise_id?: string | null;
  /** Unix seconds. */
  event_time: number;
  authorizations?: readonly { enterprise_id: string | null; is_enterprise_install?: boolean }[];
}

/** On Enterprise Grid the team may be null. */
function placeOf({ team_id, enterprise_id, authorizations }: Envelope) {
  const enterpriseId = enterprise_id ?? authorizations?.[0]?.enterprise_id ?? undefined;
  const isOrgWide = authorizations?.[0]?.is_enterprise_install ?? (!team_id && enterpriseId !== undefined);
  return { teamId: team_id ?? undefined, enterpriseId, isOrgWide };
}

/**
 * With the token in the settings nothing is stored of the installation, so Slack is asked each time: while it accepts the
 * token, the event is about an earlier installation. Events of other workspaces are ignored.
 */
export function createOneWorkspaceEnd(options: {
  installation: Installation;
  /** Undefined if Slack doesn't say. */
  isTokenAccepted(): Promise<boolean | undefined>;
  /** The bot can't use Slack until somebody installs it again. */
  onRefused(): void;
  /** Deletes everything that is stored about the workspace. */
  forgetWorkspace(): Promise<void>;
}): LifecycleOptions['endOlderThan'] {
  const { installation, isTokenAccepted, onRefused, forgetWorkspace } = options;
  return async ({ kind, teamId, enterpriseId }) => {
    // On Enterprise Grid an event may name no team.
    const isOfOurs = enterpriseId !== undefined && enterpriseId === installation.enterpriseId;
    const isForUs = teamId ? teamId === installation.teamId : isOfOurs;
    if (!isForUs || (await isTokenAccepted())) return { outcome: 'ignored' };
    onRefused();
    if (kind === 'uninstalled') await forgetWorkspace();
    return { outcome: kind === 'uninstalled' ? 'ended' : 'revoked', workspaceIds: [installation.teamId] };
  };
}

/** The error that a post to the channel would get after each event. */
const codeByEvent = {
  channel_archive: 'is_archived',
  group_archive: 'is_archived',
  channel_left: 'not_in_channel',
  group_left: 'not_in_channel',
  channel_deleted: 'channel_not_found',
  group_deleted: 'channel_not_found',
  channel_shared: seenOutside,
} as const;

/** Acts when a channel is archived, deleted or shared, or the bot removed from it, before the next post there. */
export function listenToUnavailableChannels(app: App, logger: Logger): void {
  const markIfUnavailable = async (channelId: string, eventCode: string, slack: SlackContext) => {
    const code = await currentCode(channelId, eventCode, slack);
    if (code === undefined) return;
    // Pauses the channel's watches and digests, and notifies their owners once.
    for (const { onChannelGone } of slack.features) await onChannelGone?.({ channelId, code }, slack.ctx);
    logger.info({ channel: channelId, code }, 'a channel is unavailable: its watches and digests are paused');
    await slack.runDue();
  };
  for (const [type, code] of Object.entries(codeByEvent)) {
    // Object.entries does not keep the type of the keys.
    app.event(type as keyof typeof codeByEvent, ({ event, context }) => {
      const slack = slackFor(context);
      // Slack sends an acknowledged event only once, so a stop waits for this work.
      return slack.inFlight.track(markIfUnavailable(event.channel, code, slack));
    });
  }
}

/** Asks Slack, since events may come minutes late. Undefined if the bot can post there, and no outsider reads it. */
async function currentCode(
  channelId: string,
  eventCode: string,
  { lookups, clients }: SlackContext,
): Promise<string | undefined> {
  // If Slack does not answer, the next message is checked before it goes out.
  if (eventCode === seenOutside)
    return (await lookups.readersOf(channelId, { fresh: true })) === 'outside' ? seenOutside : undefined;
  try {
    const { channel } = await clients.reads.conversations.info({ channel: channelId });
    if (channel?.is_archived) return 'is_archived';
    return channel?.is_member ? undefined : 'not_in_channel';
  } catch (error) {
    return slackCode(error) === 'channel_not_found' ? 'channel_not_found' : eventCode;
  }
}
