import type { Prediction } from '../../../analytics/answers.ts';
import { UserError } from '../../../errors.ts';
import { quote } from '../../../grammar/line-help.ts';
import { formatMoment, resolveMoment } from '../../../grammar/moment.ts';
import { canonicalPort, portLabel, portOf } from '../../../reference/ports.ts';
import { knownVessel } from '../../known-vessel.ts';
import { actorIn } from '../../run-context.ts';
import { typeTheZone, zoneToSave } from '../../zone-to-save.ts';
import type { DueDate, Rules } from '../evaluation/rules.ts';
import { chooseRules } from '../evaluation/rules.ts';
import { rankProspects } from '../evaluation/snapshot.ts';
import type { Estimate } from '../service/estimate.ts';
import type { WatchesContext } from '../services.ts';
import type { Subject } from '../store/subject.ts';
import type { WatchAdded } from '../views/watch-answer.ts';
import type { RuleWords } from '../words/rules.ts';
import type { WatchSubject } from '../words/subject.ts';
import { subjectsOf, titleOf } from './watched-subject.ts';

/** Saves at once and says what it costs; as a dry run it only says so, and that `save` is the line that would. */
export async function addWatchOf(
  args: {
    subject: WatchSubject;
    rules: Rules;
    keepsRules?: boolean;
    channelId?: string;
    isDryRun: boolean;
  },
  { save }: { save?: string },
  context: WatchesContext,
): Promise<WatchAdded> {
  const actor = actorIn(context);
  const { rules, keepsRules = false } = args;
  const request = {
    channelId: args.channelId ?? actor.channelId,
    title: titleOf(args.subject, context.vessels),
    subjects: await subjectsOf(args.subject, context),
    rules,
    keepsRules,
    isFleet: args.subject.kind === 'fleet',
  };
  const common = {
    title: request.title,
    isPort: args.subject.kind === 'port',
    vessels: request.subjects.length,
    ...(args.subject.kind === 'fleet' && { fleet: args.subject.name }),
    ...(isElsewhere(request.channelId, context) && { channelId: request.channelId }),
    rules,
  };
  if (args.isDryRun) {
    const estimate = await context.watches.dryRun(request, actor);
    const said = {
      ...common,
      estimate: shownEstimate(estimate, rules, context),
      ...(save !== undefined && { save }),
    };
    return { kind: 'watch-added', how: 'would-be-added', ...said };
  }
  const added = await context.watches.add(request, actor, context.withDeadlinePaused);
  return {
    kind: 'watch-added',
    how: added.kind,
    ...common,
    rules: added.watch.rules,
    ...(added.kind === 'changed' && { before: added.before }),
    ...(added.watch.snooze && { snooze: added.watch.snooze }),
    ...(added.watch.ownerId !== actor.userId && { ownerId: added.watch.ownerId }),
    watchId: added.watch.id,
    estimate: shownEstimate(added.estimate, added.watch.rules, context),
    ...(added.kind !== 'same' && { undo: added.undo }),
  };
}

/** In the direct message one's own is here. */
function isElsewhere(channelId: string, { actor, place }: WatchesContext): boolean {
  return channelId === actor.userId ? !place?.channelId.startsWith('D') : channelId !== place?.channelId;
}

/** Without the answers themselves, but for what they say of a vessel that nothing is known of, and of due dates. */
export function shownEstimate(
  { answers, overlaps, ...estimate }: Estimate,
  { due }: Rules,
  { vessels }: Pick<WatchesContext, 'vessels'>,
): WatchAdded['estimate'] {
  const unknown = answers.flatMap(({ subject, answer }) =>
    subject.kind === 'vessel' && answer.predictions.length === 0 ? [subject.imo] : [],
  );
  const shared = overlaps.map(({ title, imos }) => ({
    title,
    vessels: imos.map((imo) => knownVessel(imo, vessels)),
  }));
  const ranked = answers.flatMap(({ subject, answer }) => prospectsIn(subject, answer.predictions));
  const dates = ranked.flatMap(({ imo, prospects }) =>
    due.flatMap((date) => {
      const now = prospects.find(({ port }) => port === canonicalPort(date.port)) ?? null;
      if (now && (!now.eta || now.eta <= date.at)) return [];
      return [{ vessel: knownVessel(imo, vessels), due: date, now }];
    }),
  );
  return { ...estimate, overlaps: shared, unknown, ...(dates.length > 0 && { due: dates }) };
}

function prospectsIn(subject: Subject, predictions: readonly Prediction[]) {
  if (subject.kind === 'port' || predictions.length === 0) return [];
  const byVessel = Map.groupBy(predictions, ({ imo }) => imo);
  return [...byVessel].map(([imo, records]) => ({ imo, prospects: rankProspects(records) }));
}

/** What was typed, resolved against the clock, the port's zone and the reader's. Throws UserError for a date that is over. */
export function rulesOf(words: RuleWords, { now, actor }: Pick<WatchesContext, 'now' | 'actor'>): Rules {
  const { only = false, events = [], etaHours, belowPercent, arrivingHours, overdueHours } = words;
  const { due, untilNextPort, quiet } = words;
  return chooseRules(
    {
      ...(events.includes('next port') && { nextPort: true }),
      ...(events.includes('unlisted') && { noLongerListed: true }),
      ...(events.includes('lost') && { lost: true }),
      ...(events.includes('stale') && { stale: true }),
      ...(events.includes('expected') && { expected: true }),
      ...(etaHours !== undefined && { etaHours }),
      ...(belowPercent !== undefined && { below: belowPercent / 100 }),
      ...(arrivingHours && { arrivingHours }),
      ...(overdueHours !== undefined && { overdueHours }),
      ...(due && { due: due.map((date) => dueDateOf(date, now())) }),
      ...(untilNextPort && { untilNextPort, nextPort: true }),
      ...(quiet && { quiet: { ...quiet, zone: quiet.zone ?? zoneToSave(actor, typeTheZone(quietExample)) } }),
    },
    { only },
  );
}

const quietExample = 'watch 9461477 quiet 22:00-06:00 Europe/Berlin';

const mostDaysAhead = 400;

function dueDateOf({ port, by }: NonNullable<RuleWords['due']>[number], now: Date): DueDate {
  const at = resolveMoment(by, { now, zone: portOf(port)?.zone ?? 'UTC' });
  const daysAhead = (at.getTime() - now.getTime()) / 86_400_000;
  if (daysAhead > 0 && daysAhead <= mostDaysAhead) return { port, at };
  throw new UserError({
    code: 'bad-rule',
    message: `${quote(formatMoment(by))} at ${portLabel(port)} ${daysAhead <= 0 ? 'is over' : 'is more than a year away'}.`,
    hint: 'A due date lies ahead; it is read in the time of its port.',
    example: 'watch 9461477 due NLRTM 27 Nov 18:00',
  });
}
