import { UserError } from '../../../errors.ts';
import { formatMoment, resolveMoment } from '../../../grammar/moment.ts';
import { joinWords } from '../../../grammar/options.ts';
import type { Scope } from '../../owned.ts';
import { actorIn, zoneToSave } from '../../run-context.ts';
import type { Snooze } from '../evaluation/muting.ts';
import { undoStop } from '../service/undo.ts';
import type { WatchesContext } from '../services.ts';
import type { WatchWithFollowings } from '../store/watch-list.ts';
import type { WatchDone, WatchStopQuestion } from '../views/watch-answer.ts';
import { type WatchListAnswer, watchesPerPage } from '../views/watch-list.ts';
import type { SnoozeWords } from '../words/snooze.ts';
import type { WatchSubject } from '../words/subject.ts';
import { elsewhereWords, placeWords, resolveWatches, watchesHere, wordsOf } from './watched-subject.ts';

export async function listWatchesOf(
  { scope, page }: { scope: Scope; page: number },
  line: string,
  context: WatchesContext,
): Promise<WatchListAnswer> {
  const actor = actorIn(context);
  const pageAt = (number: number) =>
    context.watches.list(scope, actor, {
      limit: watchesPerPage,
      offset: (number - 1) * watchesPerPage,
      withLatest: true,
    });
  const asked = await pageAt(page);
  // A page beyond the end is the last one.
  const last = Math.max(1, Math.ceil(asked.total / watchesPerPage));
  const { watches, total, plan } = page > last ? await pageAt(last) : asked;
  return {
    kind: 'watch-list',
    line,
    scope,
    page: Math.min(page, last),
    ...(page > last && { beyond: page }),
    total,
    plan,
    watches,
  };
}

/** One's own at once, for it can be undone; somebody else's is asked about. */
export async function stopOf(
  subject: WatchSubject | undefined,
  isSure: boolean,
  context: WatchesContext,
): Promise<WatchDone | WatchStopQuestion> {
  const actor = actorIn(context);
  const watches = await resolveWatches(subject, 'stop', context);
  const [first, ...others] = watches;
  const foreign = watches.find(({ ownerId }) => ownerId !== actor.userId);
  if (foreign && !isSure) {
    for (const { id } of watches) await context.watches.getToChange(id, actor);
    const { title, ownerId } = foreign;
    const line = joinWords('watch stop', wordsOf(foreign), elsewhereWords(context), 'yes');
    return { kind: 'watch-stop-question', count: watches.length, one: { title, ownerId }, line };
  }
  for (const { id } of watches) await context.watches.stop(id, actor);
  const undo = others.length === 0 ? undoStop(first) : undefined;
  return {
    kind: 'watch-done',
    what: 'stopped',
    titles: watches.map(({ title }) => title),
    ...(undo !== undefined && { undo }),
  };
}

export async function confirmStopAll(line: string, context: WatchesContext): Promise<WatchStopQuestion> {
  const actor = actorIn(context);
  const { length: count } = await context.watches.getAllToChange(actor);
  return { kind: 'watch-stop-question', count, line };
}

export async function stopAll(context: WatchesContext): Promise<WatchDone> {
  const actor = actorIn(context);
  const stopped = await context.watches.stopAll(actor);
  return { kind: 'watch-done', what: 'stopped', titles: stopped.map(({ title }) => title) };
}

export async function resumeOf(
  subject: WatchSubject | undefined,
  context: WatchesContext,
): Promise<WatchDone> {
  const actor = actorIn(context);
  const watches = await resolveWatches(subject, 'resume', context);
  for (const { id } of watches) await context.watches.resume(id, actor);
  return { kind: 'watch-done', what: 'resumed', titles: watches.map(({ title }) => title) };
}

/** The card then says who it was. */
export async function acknowledgeOf(
  subject: WatchSubject | undefined,
  context: WatchesContext,
): Promise<WatchDone> {
  const actor = actorIn(context);
  const watches = await resolveWatches(subject, 'acknowledge', context);
  for (const { id } of watches) await context.watches.acknowledge(id, actor);
  return { kind: 'watch-done', what: 'acknowledged', titles: watches.map(({ title }) => title) };
}

/** Null wakes it. */
export async function snoozeOf(
  subject: WatchSubject | undefined,
  words: SnoozeWords | null,
  context: WatchesContext,
): Promise<WatchDone> {
  const actor = actorIn(context);
  const snooze = words && toSnooze(words, context);
  const watches = await resolveWatches(subject, words ? 'snooze … 1h' : 'wake', context);
  for (const watch of watches) {
    if (snooze) refuseEndless(watch, snooze);
    await context.watches.snooze(watch.id, snooze, actor);
  }
  const titles = watches.map(({ title }) => title);
  return snooze
    ? { kind: 'watch-done', what: 'snoozed', titles, snooze }
    : { kind: 'watch-done', what: 'woken', titles };
}

/** A port has neither a next port nor one ETA: such a snooze would never end. */
function refuseEndless({ title, followings }: WatchWithFollowings, { kind }: Snooze): void {
  if (kind === 'until' || followings[0]?.subject.kind !== 'port') return;
  throw new UserError({
    code: 'bad-snooze',
    message: `The watch of ${title} is about many vessels, so it can only be snoozed for a time or until a date.`,
    example: 'watch snooze port Rotterdam 1h',
  });
}

/** Without a subject, and outside of a thread: all that the person owns in this channel. */
export async function handOver(
  subject: WatchSubject | undefined,
  to: string,
  context: WatchesContext,
): Promise<WatchDone> {
  const actor = actorIn(context);
  const threadTs = context.place?.threadTs;
  const isOne = subject !== undefined || threadTs !== undefined;
  const watches = isOne
    ? await resolveWatches(subject, `hand over … <@${to}>`, context)
    : await ownedHere(context);
  for (const { id } of watches) await context.watches.handOver(id, to, actor);
  return {
    kind: 'watch-done',
    what: 'handed-over',
    titles: watches.map(({ title }) => title),
    newOwnerId: to,
  };
}

async function ownedHere(context: WatchesContext): Promise<WatchWithFollowings[]> {
  const { userId } = context.actor;
  const mine = (await watchesHere(context)).filter(({ ownerId }) => ownerId === userId);
  if (mine.length > 0) return mine;
  throw new UserError({
    code: 'unknown-watch',
    message: `You own no watches in ${placeWords(context)}.`,
    choices: [{ label: 'List my watches', line: 'watch list mine' }],
    example: 'watch list mine',
  });
}

/** In the person's own zone. Throws UserError for what is over. */
function toSnooze(words: SnoozeWords, { now, actor }: Pick<WatchesContext, 'now' | 'actor'>): Snooze {
  switch (words.kind) {
    case 'for':
      return { kind: 'until', at: new Date(now().getTime() + words.minutes * 60_000) };
    case 'before-eta':
      return { kind: 'until-eta', hours: words.hours };
    case 'next-port':
      return { kind: 'until-next-port' };
    case 'until': {
      const at = resolveMoment(words.moment, { now: now(), zone: zoneToSave(actor, snoozeInstead) });
      const daysAhead = (at.getTime() - now().getTime()) / 86_400_000;
      if (daysAhead > 0 && daysAhead <= maxSnoozeDays) return { kind: 'until', at };
      throw new UserError({
        code: 'bad-snooze',
        message:
          daysAhead <= 0
            ? `${formatMoment(words.moment)} is in the past.`
            : `A watch can be snoozed for at most ${maxSnoozeDays} days.`,
        hint: 'The time is read in your own time zone.',
        example: 'watch snooze 9461477 until tomorrow 08:00',
      });
    }
  }
}

/** A date can't be typed with its zone. */
export const snoozeInstead = {
  hint: 'Try again in a minute, or snooze it for some hours or days.',
  example: 'watch snooze 9461477 8h',
};

const maxSnoozeDays = 90;
