import type { PageChannel, PageState, PageUser } from '../../src/page-api/page-api.ts';

type World = Pick<PageState, 'users' | 'botUserId'>;

/** The app's bot user. Undefined: the app isn't installed. */
export const appUser = ({ users, botUserId }: World): PageUser | undefined =>
  users.find(({ id }) => id === botUserId);

/** False for a bot user that the app had before it was uninstalled. */
export const isPresent = (user: PageUser, { botUserId }: Pick<World, 'botUserId'>): boolean =>
  !user.isBot || user.id === botUserId;

/** True for the direct message with the app. */
export const isWithApp = (
  { kind, memberIds }: PageChannel,
  { botUserId }: Pick<World, 'botUserId'>,
): boolean => kind === 'dm' && botUserId !== undefined && memberIds.includes(botUserId);
