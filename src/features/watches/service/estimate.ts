import { millisecondsInHour } from 'date-fns/constants';
import type { PredictionsAnswer } from '../../../analytics/answers.ts';
import { rankProspects } from '../../../analytics/rank-prospects.ts';
import type { Imo } from '../../../reference/imo.ts';
import { replay } from '../evaluation/evaluate.ts';
import type { Snapshot } from '../evaluation/snapshot.ts';
import { readHistory } from '../polling/history.ts';
import { pollIntervalMinutes } from '../polling/next-poll.ts';
import { requestPredictions } from '../polling/poll.ts';
import { type CallPlan, readCallPlan } from '../polling/poll-plan.ts';
import type { Rules } from '../rules/index.ts';
import { columnsKey, type Subject, subjectKey, toColumns } from '../store/subject.ts';
import type { Overlap } from './find-watches.ts';
import type { WatchServiceOptions } from './options.ts';

/** What a watch will cost, and how often it would have notified. */
export interface Estimate {
  /** Requests to the service, rounded; 0 if other watches follow all subjects already. */
  callsPerMonth: number;
  /** The account's budget without this watch. */
  plan: CallPlan;
  /**
   * Alerts that the polls of the past 30 days would have caused; undefined without such polls. `from` is set if only
   * some of the vessels have been polled.
   */
  past: { replies: number; since: Date; from?: { known: number; all: number } } | undefined;
  /** Other watches of the channel that follow some of these vessels. */
  overlaps: readonly Overlap[];
  /** The service's latest answers, without the subjects whose request failed. */
  answers: readonly { subject: Subject; answer: PredictionsAnswer }[];
}

type EstimateContext = WatchServiceOptions & { askedBy: string };

/** Asks the service once for each subject. A subject whose request fails is estimated as if its ETA were far off. */
export async function estimateWatch(
  { subjects, rules }: { subjects: readonly Subject[]; rules: Rules },
  context: EstimateContext,
): Promise<Omit<Estimate, 'overlaps'>> {
  const [asked, followed, plan] = await Promise.all([
    askAll(subjects, context),
    readFollowed(subjects, context),
    readCallPlan(context.db, context.credentialId),
  ]);
  const calls = asked.map(({ subject, answer }) =>
    followed.has(subjectKey(subject)) ? 0 : callsPerMonth(answer, context),
  );
  return {
    callsPerMonth: roundToTwoDigits(calls.reduce((sum, count) => sum + count, 0)),
    plan,
    past: await lookBack(asked, rules, context),
    answers: asked.flatMap(({ subject, answer }) => (answer ? [{ subject, answer }] : [])),
  };
}

interface Asked {
  subject: Subject;
  answer: PredictionsAnswer | undefined;
}

/** Short, since watches can be added while the service is down. */
const askMs = 4_000;

function askAll(subjects: readonly Subject[], { analytics, askedBy }: EstimateContext): Promise<Asked[]> {
  const options = { askedBy, signal: AbortSignal.timeout(askMs) };
  return Promise.all(
    subjects.map(async (subject) => {
      const answer = await requestPredictions(analytics, subject, options).catch(() => undefined);
      return { subject, answer };
    }),
  );
}

/** The keys of those subjects that watches follow already. */
async function readFollowed(
  subjects: readonly Subject[],
  { db, credentialId }: EstimateContext,
): Promise<Set<string>> {
  const keys = subjects.map((subject) => toColumns(subject).key);
  const rows = await db
    .selectFrom('subjects')
    .select(['kind', 'key'])
    .where('credential_id', '=', credentialId)
    .where('key', 'in', keys)
    .execute();
  return new Set(rows.map(columnsKey));
}

const monthHours = 30 * 24;
/** The assumed length of a leg, at least: a vessel about to call begins its next leg soon. */
const shortestLegHours = 5 * 24;

/** Intervals shrink as the ETA nears, so calls are summed over one leg, then scaled to the legs of a month. */
function callsPerMonth(answer: PredictionsAnswer | undefined, context: EstimateContext): number {
  const { fixedMinutes } = context;
  const now = context.now();
  if (fixedMinutes !== undefined) return (monthHours * 60) / fixedMinutes;
  const eta = answer && nearestEta(answer, now);
  if (!eta) return (monthHours * 60) / pollIntervalMinutes(null, now);
  const etaHours = Math.ceil((eta.getTime() - now.getTime()) / millisecondsInHour);
  const legHours = Math.min(Math.max(shortestLegHours, etaHours), monthHours);
  let calls = 0;
  for (let hours = 0; hours < legHours; hours += 1) {
    calls += 60 / pollIntervalMinutes(new Date(now.getTime() + hours * millisecondsInHour), now);
  }
  return (calls * monthHours) / legHours;
}

function nearestEta({ predictions }: PredictionsAnswer, now: Date): Date | undefined {
  const byVessel = Map.groupBy(predictions, ({ imo }) => imo);
  const etas = [...byVessel.values()].flatMap((records) => rankProspects(records)[0]?.eta ?? []);
  return etas.filter((eta) => eta > now).sort((one, other) => one.getTime() - other.getTime())[0];
}

/** More digits would claim more than an estimate knows. */
const roundToTwoDigits = (count: number): number =>
  count < 10 ? Math.ceil(count) : Number(count.toPrecision(2));

/** A vessel may have a thousand polls, which take 40 ms to read and replay, so vessels beyond these are left out. */
const maxVessels = 20;

async function lookBack(
  asked: readonly Asked[],
  rules: Rules,
  { db, credentialId, now }: EstimateContext,
): Promise<Estimate['past']> {
  const from = new Date(now().getTime() - monthHours * millisecondsInHour);
  const imos = asked.flatMap(vesselsOf);
  const vessels = imos.slice(0, maxVessels).map((imo) => ({ kind: 'vessel', imo }) as const);
  const ports = asked.flatMap(({ subject }) => (subject.kind === 'port' ? [subject] : []));
  const histories: Snapshot[][] = [];
  for (const subject of [...vessels, ...ports])
    histories.push(await readHistory(db, { credentialId, subject, from }));
  const starts = histories.flatMap(([first]) => first?.at.getTime() ?? []);
  if (starts.length === 0) return undefined;
  const times = histories.flatMap((history) => replay(history, rules).map(({ at }) => at.getTime()));
  // Vessels of one list that have news in the same poll share a reply.
  const isList = asked.some(({ subject }) => subject.kind === 'shiplist');
  return {
    replies: isList ? new Set(times).size : times.length,
    since: new Date(Math.min(...starts)),
    ...(starts.length < imos.length && { from: { known: starts.length, all: imos.length } }),
  };
}

function vesselsOf({ subject, answer }: Asked): Imo[] {
  if (subject.kind === 'vessel') return [subject.imo];
  return subject.kind === 'port' ? [] : [...new Set(answer?.predictions.map(({ imo }) => imo))];
}
