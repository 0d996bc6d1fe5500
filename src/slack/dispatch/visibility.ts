import { UserError } from '../../errors.ts';
import { isPersonal, type Privacy } from '../../features/command.ts';
import { withinDeadline } from '../../features/deadline.ts';
import type { Logger } from '../../log.ts';
import type { Visibility } from '../../workspaces/settings.ts';
import type { Audiences } from '../people/audiences.ts';
import type { Ask } from './ask.ts';

type Asked = Pick<Ask, 'visibility' | 'channelId' | 'destination'>;

/** Who may see the answer. Throws UserError if a private answer was asked for in public. */
export type VisibilityOf = (
  ask: Asked,
  work: { name: string; visibility?: Visibility; privacy?: Privacy },
) => Promise<Visibility>;

const waitMs = 1_000;

/** Answers are private by default where outsiders read, and where the channel's settings can't be read. */
export function createVisibility(options: {
  visibilityIn(channelId: string): Promise<Visibility>;
  audiences: Audiences;
  logger: Logger;
}): VisibilityOf {
  const { visibilityIn, audiences, logger } = options;

  const chosenFor = async ({ channelId, destination }: Omit<Asked, 'visibility'>): Promise<Visibility> => {
    if (destination !== 'channel') return 'private';
    try {
      if ((await withinDeadline(waitMs, () => visibilityIn(channelId))) === 'private') return 'private';
    } catch (error) {
      logger.warn({ err: error }, "a channel's settings can't be read: the answer is private");
      return 'private';
    }
    return (await audiences.of(channelId)) === 'channel' ? 'public' : 'private';
  };

  const chosenBy = async (
    { visibility, ...place }: Asked,
    work: { visibility?: Visibility; privacy?: Privacy },
  ): Promise<Visibility> => {
    switch (visibility) {
      case 'words':
        return work.visibility ?? (work.privacy === 'open' ? await chosenFor(place) : 'private');
      case 'unless-personal':
        return isPersonal(work) ? (work.visibility ?? 'private') : 'public';
      default:
        return visibility;
    }
  };

  return async (ask, work) => {
    const { visibility, channelId } = ask;
    if (work.privacy === 'closed') {
      if (visibility === 'public' || visibility === 'unless-personal') throw onlyForYou(work.name);
      return 'private';
    }
    const chosen = await chosenBy(ask, work);
    const inside = work.privacy === 'inside' && chosen === 'public';
    if (inside && (await audiences.of(channelId)) === 'outside') throw notForOutsiders(work.name);
    return chosen;
  };
}

const notForOutsiders = (line: string): UserError =>
  new UserError({
    code: 'not-allowed',
    message: 'This is not shown where people of another organisation may read.',
    hint: 'For yourself, type it behind a slash without “public”, or in a direct message with me.',
    example: line,
  });

const onlyForYou = (line: string): UserError =>
  new UserError({
    code: 'not-allowed',
    message: 'This is not shown where others read.',
    hint: 'Type it behind a slash, or in a direct message with me.',
    example: line,
  });
