import type { Message } from '../../answers/message.ts';
import { guestNotice, outsideNotice, pausedNotice } from '../../answers/slack/notices.ts';
import { UserError } from '../../errors.ts';
import type { Place } from '../../features/ctx.ts';
import type { Asker } from '../../run/run-line.ts';
import type { Person } from '../../workspaces/permissions.ts';
import type { GuestRights } from '../../workspaces/settings.ts';
import type { SlackContext } from '../context.ts';
import { type Membership, membershipOf, type SlackUser } from './lookups.ts';

/** A person whom Landfall does not serve, or a workspace that is paused. `outcome`: for the log. */
export class Declined extends Error {
  override readonly name = 'Declined';
  readonly notice: Message;
  readonly outcome: 'outside' | 'guest' | 'paused';

  constructor(notice: Message, outcome: Declined['outcome']) {
    super(notice.text);
    this.notice = notice;
    this.outcome = outcome;
  }
}

interface Admitted extends Pick<Asker, 'ctx' | 'actor'> {
  /** Throws UserError for somebody who may only ask, if it isn't a question. */
  admit(asked: { onlyAsks?: boolean; repeatable?: boolean }): void;
}

/**
 * Admits a person: to everything, or only to ask. Throws Declined; UserError for somebody who may be an outsider, since Slack
 * can't describe them and the payload doesn't help.
 */
export async function admit(
  user: SlackUser,
  person: Person,
  slack: Pick<SlackContext, 'ctx' | 'installation' | 'isPaused' | 'recordUse'>,
): Promise<Admitted> {
  const { ctx } = slack;
  if (await slack.isPaused()) throw new Declined(pausedNotice, 'paused');
  const { getCached: guestRights } = ctx.services.guests;
  const refusal = await refusalFor(person, membershipOf(user, slack.installation), guestRights);
  slack.recordUse();
  return {
    ctx,
    actor: {
      ...{ userId: user.id, isAdmin: person.isAdmin, zone: person.zone, locale: person.locale },
      asksOnly: refusal !== undefined,
    },
    admit({ repeatable, onlyAsks = repeatable }) {
      if (refusal && !onlyAsks) throw refusal;
    },
  };
}

/** Why the person can't change anything; undefined if they can. */
async function refusalFor(
  { isUnknown, isOutside, isGuest }: Person,
  membership: Membership,
  guestRights: () => Promise<GuestRights>,
): Promise<UserError | undefined> {
  if (membership === 'outside' || (isOutside && !isUnknown)) throw new Declined(outsideNotice, 'outside');
  if (isUnknown) {
    if (membership === 'unknown' || (await guestRights()) === 'none')
      throw unknownPerson("so I can't answer");
    // They may be a guest.
    return unknownPerson('so nothing was changed');
  }
  const rights = isGuest ? await guestRights() : 'full';
  if (rights === 'none') throw new Declined(guestNotice, 'guest');
  return rights === 'ask' ? askOnly() : undefined;
}

/**
 * Admits the person for whom an assistant or a workflow asks: they may do and see what they may in Slack, in private. A `user`
 * without `teamId` is one whom Slack does not name just now: they may have left since. Throws UserError.
 */
export async function admitByAssistant(
  user: SlackUser,
  slack: Pick<SlackContext, 'ctx' | 'installation' | 'isPaused' | 'recordUse' | 'lookups'>,
): Promise<Admitted & { place: Place }> {
  const { personOf, personLatelyOf } = slack.lookups;
  const person = await (user.teamId === undefined ? personLatelyOf : personOf)(user.id);
  if (person.isGone) throw notServed('That person is no longer in this workspace.');
  const admitted = await admit(user, person, slack).catch((error: unknown) => {
    throw error instanceof Declined ? notServed(error.notice.text) : error;
  });
  return { ...admitted, place: await ownPlaceOf(user, slack) };
}

/** Where the person's own watches are. */
async function ownPlaceOf({ id }: SlackUser, { lookups }: Pick<SlackContext, 'lookups'>): Promise<Place> {
  try {
    const channelId = await lookups.directMessageOf(id);
    return { channelId, destination: 'direct-message', isElsewhere: true };
  } catch {
    // Questions need no answer of Slack.
    return { channelId: id, destination: 'response' };
  }
}

const notServed = (message: string): UserError => new UserError({ code: 'not-allowed', message });

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
