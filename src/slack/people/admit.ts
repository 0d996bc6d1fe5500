import { UserError } from '../../errors.ts';
import { guestNotice, outsideNotice } from '../../messages/frame/notices.ts';
import type { Message } from '../../messages/message.ts';
import type { Person } from '../../workspaces/person.ts';
import type { GuestRights } from '../../workspaces/settings.ts';
import type { Membership } from '../connection/installation.ts';

/** May a person use Landfall: not at all, only ask, or fully? */
type Admission =
  | { kind: 'declined'; notice: Message; outcome: 'outside' | 'guest' }
  | { kind: 'ask-only'; refusal: UserError }
  | { kind: 'full' };

/** Throws UserError for a person who may be an outsider: Slack can't describe them, and the payload doesn't help. */
export async function admit(
  membership: Membership,
  person: Person,
  guestRights: () => Promise<GuestRights>,
): Promise<Admission> {
  const { isUnknown, isOutside, isGuest } = person;
  if (membership === 'outside' || (isOutside && !isUnknown))
    return { kind: 'declined', notice: outsideNotice, outcome: 'outside' };
  if (isUnknown) {
    if (membership === 'unknown' || (await guestRights()) === 'none')
      throw unknownPerson("so I can't answer");
    // They may be a guest.
    return { kind: 'ask-only', refusal: unknownPerson('so nothing was changed') };
  }
  const rights = isGuest ? await guestRights() : 'full';
  if (rights === 'none') return { kind: 'declined', notice: guestNotice, outcome: 'guest' };
  return rights === 'ask' ? { kind: 'ask-only', refusal: askOnly() } : { kind: 'full' };
}

const askOnly = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message: "Guests of this workspace may ask, but can't change anything. Nothing was changed.",
    hint: 'Ask a member to do it. Workspace admins choose what guests may do.',
    isPersonal: true,
  });

const unknownPerson = (consequence: string): UserError =>
  new UserError({
    code: 'unknown-person',
    message: `Slack can't tell me who you are right now, ${consequence}.`,
    hint: 'Please try again in a minute.',
    isPersonal: true,
  });
