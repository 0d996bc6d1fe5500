import { UserError } from '../../errors.ts';
import { withinDeadline } from '../../features/deadline.ts';
import { isPersonal } from '../../features/line.ts';
import type { Place } from '../../features/run-context.ts';
import type { Logger } from '../../log.ts';
import type { Visibility } from '../../workspaces/settings.ts';
import type { Lookups } from '../people/lookups.ts';
import { type Ask, audienceAround } from './ask.ts';
import type { Work } from './work.ts';

type AskPlace = Pick<Place, 'channelId' | 'destination'> & Pick<Ask, 'user'>;

/** Says who may see an answer. Throws UserError if a private answer was requested in public. */
export type VisibilityOf = (
  ask: Pick<Ask, 'visibility'> & AskPlace,
  line: Pick<Work, 'name' | 'visibility' | 'privacy'>,
) => Promise<Visibility>;

const waitMs = 1_000;

export function createVisibility(options: {
  visibilityIn(channelId: string): Promise<Visibility>;
  lookups: Pick<Lookups, 'audienceOf' | 'directMessageOf'>;
  logger: Logger;
}): VisibilityOf {
  const { visibilityIn, lookups, logger } = options;

  /** The channel's setting; private if outsiders read there, or if the setting can't be read. */
  async function settingOf(place: AskPlace): Promise<Visibility> {
    const { channelId, destination } = place;
    if (destination !== 'channel') return 'private';
    try {
      if ((await withinDeadline(waitMs, () => visibilityIn(channelId))) === 'private') return 'private';
    } catch (error) {
      logger.warn({ err: error }, "a channel's settings can't be read: the answer is private");
      return 'private';
    }
    return (await audienceAround(place, lookups)) === 'channel' ? 'public' : 'private';
  }

  return async ({ visibility = 'private', ...place }, line) => {
    if (line.privacy === 'never-shared') {
      if (visibility === 'private' || visibility === 'as-typed') return 'private';
      const hint = 'Type it after a slash, or in a direct message with me.';
      throw notAllowed(line.name, "This isn't shown where others can read it.", hint);
    }
    let chosen: Visibility;
    if (visibility === 'as-typed')
      chosen = line.visibility ?? (line.privacy === 'open' ? await settingOf(place) : 'private');
    else if (visibility === 'unless-personal')
      chosen = isPersonal(line) ? (line.visibility ?? 'private') : 'public';
    else chosen = visibility;
    const isInternal = line.privacy === 'internal' && chosen === 'public';
    if (isInternal && (await audienceAround(place, lookups)) === 'outside')
      throw notAllowed(
        line.name,
        "This isn't shown in a channel that people from another organisation can read.",
        'For yourself, type it after a slash without “public”, or in a direct message with me.',
      );
    return chosen;
  };
}

const notAllowed = (example: string, message: string, hint: string): UserError =>
  new UserError({ code: 'not-allowed', message, hint, example });
