import type { Destination, Message, Reader } from '../../answers/message.ts';
import { messageOf, UserError } from '../../errors.ts';
import type { ParsedLine } from '../../features/command.ts';
import { type AskCtx, withinDeadline } from '../../features/ctx.ts';
import type { BoundAction } from '../../features/feature.ts';
import { isPersonal, type Privacy } from '../../features/line.ts';
import type { Visibility } from '../../workspaces/settings.ts';
import type { SlackContext } from '../context.ts';
import type { Lookups, SlackUser } from '../people/lookups.ts';

/** One request of a person, from any surface. */
export interface Ask {
  surface: 'slash' | 'message' | 'link' | 'run' | 'refresh' | 'share' | 'action' | 'file' | 'form' | 'home';
  /** The words typed, the command line of a button, or an action to run. */
  line: string | BoundAction;
  /** Identifies the request: the same for every delivery, and for every click on one button or form. */
  key?: string;
  user: SlackUser;
  /** The person's own id outside channels. */
  channelId: string;
  /** The thread in which the person wrote. */
  threadTs?: string | undefined;
  /**
   * `as-typed`: the line's last word decides, otherwise the channel's setting; `unless-personal`: public, unless the
   * answer differs from person to person. Default: private.
   */
  visibility?: Visibility | 'as-typed' | 'unless-personal' | undefined;
  /** The answer goes to a thread, which not everybody in the channel reads. */
  inThread?: boolean;
  /** People of another organisation would read the answer. */
  needsConfirmation?: boolean;
  /** The channel in which the person has just allowed people of other organisations to see what is posted. */
  allowsOutsidersIn?: string | undefined;
}

/** How a surface answers. Each resolves when Slack has accepted the message. */
export interface Replies {
  /** Shows that the answer takes longer; in private until it is known who may see the answer. */
  working(visibility: Visibility): Promise<void>;
  answer(message: Message, visibility: Visibility): Promise<void>;
  failure(message: Message, visibility: Visibility): Promise<void>;
  /** Answers a person who may not use Landfall. Default: `failure`, in private. */
  decline?(message: Message): Promise<void>;
}

/** For what nobody has asked for in words: whatever fails is only in the log. */
export const noReplies: Replies = {
  working: async () => undefined,
  answer: async () => undefined,
  failure: async () => undefined,
};

/** The only function that reads a channel's kind from its id: `D…` is a direct message, `C…` and `G…` are channels. */
export function destinationOf({ channelId, user }: Pick<Ask, 'channelId' | 'user'>): Destination {
  if (channelId === user.id) return 'response';
  return channelId.startsWith('D') ? 'direct-message' : 'channel';
}

/** Their direct message with the bot: a slash command may also be typed in one with somebody else. */
export async function isOwnDirectMessage(
  ask: Pick<Ask, 'channelId' | 'user'>,
  { directMessageOf }: Pick<Lookups, 'directMessageOf'>,
): Promise<boolean> {
  if (destinationOf(ask) !== 'direct-message') return false;
  return (await directMessageOf(ask.user.id).catch(() => undefined)) === ask.channelId;
}

/** Who reads what is posted where the person asks. */
export async function audienceAround(
  ask: Pick<Ask, 'channelId' | 'user'>,
  lookups: Pick<Lookups, 'directMessageOf' | 'audienceOf'>,
): Promise<Reader['audience']> {
  const destination = (await isOwnDirectMessage(ask, lookups)) ? 'direct-message' : 'channel';
  return await lookups.audienceOf({ channelId: ask.channelId, destination });
}

/** A parsed line or an action, ready to run. */
export interface Work extends BoundAction {
  /** The command line, for a button that runs it again. */
  line?: string;
  /** Set if the line ends in `public` or `private`. */
  visibility?: Visibility;
  privacy?: Privacy;
  /** The line, if a plain question was typed. */
  understoodAs?: string;
}

/** Throws UserError for a line that can't be parsed, or that a button must not run. */
export async function workOf(
  { line, ...ask }: Ask,
  vessels: AskCtx['vessels'],
  slack: SlackContext,
): Promise<Work> {
  if (typeof line !== 'string') return line;
  const parsed = await parseInThread(line, ask, { vessels, slack });
  checkRepeatable(ask.surface, parsed);
  return { name: parsed.line, ...parsed };
}

/** Refresh and Share run a line again, so an old or forged button must not change anything through them. */
function checkRepeatable(surface: Ask['surface'], { line, repeatable }: ParsedLine): void {
  if (repeatable || (surface !== 'refresh' && surface !== 'share')) return;
  throw new UserError({
    code: 'not-allowed',
    message: `This can't be ${surface === 'share' ? 'shared' : 'refreshed'}, so nothing was done.`,
    hint: 'Type it after a slash instead.',
    example: line,
  });
}

type Asked = Omit<Ask, 'line' | 'surface'>;

/** Parses a line; one without a vessel is about those of its thread. */
async function parseInThread(
  line: string,
  ask: Asked,
  { vessels, slack }: { vessels: AskCtx['vessels']; slack: SlackContext },
): Promise<ParsedLine> {
  const threadVessels = await vesselsOfThread(ask, slack);
  try {
    return slack.parseLine(line, { vessels, threadVessels });
  } catch (error) {
    // Slack is asked only where the line can't do without.
    const isIncomplete = error instanceof UserError && threadVessels.length === 0;
    const threadText = isIncomplete ? await textAbove(ask, slack) : undefined;
    if (threadText === undefined) throw error;
    return slack.parseLine(line, { vessels, threadText });
  }
}

/** Those that a feature knows. Empty if they can't be read: then the line has to name its vessel. */
async function vesselsOfThread({ channelId, threadTs }: Asked, { features, ctx, logger }: SlackContext) {
  if (threadTs === undefined) return [];
  try {
    const thread = { channelId, threadTs };
    const vessels = features.map((feature) => feature.vesselsOfThread?.(thread, ctx) ?? []);
    return (await Promise.all(vessels)).flat();
  } catch (error) {
    logger.warn({ err: error }, "a thread's vessels can't be read");
    return [];
  }
}

/** The person's own message above: with an agent, each question begins a thread. */
async function textAbove(ask: Asked, slack: SlackContext): Promise<string | undefined> {
  const { channelId, threadTs, user } = ask;
  if (!slack.isAgent || threadTs === undefined || destinationOf(ask) !== 'direct-message') return undefined;
  try {
    const { userId, text } = await slack.lookups.firstOfThread({ channelId, threadTs });
    return userId === user.id ? text : undefined;
  } catch (error) {
    slack.logger.warn({ reason: messageOf(error) }, "a thread's first message can't be read");
    return undefined;
  }
}

const waitMs = 1_000;

/** Who may see an answer. Throws UserError if a private answer was requested in public. */
export async function visibilityOf(
  ask: Asked,
  work: Pick<Work, 'name' | 'visibility' | 'privacy'>,
  slack: SlackContext,
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
async function settingOf(ask: Asked, { ctx, lookups, logger }: SlackContext): Promise<Visibility> {
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
