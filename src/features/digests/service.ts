import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../../errors.ts';
import { type Actor, notInChannel } from '../../workspaces/permissions.ts';
import { askAboutOutsiders } from '../owned/outsiders.ts';
import { filterByScope, type Scope } from '../owned/scope.ts';
import type { SlackServices, WorkspaceServices } from '../services.ts';
import { chooseDigest, chooseRemoved, gone } from './choose-digest.ts';
import { type Digest, isPersonalDigest } from './digest.ts';
import type { DigestChange, DigestStore, NewDigest } from './digest-store.ts';
import { nextRun } from './schedule.ts';
import type { DigestRef } from './words.ts';

type DigestRequest = Omit<NewDigest, 'ownerId'>;

interface DigestServiceOptions extends Pick<WorkspaceServices, 'access' | 'now'> {
  digestStore: DigestStore;
  /** Throws NoAccountError if no line could be answered. */
  checkAccount?: () => Promise<void>;
  slack: Pick<SlackServices, 'checkChannel' | 'checkOwner' | 'readersOf'>;
  /** Throws UserError for lines with answers that some people in the channel may not see. */
  checkLines: (digest: { channelId: string; lines: readonly string[] }) => Promise<void>;
}

export type DigestService = ReturnType<typeof createDigestService>;

/**
 * What people do with digests, by command, button or form. The methods throw UserError: `not-allowed` without
 * permission, `unknown-digest` if there is no such digest. Then nothing is changed.
 */
export function createDigestService(options: DigestServiceOptions) {
  const { digestStore, access, slack, now } = options;
  const by = ({ userId: actorId }: Actor) => ({ actorId, now: now() });

  const getToChange = async (id: string, actor: Actor): Promise<Digest> => {
    const digest = await digestStore.find(id);
    if (!digest) throw gone();
    await checkMayChange(digest, actor);
    return digest;
  };

  const checkMayChange = async (digest: Digest, actor: Actor): Promise<void> => {
    if (await access.mayChange({ ...digest, isPersonal: isPersonalDigest(digest) }, actor)) return;
    throw notAllowedToChange(digest, { isMember: await access.mayUse(digest.channelId, actor) });
  };

  const checkNewOwner = async (digest: Digest, userId: string): Promise<void> => {
    if (userId === digest.ownerId) return;
    if (isPersonalDigest(digest)) throw personalOwner();
    await slack.checkOwner({ userId, channelId: digest.channelId });
  };

  /** In a personal digest, any line is allowed. */
  const checkLines = async (digest: Pick<Digest, 'channelId' | 'destination' | 'lines'>): Promise<void> => {
    if (!isPersonalDigest(digest)) await options.checkLines(digest);
  };

  /** The bot can always post to a person. */
  const checkChannel = async (digest: Pick<Digest, 'channelId' | 'destination'>): Promise<void> => {
    if (!isPersonalDigest(digest)) await slack.checkChannel(digest.channelId);
  };

  /** Throws OutsidersQuestion if the digest would be posted where nobody has allowed outsiders to see it. */
  const checkOutsiders = async (digest: Digest, actor: Actor): Promise<void> => {
    const outsidersAllowedBy = await askAboutOutsiders(digest, 'digest', actor, slack);
    if (outsidersAllowedBy !== digest.outsidersAllowedBy)
      await digestStore.change(digest.id, { outsidersAllowedBy }, by(actor));
  };

  const filterOf = (scope: Scope, actor: Actor) => filterByScope(scope, actor, access);

  const change = async (id: string, values: DigestChange, actor: Actor): Promise<Digest> => {
    const before = await getToChange(id, actor);
    if (values.ownerId !== undefined) await checkNewOwner(before, values.ownerId);
    if (values.lines) await checkLines({ ...before, lines: values.lines });
    return requireFound(await digestStore.change(id, values, by(actor)));
  };

  return {
    async add(request: DigestRequest, actor: Actor): Promise<Digest> {
      const { channelId } = request;
      if (!(await access.mayUse(channelId, actor))) throw notInChannel();
      if (!(await access.mayAdd(channelId, actor))) throw adminsOnly();
      await options.checkAccount?.();
      await checkChannel(request);
      await checkLines(request);
      const outsidersAllowedBy = await askAboutOutsiders(request, 'digest', actor, slack);
      const owned = { ...request, ownerId: actor.userId, outsidersAllowedBy };
      const saved = await digestStore.create(owned, by(actor));
      // If a form is submitted again with other values, the last values count.
      const values = differences(saved, request);
      return Object.keys(values).length === 0 ? saved : await change(saved.id, values, actor);
    },
    list: async (scope: Scope, actor: Actor, page: { limit: number; offset: number }) =>
      digestStore.list(await filterOf(scope, actor), page),
    getToChange,
    baseline: digestStore.baseline,
    /** The digest of the actor's channel that `ref` names, or the only one there. */
    async choose(ref: DigestRef | undefined, actor: Actor): Promise<Digest> {
      const { channelId, userId } = actor;
      const [{ digests }, lastNumber, personal] = await Promise.all([
        digestStore.list(await filterOf('channel', actor)),
        digestStore.lastNumber({ channelId }),
        channelId === userId ? { digests: [] } : digestStore.list({ channelId: userId }),
      ]);
      return chooseDigest(digests, ref, { lastNumber, personal: personal.digests });
    },
    /** `ownerId` in the change hands the digest over. */
    change,
    async pause(id: string, actor: Actor): Promise<Digest> {
      await getToChange(id, actor);
      return requireFound(await digestStore.pause(id, by(actor)));
    },
    async resume(id: string, actor: Actor): Promise<Digest> {
      const digest = await getToChange(id, actor);
      await checkChannel(digest);
      await checkOutsiders(digest, actor);
      return requireFound(await digestStore.resume(id, by(actor)));
    },
    /** Returns the digest as it was. */
    async remove(id: string, actor: Actor): Promise<Digest> {
      const digest = await getToChange(id, actor);
      if (!(await digestStore.remove(id, by(actor)))) throw gone();
      return digest;
    },
    /** Brings back a digest that was removed from the actor's channel. */
    async restore(ref: DigestRef | undefined, actor: Actor): Promise<Digest> {
      const { digests } = await digestStore.list({ ...(await filterOf('channel', actor)), isRemoved: true });
      const removed = chooseRemoved(digests, ref);
      await checkMayChange(removed, actor);
      await checkChannel(removed);
      const { outsidersAllowedBy } = removed;
      const allowedBy = await askAboutOutsiders(removed, 'digest', actor, slack);
      const restored = requireFound(await digestStore.restore(removed.id, by(actor)));
      if (allowedBy !== outsidersAllowedBy) await checkOutsiders(restored, actor);
      return restored;
    },
    /** The next round of due work posts the digest. */
    async runNow(id: string, actor: Actor): Promise<Digest> {
      const digest = await getToChange(id, actor);
      await checkOutsiders(digest, actor);
      if (!(await digestStore.runNow(id, now()))) throw gone();
      return digest;
    },
    nextRuns({ schedule, zone }: Pick<Digest, 'schedule' | 'zone'>, count: number): Date[] {
      const runs: Date[] = [];
      while (runs.length < count) runs.push(nextRun(schedule, zone, runs.at(-1) ?? now()));
      return runs;
    },
  };
}

function requireFound(digest: Digest | undefined): Digest {
  if (!digest) throw gone();
  return digest;
}

function differences(saved: Digest, { title, lines, schedule, zone, onlyNews }: DigestRequest): DigestChange {
  const wanted = { title, lines, schedule, zone, onlyNews };
  const entries = Object.entries(wanted).filter(
    // Every key of `wanted` is a key of Digest.
    ([key, value]) => !isDeepStrictEqual(value, saved[key as keyof typeof wanted]),
  );
  return Object.fromEntries(entries);
}

/** Doesn't reveal that a personal digest exists, or a title in a channel that the person isn't in. */
function notAllowedToChange(digest: Digest, { isMember }: { isMember: boolean }): UserError {
  if (isPersonalDigest(digest)) return gone();
  return new UserError({
    code: 'not-allowed',
    message: isMember
      ? `You can't change the digest “${digest.title}”. Nothing was saved.`
      : "You can't change that digest: you are not in its channel. Nothing was saved.",
    hint: 'Its owner and workspace admins can; so can everybody in its channel, unless the channel settings say otherwise.',
  });
}

const adminsOnly = () =>
  new UserError({
    code: 'not-allowed',
    message: "You can't add digests to that channel. Nothing was saved.",
    hint: "By the channel's settings, only workspace admins can. They can change that too.",
  });

const personalOwner = () =>
  new UserError({
    code: 'bad-owner',
    message: 'This digest is sent only to its owner, so nobody else would see it. Nothing was handed over.',
    hint: 'Add it in a channel instead.',
  });
