import { millisecondsInDay } from 'date-fns/constants';
import type { UsageMonth } from '../../../analytics/usage.ts';
import { ServiceTrouble, UserError } from '../../../errors.ts';
import { isoMonth } from '../../../grammar/dates.ts';
import type { Period } from '../../../grammar/period.ts';
import { resolveMonth } from '../../../grammar/resolve-period.ts';
import { type CallsOfMonth, dayOf } from '../../../workspaces/call-counts.ts';
import { digestRuns } from '../../digests/index.ts';
import type { AskCtx } from '../../variant.ts';
import { polledSubjects } from '../../watches/index.ts';
import { isBefore, notYet } from '../months.ts';
import { askUsageOf } from '../report.ts';
import { requestTotals } from '../rows.ts';
import { type Cause, causesOf, type KnownChannels } from './causes.ts';
import { type Forecast, forecastCalls, recentDays } from './forecast.ts';

/** The requests that Landfall itself sent for the workspace in one month. */
export interface BotUsage extends UsageMonth {
  /** When it was read. */
  at: Date;
  /** The month isn't over. */
  isRunning: boolean;
  days: CallsOfMonth['days'];
  causes: readonly Cause[];
  /** The first day that was counted, if the month has days before it; undefined if none was. */
  since: string | undefined;
  /** Left out if the month is over. */
  forecast?: Forecast;
  /** Requests per day: of all watches, and their budget. */
  plan: { plannedCalls: number; dailyCalls: number | undefined };
  official: OfficialReport;
  known: KnownChannels;
}

/** `not-shown`: it also counts other workspaces. */
type OfficialReport =
  | { kind: 'report'; requests: number; lastUpdatedAt?: Date }
  | { kind: 'unreadable' | 'not-shown' };

/** Months and days are those of UTC. Throws UserError for a month in the future. */
export async function readBotUsage(month: Period | undefined, ctx: AskCtx): Promise<BotUsage> {
  const now = ctx.now();
  const current = resolveMonth({ kind: 'month', offset: 0 }, { now, zone: 'UTC' });
  const shown = month ? resolveMonth(month, { now, zone: 'UTC' }) : current;
  if (isBefore(current, shown)) throw notYet(shown, { what: 'count', thisMonth: 'usage bot' });
  const isRunning = !isBefore(shown, current);
  // First, so that its own requests are counted.
  const official = await askOfficial(shown, ctx);
  const { days, causes: counted } = await ctx.services.calls.ofMonth(isoMonth(shown));
  const since = await ctx.services.calls.since();
  const polled = await polledSubjects(ctx);
  const until = new Date(Date.UTC(shown.year, shown.month));
  const from = latest(new Date(Date.UTC(shown.year, shown.month - 1)), since);
  const digests = await digestRuns({ from, now, until }, ctx);
  const digestCalls = new Map(
    counted.flatMap(({ kind, key, calls }) => (kind === 'digest' ? [[key, calls] as const] : [])),
  );
  const sources = { now, until, polled, digests, digestCalls };
  return {
    ...shown,
    at: now,
    isRunning,
    days,
    causes: causesOf(counted, { subjects: polled.subjects, digests }),
    since,
    ...(isRunning && { forecast: forecastCalls({ ...sources, ...(await readRecent(now, since, ctx)) }) }),
    plan: polled,
    official,
    known: await readKnown(ctx),
  };
}

/** Requests from `recentFrom` on; not before the first day that was counted. */
async function readRecent(now: Date, since: string | undefined, ctx: AskCtx) {
  const today = Date.parse(dayOf(now.getTime()));
  const recentFrom = latest(new Date(today - (recentDays - 1) * millisecondsInDay), since);
  const tomorrow = dayOf(today + millisecondsInDay);
  return { recentFrom, recent: await ctx.services.calls.ofDays(dayOf(recentFrom.getTime()), tomorrow) };
}

const latest = (time: Date, day: string | undefined): Date =>
  new Date(Math.max(time.getTime(), day === undefined ? 0 : Date.parse(day)));

/** An answer that others read names no channel but its own. */
async function readKnown({ services, actor, place, audience }: AskCtx): Promise<KnownChannels> {
  const here = place?.destination === 'channel' ? [place.channelId] : [];
  if (audience !== 'private') return { all: false, channelIds: here };
  if (actor.isAdmin) return { all: true, channelIds: [] };
  const joined = await services.access.getJoinedChannels(actor.userId);
  return { all: false, channelIds: [...joined, ...here] };
}

const officialTimeoutMs = 4_000;
/** A longer report is not worth the requests. */
const maxOfficialPages = 3;

async function askOfficial(month: UsageMonth, ctx: AskCtx): Promise<OfficialReport> {
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(officialTimeoutMs)]);
  try {
    const report = await askUsageOf(month, { ...ctx, fresh: false, signal }, maxOfficialPages);
    const { records, lastUpdatedAt, truncated, droppedRecords } = report;
    if (truncated || droppedRecords > 0) return { kind: 'unreadable' };
    const requests = requestTotals(records)?.all ?? 0;
    return { kind: 'report', requests, ...(lastUpdatedAt && { lastUpdatedAt }) };
  } catch (error) {
    ctx.signal.throwIfAborted();
    if (error instanceof UserError && error.code === 'not-allowed') return { kind: 'not-shown' };
    if (error instanceof UserError || error instanceof ServiceTrouble || signal.aborted)
      return { kind: 'unreadable' };
    throw error;
  }
}
