import type { LineFacts } from '../../answers/comparison.ts';
import type { Message } from '../../messages/message.ts';
import { type PendingRow, pendingMessage } from '../../outbox/outgoing-message.ts';
import type { Baseline, Digest, Missed } from './digest.ts';
import type { DigestDetail, DigestMessage, DigestNews, LineReport } from './digest-message.ts';
import type { ExplainFailure, RunLine } from './run-lines.ts';
import { newsByMessage } from './views/news-table.ts';
import { hasNewMark, whatIsNew } from './what-is-new.ts';

interface RunInput {
  digest: Digest;
  baseline: Baseline | null;
  missed: Missed | null;
  /** Null if a person runs it now. */
  scheduledFor: Date | null;
  nextRunAt: Date;
  now: Date;
}

interface RunResult {
  /** Null if the digest is not sent because nothing is new. */
  message: DigestMessage | null;
  /** The whole answers, which follow in the thread of the message. */
  details: Pick<DigestDetail, 'line' | 'message' | 'isInternal'>[];
  /** For the next run to compare with; unchanged if nothing is sent. */
  baseline: Baseline | null;
}

interface LineResult {
  line: string;
  facts: LineFacts | null;
  detail: Message | null;
  report: LineReport;
  /** To compare statistics with; null if the line failed. */
  verdict: string | null;
}

/** Runs all lines at once. A line that fails is reported in the message; the other lines are answered. */
export async function runDigest(
  { digest, baseline, missed, scheduledFor, nextRunAt, now }: RunInput,
  { runLine, explain }: { runLine: RunLine; explain: ExplainFailure },
): Promise<RunResult> {
  const results = await Promise.all(
    digest.lines.map(async (line): Promise<LineResult> => {
      try {
        const answer = await runLine(line, { digest, now, lastSentAt: baseline?.at });
        const { facts, brief, detail, isInternal, ...answered } = answer;
        const hasNews = answered.hasNews || hasNewMark(baseline?.lines[line], facts);
        const verdict = brief.join('\n');
        const isUnchanged = isStatistics(line) && brief.length === 1 && baseline?.verdicts[line] === verdict;
        const hasDetail = detail !== null && !isUnchanged;
        const isForecast = facts !== null && facts.kind !== 'lane-versus';
        const report = { line, brief, hasDetail, isUnchanged, isForecast, hasNews, isInternal };
        return {
          line,
          facts,
          detail: hasDetail ? detail : null,
          report: { kind: 'answered', ...report },
          verdict,
        };
      } catch (error) {
        const report = { kind: 'failed', line, ...explain(error, { digest, line, now }) } as const;
        return { line, facts: null, detail: null, report, verdict: null };
      }
    }),
  );
  const { news, baseline: lines } = whatIsNew(baseline?.lines ?? {}, results, now);
  if (digest.onlyNews && news.length === 0 && isNothingNew(results, baseline))
    return { message: null, details: [], baseline };
  const { id: digestId, number, title, ownerId, destination, zone, status } = digest;
  return {
    message: {
      kind: 'digest',
      digestId,
      number,
      title,
      ownerId,
      destination,
      zone,
      scheduledFor,
      ranAt: now,
      nextRunAt: status === 'active' ? nextRunAt : null,
      since: baseline?.at ?? null,
      news,
      missed,
      reports: results.map(({ report }) => report),
    },
    details: results.flatMap(({ line, detail, report }) =>
      detail ? [{ line, message: detail, isInternal: report.kind === 'answered' && report.isInternal }] : [],
    ),
    baseline: { at: now, lines, verdicts: verdictsOf(results, baseline) },
  };
}

/** Lines whose whole answer need not be posted again while their verdict stays the same. */
const isStatistics = (line: string): boolean => /^(?:lane|usage)\b/.test(line);

/** A line that failed keeps its old verdict. */
function verdictsOf(results: readonly LineResult[], baseline: Baseline | null): Baseline['verdicts'] {
  const statistics = results.filter(({ line }) => isStatistics(line));
  return Object.fromEntries(
    statistics.flatMap(({ line, verdict }) => {
      const current = verdict ?? baseline?.verdicts[line];
      return current === undefined ? [] : [[line, current]];
    }),
  );
}

/** The rows of the outbox: the message and, in its thread, more news and the whole answers. `id`: of the message. */
export function toMessages(
  { message, details }: RunResult,
  { id, digest, now, realNow }: { id: string; digest: Digest; now: Date; realNow: Date },
): PendingRow[] {
  if (!message) return [];
  const { destination, zone, ranAt } = message;
  const common = { parent: id, destination };
  const moreNews = newsByMessage(message.news, now).replies.map(
    (news): DigestNews => ({ kind: 'digest-news', ...common, zone, ranAt, news }),
  );
  const answers = details.map((detail): DigestDetail => ({ kind: 'digest-detail', ...common, ...detail }));
  return [message, ...moreNews, ...answers].map((part, index) =>
    pendingMessage({
      id: index === 0 ? id : `${id}/${index}`,
      threadKey: digest.id,
      channelId: digest.channelId,
      message: part,
      now,
      dueAt: realNow,
    }),
  );
}

/**
 * A line that failed, was never sent before, or says itself what has changed counts as new. Other lines without facts, such as `usage`, don't count, but
 * a digest of nothing else is always sent.
 */
function isNothingNew(results: readonly LineResult[], baseline: Baseline | null): boolean {
  return (
    results.some(({ facts }) => facts !== null) &&
    results.every(
      ({ line, facts, report }) =>
        report.kind === 'answered' && !report.hasNews && (!facts || baseline?.lines[line]),
    )
  );
}
