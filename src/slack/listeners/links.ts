import type { App, BlockAction } from '@slack/bolt';
import type { LinkSharedEvent } from '@slack/types';
import { workingNotice } from '../../answers/slack/notices.ts';
import { UserError } from '../../errors.ts';
import type { BoundAction, LinkQuestion } from '../../features/feature.ts';
import { runOnce, type SlackContext, slackFor } from '../context.ts';
import { dispatch, noReplies, type Replies } from '../dispatch.ts';
import { userOf } from '../people/lookups.ts';
import type { UnfurlTarget } from '../posting/messenger.ts';

/** Of one message. A long list of links is no question. */
const maxLinks = 3;

/** Links that people post, or write in the composer: what they are about is shown under them to all who read them. */
export function listenToLinks(app: App): void {
  app.event('link_shared', async ({ event, context }) => {
    const slack = slackFor(context);
    const links = linksIn(event, slack);
    if (links.length === 0) return;
    const allowed = mayBeShown(event, slack);
    await Promise.all(links.map((link) => unfoldOnce(link, { event, allowed }, slack)));
  });
}

/** A click on a button under a link. */
export const isUnfurl = ({ container }: Pick<BlockAction, 'container'>): boolean =>
  container.type === 'message_attachment';

interface Link {
  /** As it was posted: Slack compares it. */
  url: string;
  question: LinkQuestion;
}

/** At most three, each about something else. */
function linksIn({ links }: LinkSharedEvent, slack: SlackContext): Link[] {
  const byKey = new Map<string, Link>();
  for (const { url } of links) {
    const question = readLink(url, slack);
    if (question && !byKey.has(question.key)) byKey.set(question.key, { url, question });
  }
  return [...byKey.values()].slice(0, maxLinks);
}

/** Undefined for a link that no feature reads. */
const readLink = (url: string, { features }: SlackContext): LinkQuestion | undefined =>
  features.map(({ readLink }) => readLink?.(url)).find((question) => question !== undefined);

const isComposer = ({ channel, source }: LinkSharedEvent): boolean =>
  source === 'composer' || channel === 'COMPOSER';

/** Slack reports links in every conversation, and names none for the composer. Everybody there reads what is shown. */
async function mayBeShown(event: LinkSharedEvent, slack: SlackContext): Promise<boolean> {
  const mode = await slack.ctx.services.links.getCached();
  if (isComposer(event)) return mode === 'composer' && event.unfurl_id !== undefined;
  if (mode === 'off' || !event.is_bot_user_member) return false;
  return await isReadInside(event.channel, slack);
}

/** Asks Slack afresh, since people of another organisation may have joined just now. */
const isReadInside = async (channelId: string, { lookups }: SlackContext): Promise<boolean> =>
  (await lookups.readersOf(channelId, { fresh: true })) === 'channel';

/**
 * Once per link and message. After a restart a repeated delivery is answered again, which does no harm: Slack replaces
 * what is under the link.
 */
async function unfoldOnce(
  { url, question }: Link,
  { event, allowed }: { event: LinkSharedEvent; allowed: Promise<boolean> },
  slack: SlackContext,
): Promise<void> {
  const { channel, message_ts: ts, unfurl_id: unfurlId, user: userId } = event;
  const isWritten = isComposer(event) && unfurlId !== undefined;
  const target: UnfurlTarget = isWritten ? { unfurlId } : { channel, ts };
  const unfold = async () => {
    if (!(await allowed)) return;
    const user = { id: userId, teamId: undefined };
    const line = question.ask('link', slack.ctx);
    await dispatch(
      isWritten
        ? { surface: 'link', line, user, channelId: userId }
        : { surface: 'link', line, user, channelId: channel, visibility: 'public' },
      { ...noReplies, answer: (message) => slack.messenger.unfurl(target, url, message) },
      slack,
    );
  };
  await runOnce(`link ${channel} ${ts} ${url}`, unfold, slack);
}

/** The person who clicks sees what fails; the others see the former answer. */
export async function refreshLink(body: BlockAction, slack: SlackContext): Promise<void> {
  const { messenger } = slack;
  const { channel_id, message_ts: ts, thread_ts, app_unfurl_url: url } = body.container;
  const channel = body.channel?.id ?? channel_id;
  const question = readLink(String(url), slack);
  if (!question || !channel) return;
  const user = userOf(body);
  const threadTs = body.message?.thread_ts ?? thread_ts;
  const ephemeral = { channel, user: user.id, ...(threadTs && { threadTs }) };
  const privately: Replies['failure'] = (message) => messenger.postEphemeral(ephemeral, message);
  await dispatch(
    {
      surface: 'refresh',
      line: ifAllowed(question.ask('refresh', slack.ctx), channel, slack),
      user,
      channelId: channel,
      visibility: 'public',
    },
    {
      working: () => privately(workingNotice, 'private'),
      answer: (message) => messenger.unfurl({ channel, ts }, url, message),
      failure: privately,
    },
    slack,
  );
}

/** Throws UserError if links are no longer unfolded there. */
const ifAllowed = (action: BoundAction, channelId: string, slack: SlackContext): BoundAction => ({
  ...action,
  async run(context) {
    if ((await slack.ctx.services.links.getCached()) === 'off')
      throw notRefreshed('Workspace admins have switched off what links show.', action);
    if (!(await isReadInside(channelId, slack)))
      throw notRefreshed('People from another organisation can read this channel.', action);
    return await action.run(context);
  },
});

const notRefreshed = (reason: string, { name }: BoundAction): UserError =>
  new UserError({
    code: 'not-allowed',
    message: `${reason} So the answer under the link stays as it is.`,
    hint: 'For yourself, type the line after a slash.',
    example: name,
    isPersonal: true,
  });
