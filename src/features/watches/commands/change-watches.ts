import { addHours } from 'date-fns/addHours';
import { addMinutes } from 'date-fns/addMinutes';
import { UserError } from '../../../errors.ts';
import { formatMoment, resolveMoment } from '../../../grammar/moment.ts';
import { actorIn, zoneToSave } from '../../run-context.ts';
import type { Snooze } from '../evaluation/muting.ts';
import { undoStop } from '../service/undo.ts';
import type { WatchesContext } from '../service/watch-service.ts';
import { isOfPort, type WatchWithSubjects } from '../store/watch-list.ts';
import type { WatchDone, WatchStopQuestion } from '../views/watch-answer.ts';
import type { SnoozeWords } from '../words/snooze.ts';
import { getNamedWatches, subjectOf, thatChannel, watchesHere } from './named-watches.ts';
import { formatWatchLine, type WatchArgs } from './parse-watch-line.ts';

type ChangeArgs = Exclude<WatchArgs, { kind: 'add' | 'list' | 'changes' | 'stability' }>;
type ArgsOf<Kind extends ChangeArgs['kind']> = Extract<ChangeArgs, { kind: Kind }>;

export async function changeWatches(
  args: ChangeArgs,
  context: WatchesContext,
): Promise<WatchDone | WatchStopQuestion> {
  const service = context.watches;
  const actor = actorIn(context);
  switch (args.kind) {
    case 'stop-all':
      return await stopAll(args, context);
    case 'stop':
      return await stop(args, context);
    case 'hand-over':
      return await handOver(args, context);
    case 'assign': {
      const { to: assigneeId } = args;
      const assignEach = ({ id }: WatchWithSubjects) => service.assign(id, assigneeId, actor);
      return { ...(await changeEach(args, 'assigned', context, assignEach)), assigneeId };
    }
    case 'snooze': {
      const snooze = resolveSnooze(args.snooze, context);
      const done = await changeEach(args, 'snoozed', context, (watch) => {
        checkSnoozeEnds(watch, snooze);
        return service.snooze(watch.id, snooze, actor);
      });
      return { ...done, snooze };
    }
    case 'wake':
      return await changeEach(args, 'woken', context, ({ id }) => service.snooze(id, null, actor));
    case 'resume':
      return await changeEach(args, 'resumed', context, ({ id }) => service.resume(id, actor));
    case 'acknowledge':
      return await changeEach(args, 'acknowledged', context, ({ id }) => service.acknowledge(id, actor));
  }
}

async function changeEach(
  args: ArgsOf<'resume' | 'wake' | 'acknowledge' | 'snooze' | 'assign'>,
  what: WatchDone['what'],
  context: WatchesContext,
  change: (watch: WatchWithSubjects) => Promise<unknown>,
): Promise<WatchDone> {
  const watches = await getNamedWatches(args, context);
  for (const watch of watches) await change(watch);
  return doneAnswer(what, watches);
}

const doneAnswer = (what: WatchDone['what'], watches: readonly WatchWithSubjects[]): WatchDone => ({
  kind: 'watch-done',
  what,
  titles: watches.map(({ title }) => title),
});

async function stopAll(
  args: ArgsOf<'stop-all'>,
  context: WatchesContext,
): Promise<WatchDone | WatchStopQuestion> {
  const actor = actorIn(context);
  if (args.isSure) return doneAnswer('stopped', await context.watches.stopAll(actor));
  const { length: count } = await context.watches.getAllToChange(actor);
  return { kind: 'watch-stop-question', count, line: formatWatchLine({ ...args, isSure: true }) };
}

/** Stops the person's own watches at once, since that can be undone. Asks before it stops somebody else's. */
async function stop(args: ArgsOf<'stop'>, context: WatchesContext): Promise<WatchDone | WatchStopQuestion> {
  const actor = actorIn(context);
  const watches = await getNamedWatches(args, context);
  const foreign = watches.find(({ ownerId }) => ownerId !== actor.userId);
  if (foreign && !args.isSure) {
    // Throws UserError if the person may not stop one of them.
    for (const { id } of watches) await context.watches.getToChange(id, actor);
    const { title, ownerId } = foreign;
    const line = formatWatchLine({ ...args, subject: subjectOf(foreign), isSure: true });
    return { kind: 'watch-stop-question', count: watches.length, foreign: { title, ownerId }, line };
  }
  for (const { id } of watches) await context.watches.stop(id, actor);
  const [first, ...others] = watches;
  const undo = others.length === 0 ? undoStop(first) : undefined;
  return { ...doneAnswer('stopped', watches), ...(undo !== undefined && { undo }) };
}

/** Without a subject, and outside a card's thread, hands over all watches that the person owns in the channel. */
async function handOver(args: ArgsOf<'hand-over'>, context: WatchesContext): Promise<WatchDone> {
  const actor = actorIn(context);
  const isNamed = args.subject !== undefined || context.place?.threadTs !== undefined;
  const watches = isNamed ? await getNamedWatches(args, context) : await getOwnWatches(context);
  for (const { id } of watches) await context.watches.handOver(id, args.to, actor);
  return { ...doneAnswer('handed-over', watches), newOwnerId: args.to };
}

async function getOwnWatches(context: WatchesContext): Promise<WatchWithSubjects[]> {
  const { userId } = context.actor;
  const own = (await watchesHere(context)).filter(({ ownerId }) => ownerId === userId);
  if (own.length > 0) return own;
  throw new UserError({
    code: 'unknown-watch',
    message: `You own no watches in ${thatChannel(context)}.`,
    choices: [{ label: 'List my watches', line: 'watch list mine' }],
    example: 'watch list mine',
  });
}

/** Throws UserError for a port: it has no next port and no ETA, so a snooze until one of them would never end. */
function checkSnoozeEnds(watch: WatchWithSubjects, { kind }: Snooze): void {
  if (kind === 'until' || !isOfPort(watch)) return;
  throw new UserError({
    code: 'bad-snooze',
    message: `The watch of ${watch.title} is about many vessels, so it can only be snoozed for a time or until a date.`,
    example: 'watch snooze port Rotterdam 1h',
  });
}

/** Reads times in the person's zone. Throws UserError for a time that is past or too far ahead. */
function resolveSnooze(words: SnoozeWords, context: Pick<WatchesContext, 'now' | 'actor'>): Snooze {
  const now = context.now();
  switch (words.kind) {
    case 'for':
      return { kind: 'until', at: addMinutes(now, words.minutes) };
    case 'until-eta':
    case 'until-next-port':
      return words;
    case 'until-moment': {
      const at = resolveMoment(words.moment, { now, zone: zoneToSave(context.actor.zone, unknownZoneHelp) });
      if (at > now && at <= addHours(now, 24 * maxSnoozeDays)) return { kind: 'until', at };
      throw new UserError({
        code: 'bad-snooze',
        message:
          at <= now
            ? `${formatMoment(words.moment)} is in the past.`
            : `A watch can be snoozed for at most ${maxSnoozeDays} days.`,
        hint: 'The time is read in your own time zone.',
        example: 'watch snooze 9461477 until tomorrow 08:00',
      });
    }
  }
}

/** Help for people whose zone is unknown. The time of a snooze can't be typed with a zone. */
export const unknownZoneHelp = {
  hint: 'Try again in a minute, or snooze it for some hours or days.',
  example: 'watch snooze 9461477 8h',
};

const maxSnoozeDays = 90;
