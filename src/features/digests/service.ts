import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../../errors.ts';
import { type Access, type Actor, notInChannel } from '../../workspaces/permissions.ts';
import { filterByScope, type Scope } from '../owned.ts';
import { chooseDigest, chooseRemoved, type DigestName, gone } from './choose-digest.ts';
import type { Baseline, Digest } from './digest.ts';
import type { DigestChange, NewDigest } from './digest-rows.ts';
import type { DigestStore } from './digest-store.ts';
import type { DigestPage } from './list-digests.ts';
import { nextRun } from './next-run.ts';

type DigestRequest = Omit<NewDigest, 'workspaceId' | 'ownerId'>;

/**
 * What people do to digests, by command, button or modal. All of it throws UserError: `not-allowed` for who may
 * not, `unknown-digest` for one that is not there. Nothing is half done.
 */
export interface DigestService {
  /** Saved at once, unless the bot can't post there. */
  add(request: DigestRequest, actor: Actor): Promise<Digest>;
  /** By number. */
  list(scope: Scope, actor: Actor, page: { limit: number; offset: number }): Promise<DigestPage>;
  find(id: string): Promise<Digest | undefined>;
  /** One that this person may change. */
  own(id: string, actor: Actor): Promise<Digest>;
  /** What its readers were last sent. */
  baseline(id: string): Promise<Baseline | null>;
  /** By number or title; the only one where neither is given. Throws for a number that was given and is gone. */
  pick(ref: DigestName | undefined, actor: Actor): Promise<Digest>;
  /** `ownerId`: whose it is from now on. */
  change(id: string, change: DigestChange, actor: Actor): Promise<Digest>;
  pause(id: string, actor: Actor): Promise<Digest>;
  resume(id: string, actor: Actor): Promise<Digest>;
  /** Gives back what it was. */
  remove(id: string, actor: Actor): Promise<Digest>;
  /** Brings back what was removed from this channel, with its number and all that it knew. */
  restore(ref: DigestName | undefined, actor: Actor): Promise<Digest>;
  /** It is posted with the next round of what is due. */
  runNow(id: string, actor: Actor): Promise<Digest>;
  /** The runs of a schedule from now on. */
  nextRuns(of: Pick<Digest, 'schedule' | 'zone'>, count: number): Date[];
}

interface DigestServiceOptions {
  store: DigestStore;
  workspaceId: string;
  access: Access;
  /** Throws UserError where the bot can't post. */
  checkChannel: (channelId: string) => Promise<void>;
  /** Throws UserError for lines that can't be answered to who reads there. */
  checkLines: (digest: { channelId: string; lines: readonly string[] }) => Promise<void>;
  /** Throws UserError for who can't own what is in that channel. */
  checkOwner: (owner: { userId: string; channelId: string }) => Promise<void>;
  /** The domain clock. */
  now: () => Date;
}

export function createDigestService(options: DigestServiceOptions): DigestService {
  const { store, workspaceId, access, checkChannel, checkLines, checkOwner, now } = options;
  const by = ({ userId: actorId }: Actor) => ({ actorId, now: now() });

  /** One that is still there, and may be changed by this person. */
  const own = async (id: string, actor: Actor): Promise<Digest> => {
    const digest = await find(id);
    if (!digest) throw gone();
    await refuseOthers(digest, actor);
    return digest;
  };

  const refuseOthers = async (digest: Digest, actor: Actor): Promise<void> => {
    if (await access.mayChange({ ...digest, isPersonal: isOwn(digest) }, actor)) return;
    throw notYours(digest, { isSeen: await access.mayUse(digest.channelId, actor) });
  };

  const checkNewOwner = async (digest: Digest, userId: string): Promise<void> => {
    if (userId === digest.ownerId) return;
    if (isOwn(digest)) throw staysOnesOwn();
    await checkOwner({ userId, channelId: digest.channelId });
  };

  /** One's own is read by oneself. */
  const checkReaders = async (digest: Pick<Digest, 'channelId' | 'destination' | 'lines'>): Promise<void> => {
    if (!isOwn(digest)) await checkLines(digest);
  };

  /** Slack opens one's own direct message. */
  const checkPlace = async (digest: Pick<Digest, 'channelId' | 'destination'>): Promise<void> => {
    if (!isOwn(digest)) await checkChannel(digest.channelId);
  };

  const changeOwn: DigestService['change'] = async (id, change, actor) => {
    const before = await own(id, actor);
    if (change.ownerId !== undefined) await checkNewOwner(before, change.ownerId);
    if (change.lines) await checkReaders({ ...before, lines: change.lines });
    return (await store.change(id, change, by(actor))) ?? refuseGone();
  };

  const find = async (id: string): Promise<Digest | undefined> => {
    const digest = await store.find(id);
    return digest?.workspaceId === workspaceId ? digest : undefined;
  };

  return {
    async add(request, actor) {
      const { channelId } = request;
      if (!(await access.mayUse(channelId, actor))) throw notInChannel();
      if (!(await access.mayAdd(channelId, actor))) throw adminsOnly();
      await checkPlace(request);
      await checkReaders(request);
      const saved = await store.create({ ...request, workspaceId, ownerId: actor.userId }, by(actor));
      const change = differing(saved, request);
      // It was sent before, and then again otherwise: as it was sent last.
      return Object.keys(change).length === 0 ? saved : await changeOwn(saved.id, change, actor);
    },
    async list(scope, actor, page) {
      return store.list({ workspaceId, ...(await filterByScope(scope, actor, access)) }, page);
    },
    find,
    own,
    baseline: (id) => store.baseline(id),
    async pick(ref, actor) {
      const { channelId, userId } = actor;
      const [{ digests }, lastNumber, own] = await Promise.all([
        store.list({ workspaceId, ...(await filterByScope('channel', actor, access)) }),
        store.lastNumber({ workspaceId, channelId }),
        channelId === userId ? { digests: [] } : store.list({ workspaceId, channelId: userId }),
      ]);
      return chooseDigest(digests, ref, { lastNumber, own: own.digests });
    },
    change: changeOwn,
    async pause(id, actor) {
      await own(id, actor);
      return (await store.pause(id, by(actor))) ?? refuseGone();
    },
    async resume(id, actor) {
      await checkPlace(await own(id, actor));
      return (await store.resume(id, by(actor))) ?? refuseGone();
    },
    async remove(id, actor) {
      const digest = await own(id, actor);
      if (!(await store.remove(id, by(actor)))) throw gone();
      return digest;
    },
    async restore(ref, actor) {
      const removed = chooseRemoved(
        await store.listRemoved({ workspaceId, ...(await filterByScope('channel', actor, access)) }),
        ref,
      );
      await refuseOthers(removed, actor);
      await checkPlace(removed);
      return (await store.restore(removed.id, by(actor))) ?? refuseGone();
    },
    async runNow(id, actor) {
      const digest = await own(id, actor);
      if (!(await store.runNow(id, now()))) throw gone();
      return digest;
    },
    nextRuns({ schedule, zone }, count) {
      const runs: Date[] = [];
      for (let after = now(); runs.length < count; runs.push(after)) after = nextRun(schedule, zone, after);
      return runs;
    },
  };
}

const isOwn = ({ destination }: Pick<Digest, 'destination'>): boolean => destination === 'direct-message';

function differing(saved: Digest, { title, lines, schedule, zone, onlyNews }: DigestRequest): DigestChange {
  const wanted = { title, lines, schedule, zone, onlyNews };
  const entries = Object.entries(wanted).filter(
    // The keys of `wanted` are those of every digest.
    ([key, value]) => !isDeepStrictEqual(value, saved[key as keyof typeof wanted]),
  );
  return Object.fromEntries(entries);
}

/**
 * One that somebody else has for themselves is not there for others: not even its title is named. Nor is that of
 * a channel to who is not in it.
 */
function notYours(digest: Digest, { isSeen }: { isSeen: boolean }): UserError {
  if (isOwn(digest)) return gone();
  return new UserError({
    code: 'not-allowed',
    message: isSeen
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

const staysOnesOwn = () =>
  new UserError({
    code: 'bad-owner',
    message: 'This digest is sent only to its owner, so nobody else would see it. Nothing was handed over.',
    hint: 'Add it in a channel instead.',
  });

function refuseGone(): never {
  throw gone();
}
