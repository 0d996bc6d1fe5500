import { UserError } from '../../errors.ts';
import { withinDeadline } from '../../features/deadline.ts';
import { isPersonal } from '../../features/line.ts';
import type { Visibility } from '../../workspaces/settings.ts';
import type { SlackContext } from '../context.ts';
import { type Ask, audienceAround, destinationOf } from './ask.ts';
import type { Work } from './work.ts';

type Asked = Pick<Ask, 'visibility' | 'channelId' | 'user'>;
type Slack = Pick<SlackContext, 'ctx' | 'lookups' | 'logger'>;

const waitMs = 1_000;

/** Who may see an answer. Throws UserError if a private answer was requested in public. */
export async function visibilityOf(
  ask: Asked,
  work: Pick<Work, 'name' | 'visibility' | 'privacy'>,
  slack: Slack,
): Promise<Visibility> {
  const { visibility = 'private' } = ask;
  const { name, privacy } = work;
  if (privacy === 'never-shared') {
    if (visibility === 'private' || visibility === 'as-typed') return 'private';
    const hint = 'Type it after a slash, or in a direct message with me.';
    throw notAllowed(name, "This isn't shown where others can read it.", hint);
  }
  let chosen: Visibility;
  if (visibility === 'as-typed')
    chosen = work.visibility ?? (privacy === 'open' ? await settingOf(ask, slack) : 'private');
  else if (visibility === 'unless-personal')
    chosen = isPersonal(work) ? (work.visibility ?? 'private') : 'public';
  else chosen = visibility;
  const isInternal = privacy === 'internal' && chosen === 'public';
  if (isInternal && (await audienceAround(ask, slack.lookups)) === 'outside')
    throw notAllowed(
      name,
      "This isn't shown in a channel that people from another organisation can read.",
      'For yourself, type it after a slash without “public”, or in a direct message with me.',
    );
  return chosen;
}

/** The channel's setting; private if outsiders read there, or if the setting can't be read. */
async function settingOf(ask: Asked, { ctx, lookups, logger }: Slack): Promise<Visibility> {
  if (destinationOf(ask) !== 'channel') return 'private';
  try {
    const { getCached } = ctx.services.channels;
    const { visibility } = await withinDeadline(waitMs, () => getCached(ask.channelId));
    if (visibility === 'private') return 'private';
  } catch (error) {
    logger.warn({ err: error }, "a channel's settings can't be read: the answer is private");
    return 'private';
  }
  return (await audienceAround(ask, lookups)) === 'channel' ? 'public' : 'private';
}

const notAllowed = (example: string, message: string, hint: string): UserError =>
  new UserError({ code: 'not-allowed', message, hint, example });
