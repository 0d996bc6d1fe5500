import { millisecondsInHour } from 'date-fns/constants';
import type { Selectable } from 'kysely';
import { createYieldToEventLoop } from '../../database/batches.ts';
import type { Schema } from '../../database/schema.ts';
import type { VesselDirectory } from '../../grammar/vessel-directory.ts';
import { portLabel } from '../../reference/ports.ts';
import type { AskCtx } from '../ctx.ts';
import { columnsKey, fromColumns, type Subject, selectFollowed } from '../history/index.ts';
import type { PolledSubject, PolledSubjects } from '../scheduled-calls.ts';
import { callsPerMonthAt } from './estimate.ts';
import { readCallPlan } from './polling/poll-plan.ts';

type Row = Pick<Selectable<Schema['subjects']>, 'kind' | 'key' | 'nearest_eta'> &
  Pick<Selectable<Schema['watches']>, 'channel_id' | 'destination' | 'status'>;

/** Everything that is polled for the workspace, by what is stored: the service isn't asked. */
export async function polledSubjects({
  services,
  vessels,
  now: clock,
}: Pick<AskCtx, 'services' | 'vessels' | 'now'>): Promise<PolledSubjects> {
  const { store, settings } = services;
  const fixedMinutes = settings.pollMinutes;
  // With a fixed interval, watches are never polled less often.
  const dailyCalls = fixedMinutes === undefined ? settings.dailyCalls : undefined;
  const rows: Row[] = await selectFollowed(store)
    .innerJoin(...store.join('watches', 'watches.id', 'followings.watch_id'))
    .select(['kind', 'key', 'nearest_eta', 'channel_id', 'destination', 'status'])
    .execute();
  const { plannedCalls } = await readCallPlan({ store, dailyCalls, now: clock });
  const now = clock();
  const subjects: PolledSubject[] = [];
  const callsPerDay = (etaHours: number | null, shortestLegHours?: number) => {
    const eta = etaHours === null ? null : new Date(now.getTime() + etaHours * millisecondsInHour);
    const leg = shortestLegHours === undefined ? {} : { shortestLegHours };
    return callsPerMonthAt(eta, { fixedMinutes, now, ...leg }) / 30;
  };
  const ofVessel = memoised((etaHours) => callsPerDay(etaHours));
  // In a list and at a port, the next ETA is that of another vessel, and seldom days later.
  const ofSeveral = memoised((etaHours) => callsPerDay(etaHours, 24));
  const yieldToEventLoop = createYieldToEventLoop();
  for (const [key, followed] of Map.groupBy(rows, columnsKey)) {
    await yieldToEventLoop();
    const [first] = followed;
    const subject = first && fromColumns(first);
    if (!subject) continue;
    const isActive = followed.some(({ status }) => status === 'active');
    const etaMs = first.nearest_eta?.getTime();
    // One that has passed is followed by the next leg.
    const etaHours =
      etaMs === undefined ? null : Math.ceil(Math.max(0, etaMs - now.getTime()) / millisecondsInHour);
    subjects.push({
      key,
      name: nameOf(subject, vessels),
      watchedIn: followed.map(({ channel_id, destination }) =>
        destination === 'channel' ? channel_id : null,
      ),
      // If all its watches are paused, it is polled once a day.
      callsPerDay: !isActive ? 1 : subject.kind === 'vessel' ? ofVessel(etaHours) : ofSeveral(etaHours),
    });
  }
  return { subjects, plannedCalls, dailyCalls };
}

/** Thousands of subjects share a few hundred values. */
function memoised(compute: (hours: number | null) => number): (hours: number | null) => number {
  const known = new Map<number | null, number>();
  return (hours) => {
    const value = known.get(hours) ?? compute(hours);
    known.set(hours, value);
    return value;
  };
}

function nameOf(subject: Subject, names: Pick<VesselDirectory, 'nameOf'>): string {
  switch (subject.kind) {
    case 'vessel':
      return names.nameOf(subject.imo) ?? `IMO ${subject.imo}`;
    case 'shiplist':
      return `list ${subject.name}`;
    case 'port':
      return `port ${portLabel(subject.port)}`;
  }
}
