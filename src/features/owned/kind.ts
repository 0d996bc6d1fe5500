import type { Answer, AnswerButton } from '../../answers/answer.ts';
import type { StoredDestination } from '../../answers/message.ts';
import type { Text } from '../../answers/text.ts';
import { type Choice, UserError } from '../../errors.ts';
import { type Actor, notInChannel } from '../../workspaces/permissions.ts';
import { replyTo } from '../command.ts';
import { type AskCtx, actorIn, type WorkCtx } from '../ctx.ts';
import type { Action } from '../feature.ts';
import { askAboutOutsiders } from './outsiders.ts';

/** A watch or a digest. */
export interface OwnedThing {
  id: string;
  /** A direct message for a personal watch, the owner's id for a personal digest. */
  channelId: string;
  destination: StoredDestination;
  ownerId: string;
  title: string;
  /** The person who allowed people of other organisations to see it; null if nobody was asked. */
  outsidersAllowedBy: string | null;
}

/** One of the kinds of things that people own in channels. */
export interface OwnedKind {
  /** `singular` is also its form, and the beginning of its audit actions; `plural` its table. */
  noun: { singular: 'watch'; plural: 'watches' } | { singular: 'digest'; plural: 'digests' };
  /** In a sentence: `the watch of DS CYPRESS`. */
  called(title: string): string;
  /** How it ends. `action`: the id of the button that ends it without another question. */
  end: { verb: string; done: string; effect: string; action: string };
  /** The lines that list those of the channel, and the person's own. */
  lists: { here: string; mine: string };
  /** Advice for somebody whose channel has as many as it may have. */
  howToMakeRoom: string;
}

/** Only its owner sees it. */
export const isPersonalThing = ({ destination }: Pick<OwnedThing, 'destination'>): boolean =>
  destination === 'direct-message';

/** `#ops`, in a sentence. */
export const placeInWords = (thing: Pick<OwnedThing, 'channelId' | 'destination'>): Text =>
  isPersonalThing(thing) ? 'a direct message' : { channel: thing.channelId };

export const unknownThing = (kind: OwnedKind, message: string): UserError =>
  new UserError({ code: `unknown-${kind.noun.singular}`, message, choices: [listChoice(kind)] });

/** Lists those of the channel. */
export const listChoice = ({ noun, lists }: OwnedKind): Choice => ({
  label: `List the ${noun.plural}`,
  line: lists.here,
});

/** It has ended, or the person may not know of it. */
export const gone = (kind: OwnedKind): UserError =>
  unknownThing(kind, `That ${kind.noun.singular} has been ${kind.end.done}.`);

/** Throws UserError if the person may not add to that channel. */
export async function checkMayAdd(
  { noun }: OwnedKind,
  channelId: string,
  actor: Actor,
  { services: { access } }: WorkCtx,
): Promise<void> {
  if (!(await access.mayUse(channelId, actor))) throw notInChannel();
  if (await access.mayAdd(channelId, actor)) return;
  throw new UserError({
    code: 'not-allowed',
    message: `You can't add ${noun.plural} to that channel. Nothing was saved.`,
    hint: "By the channel's settings, only workspace admins can. They can change that too.",
  });
}

/** Throws UserError if the person may not change it. Only members of its channel learn that it exists, and its title. */
export async function checkMayChange(
  kind: OwnedKind,
  thing: Omit<OwnedThing, 'id' | 'outsidersAllowedBy'>,
  actor: Actor,
  { services: { access } }: WorkCtx,
): Promise<void> {
  if (await access.mayChange({ ...thing, isPersonal: isPersonalThing(thing) }, actor)) return;
  if (isPersonalThing(thing)) throw gone(kind);
  const isMember = await access.mayUse(thing.channelId, actor);
  throw new UserError({
    code: 'not-allowed',
    message: isMember
      ? `You can't change ${kind.called(thing.title)}. Nothing was saved.`
      : `You can't change that ${kind.noun.singular}: you are not in its channel. Nothing was saved.`,
    hint: 'Its owner and workspace admins can; so can everybody in its channel, unless the channel settings say otherwise.',
  });
}

/** The ids of those whose changes to offer: those that the person may change, or all if others read the answer too. */
export async function offeredToChange(
  things: readonly Omit<OwnedThing, 'outsidersAllowedBy'>[],
  ctx: AskCtx,
): Promise<ReadonlySet<string>> {
  const { place, audience, services } = ctx;
  const mayChange = async (thing: (typeof things)[number]) => {
    if (!place || audience !== 'private') return true;
    const asked = { ...thing, isPersonal: isPersonalThing(thing) };
    // While Slack doesn't say, the change itself is refused.
    return services.access.mayChange(asked, actorIn(ctx)).catch(() => true);
  };
  const ids = things.map(async (thing) => ((await mayChange(thing)) ? [thing.id] : []));
  return new Set((await Promise.all(ids)).flat());
}

/** What a person wants to change. Throws UserError if it is gone, or if they may not. */
export async function requireToChange<Thing extends OwnedThing>(
  kind: OwnedKind,
  found: Thing | undefined,
  actor: Actor,
  ctx: WorkCtx,
): Promise<Thing> {
  if (!found) throw gone(kind);
  await checkMayChange(kind, found, actor, ctx);
  return found;
}

/** Throws UserError if that person can't own it. Its current owner needs no check. */
export async function checkNewOwner(
  { noun }: OwnedKind,
  thing: Pick<OwnedThing, 'channelId' | 'destination' | 'ownerId'>,
  newOwnerId: string | undefined,
  { services: { slack } }: WorkCtx,
): Promise<void> {
  if (newOwnerId === undefined || newOwnerId === thing.ownerId) return;
  if (!isPersonalThing(thing))
    return await slack.checkOwner({ userId: newOwnerId, channelId: thing.channelId });
  throw new UserError({
    code: 'bad-owner',
    message: `Only its owner sees this ${noun.singular}, so nobody else would. Nothing was handed over.`,
    hint: 'Add it in a channel instead.',
  });
}

/** Throws OutsidersQuestion if it would be posted where nobody has allowed outsiders to see it. `allow` stores a new yes. */
export async function checkOutsidersAsked(
  { noun }: OwnedKind,
  thing: OwnedThing,
  actor: Actor,
  { services: { slack } }: WorkCtx,
  allow: (outsidersAllowedBy: string | null) => Promise<unknown>,
): Promise<void> {
  const allowedBy = await askAboutOutsiders(thing, noun.singular, actor, slack);
  if (allowedBy !== thing.outsidersAllowedBy) await allow(allowedBy);
}

/** Opens its form. */
export const editButton = ({ noun: { singular } }: OwnedKind, id: string, label = 'Edit'): AnswerButton => ({
  label,
  form: singular,
  target: { [`${singular}Id`]: id },
});

/** An option of a menu that asks before it ends something: Slack has no dialog for a single option. */
export const askToEnd = (
  kind: OwnedKind,
  id: string,
  get: (thingId: string, ctx: AskCtx) => Promise<OwnedThing>,
): Action => ({
  id,
  replacesMessage: false,
  repeatable: true,
  // Guests who may only ask can't end anything.
  onlyAsks: false,
  async run(thingId, ctx) {
    const question = endQuestion(kind, await get(thingId, ctx));
    await ctx.openMessage(replyTo(question, ctx), kind.lists.mine);
    return undefined;
  },
});

export const endQuestion = ({ called, end }: OwnedKind, thing: OwnedThing): Answer => ({
  isOwn: true,
  verdict: {
    strong: [
      `${end.verb} ${called(thing.title)}`,
      isPersonalThing(thing) ? ' in your direct messages' : [' in ', { channel: thing.channelId }],
      '?',
    ],
    rest: ` ${end.effect}`,
  },
  actions: {
    about: called(thing.title),
    runs: [{ label: `${end.verb} it`, press: end.action, value: thing.id, isDangerous: true }],
  },
});
