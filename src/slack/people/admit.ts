import { UserError } from '../../errors.ts';
import { guestNotice, outsideNotice } from '../../messages/frame/notices.ts';
import type { Message } from '../../messages/message.ts';
import type { GuestRights } from '../../workspaces/guests.ts';
import type { Person } from '../../workspaces/person.ts';
import type { Home } from '../connection/installation.ts';

/** How far somebody is served: not at all, with what they may ask alone, or wholly. */
type Admission =
  | { kind: 'declined'; notice: Message; outcome: 'outside' | 'guest' }
  | { kind: 'asks'; refusal: UserError }
  | { kind: 'served' };

/**
 * Whom Slack does not tell counts as of another organisation. Where the payload itself says that they are of
 * this workspace they may be a guest, so they ask at most. Throws UserError for the others.
 */
export async function admit(
  home: Home,
  person: Person,
  guests: () => Promise<GuestRights>,
): Promise<Admission> {
  const { isUnknown, isOutside, isGuest } = person;
  if (home === 'outside' || (isOutside && !isUnknown))
    return { kind: 'declined', notice: outsideNotice(), outcome: 'outside' };
  if (isUnknown) {
    if (home === 'unsaid' || (await guests()) === 'none') throw unknownPerson("so I can't answer");
    return { kind: 'asks', refusal: unknownPerson('so nothing was changed') };
  }
  const rights = isGuest ? await guests() : 'full';
  switch (rights) {
    case 'none':
      return { kind: 'declined', notice: guestNotice(), outcome: 'guest' };
    case 'ask':
      return { kind: 'asks', refusal: onlyAsks() };
    case 'full':
      return { kind: 'served' };
  }
}

const onlyAsks = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message: "Guests of this workspace may ask, but can't change anything. Nothing was changed.",
    hint: 'Ask a member to do it. Workspace admins choose what guests may do.',
    isPersonal: true,
  });

const unknownPerson = (so: string): UserError =>
  new UserError({
    code: 'unknown-person',
    message: `Slack can't tell me who you are right now, ${so}.`,
    hint: 'Please try again in a minute.',
    isPersonal: true,
  });
