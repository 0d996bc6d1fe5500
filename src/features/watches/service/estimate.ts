import { millisecondsInHour } from 'date-fns/constants';
import type { Kysely } from 'kysely';
import type { PredictionsAnswer } from '../../../analytics/answers.ts';
import type { AnalyticsClient } from '../../../analytics/client.ts';
import { portByAnyCode } from '../../../analytics/port-by-any-code.ts';
import { rankProspects } from '../../../analytics/rank-prospects.ts';
import type { Schema } from '../../../database/schema.ts';
import type { Imo } from '../../../reference/imo.ts';
import { replay } from '../evaluation/evaluate.ts';
import type { Snapshot } from '../evaluation/snapshot.ts';
import { readPortHistory, readVesselHistory } from '../polling/history.ts';
import { pollIntervalMinutes } from '../polling/interval.ts';
import { type CallPlan, readCallPlan } from '../polling/poll-plan.ts';
import type { Rules } from '../rules/index.ts';
import { type Subject, toColumns } from '../store/subject.ts';
import type { Overlap } from './overlaps.ts';

/** What a watch will cost, and how often it would have notified. */
export interface Estimate {
  /** Of the service, rounded; 0 where all of it is asked for other watches already. */
  callsPerMonth: number;
  /** The budget as it is before. */
  plan: CallPlan;
  /** Over what was polled in the past 30 days; undefined where nothing was. `from`: counted for some of its vessels alone. */
  past: { replies: number; since: Date; from?: { known: number; all: number } } | undefined;
  /** Other watches of the channel that follow some of these vessels. */
  overlaps: readonly Overlap[];
  /** What the service says now; left out of it is what it did not answer. */
  answers: readonly { subject: Subject; answer: PredictionsAnswer }[];
}

interface EstimateContext {
  db: Kysely<Schema>;
  analytics: Pick<AnalyticsClient, 'vesselPredictions' | 'portPredictions' | 'shiplistNextPorts'>;
  credentialId: string;
  askedBy: string;
  now: Date;
  fixedMinutes: number | undefined;
}

/** Asks the service once for each subject; one that fails is counted as far out. */
export async function estimateWatch(
  { subjects, rules }: { subjects: readonly Subject[]; rules: Rules },
  context: EstimateContext,
): Promise<Omit<Estimate, 'overlaps'>> {
  const { db, credentialId } = context;
  const [answers, followed, plan] = await Promise.all([
    askAll(subjects, context),
    readFollowed(db, { credentialId, subjects }),
    readCallPlan(db, credentialId),
  ]);
  const calls = subjects.map((subject) =>
    followed.has(nameOf(subject)) ? 0 : callsPerMonth(answerTo(subject, answers), context),
  );
  return {
    callsPerMonth: roundly(calls.reduce((sum, count) => sum + count, 0)),
    plan,
    past: await lookBack({ subjects, rules, answers }, context),
    answers,
  };
}

type Answers = Estimate['answers'];

const nameOf = (subject: Subject): string => Object.values(toColumns(subject)).join(' ');

const answerTo = (subject: Subject, answers: Answers): PredictionsAnswer | undefined =>
  answers.find((one) => one.subject === subject)?.answer;

/** A service that is down keeps nobody from watching. */
const askMs = 4_000;

async function askAll(
  subjects: readonly Subject[],
  { analytics, askedBy }: EstimateContext,
): Promise<Answers> {
  const how = { askedBy, signal: AbortSignal.timeout(askMs) };
  const asked = subjects.map(async (subject) => {
    switch (subject.kind) {
      case 'vessel':
        return analytics.vesselPredictions(subject.imo, how);
      case 'shiplist':
        return analytics.shiplistNextPorts(subject.name, how);
      case 'port':
        return (await portByAnyCode(analytics, subject.port, how)).answer;
    }
  });
  const results = await Promise.allSettled(asked);
  return subjects.flatMap((subject, index) => {
    const result = results[index];
    return result?.status === 'fulfilled' ? [{ subject, answer: result.value }] : [];
  });
}

async function readFollowed(
  db: Kysely<Schema>,
  { credentialId, subjects }: { credentialId: string; subjects: readonly Subject[] },
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('subjects')
    .select(['kind', 'key'])
    .where('credential_id', '=', credentialId)
    .where(
      'key',
      'in',
      subjects.map((subject) => toColumns(subject).key),
    )
    .execute();
  return new Set(rows.map(({ kind, key }) => `${kind} ${key}`));
}

const monthHours = 30 * 24;
/** A leg is taken to last at least so long: a vessel about to call has the next leg before it. */
const shortestLegHours = 5 * 24;

/** The intervals shrink as the ETA nears: summed over a leg from now to the ETA, and as many legs as fit a month. */
function callsPerMonth(
  answer: PredictionsAnswer | undefined,
  { now, fixedMinutes }: EstimateContext,
): number {
  if (fixedMinutes !== undefined) return (monthHours * 60) / fixedMinutes;
  const eta = answer && nearestEta(answer, now);
  if (!eta) return (monthHours * 60) / pollIntervalMinutes(null, now);
  const legHours = Math.max(
    shortestLegHours,
    Math.ceil((eta.getTime() - now.getTime()) / millisecondsInHour),
  );
  let calls = 0;
  for (let hours = 0; hours < Math.min(legHours, monthHours); hours += 1) {
    calls += 60 / pollIntervalMinutes(new Date(now.getTime() + hours * millisecondsInHour), now);
  }
  return (calls * monthHours) / Math.min(legHours, monthHours);
}

function nearestEta({ predictions }: PredictionsAnswer, now: Date): Date | undefined {
  const byVessel = Map.groupBy(predictions, ({ imo }) => imo);
  const etas = [...byVessel.values()].flatMap((records) => rankProspects(records)[0]?.eta ?? []);
  return etas.filter((eta) => eta > now).sort((one, other) => one.getTime() - other.getTime())[0];
}

/** Two figures: more would claim to know. */
function roundly(count: number): number {
  if (count < 10) return Math.ceil(count);
  const unit = 10 ** (Math.floor(Math.log10(count)) - 1);
  return Math.round(count / unit) * unit;
}

const lookBackMs = monthHours * millisecondsInHour;
/** Each may have a thousand polls, which take 40 ms to be read and gone through: of more, nothing is counted. */
const maxVessels = 20;

async function lookBack(
  { subjects, rules, answers }: { subjects: readonly Subject[]; rules: Rules; answers: Answers },
  { db, credentialId, now }: EstimateContext,
): Promise<Estimate['past']> {
  const from = new Date(now.getTime() - lookBackMs);
  const imos = subjects.flatMap((subject) => vesselsOf(subject, answers));
  const stories: Snapshot[][] = [];
  for (const vessel of imos.slice(0, maxVessels)) {
    stories.push(await readVesselHistory(db, { credentialId, vessel, from }));
  }
  for (const subject of subjects) {
    if (subject.kind !== 'port') continue;
    stories.push(await readPortHistory(db, { credentialId, port: subject.port, from }));
  }
  const firsts = stories.flatMap((story) => story[0]?.at.getTime() ?? []);
  if (firsts.length === 0) return undefined;
  const times = stories.flatMap((story) => replay(story, rules).map(({ at }) => at.getTime()));
  // Vessels of one list that have news at the same poll share a reply.
  const isList = subjects.some(({ kind }) => kind === 'shiplist');
  return {
    replies: isList ? new Set(times).size : times.length,
    since: new Date(Math.min(...firsts)),
    ...(firsts.length < imos.length && { from: { known: firsts.length, all: imos.length } }),
  };
}

function vesselsOf(subject: Subject, answers: Answers): Imo[] {
  if (subject.kind === 'vessel') return [subject.imo];
  if (subject.kind === 'port') return [];
  return [...new Set(answerTo(subject, answers)?.predictions.map(({ imo }) => imo))];
}
