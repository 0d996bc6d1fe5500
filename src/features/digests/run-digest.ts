import type { CallCause } from '../../analytics/answers.ts';
import type { Answer, AnswerButton, Comparison } from '../../answers/answer.ts';
import { charactersIn } from '../../answers/message.ts';
import { failureReason } from '../../answers/slack/failure.ts';
import { type StoredAnswer, toStored } from '../../answers/stored.ts';
import { type Text, toPlain } from '../../answers/text.ts';
import { type PendingRow, pendingMessage } from '../../outbox/outgoing-message.ts';
import { type AskCtx, commandCause, isPersonal, type WorkCtx } from '../ctx.ts';
import { isPersonalThing } from '../owned/index.ts';
import type {
  Baseline,
  Digest,
  DigestDetail,
  DigestMessage,
  DigestNews,
  LineReport,
  Missed,
  News,
} from './digest.ts';
import { checkDigestLine, dependsOnAsker } from './lines.ts';
import { digestAnswer, newsByMessage } from './message.ts';
import { nextCalls } from './next-calls.ts';
import { frameOf } from './outgoing.ts';
import { hasNewRow, whatIsNew } from './what-is-new.ts';

interface RunInput {
  digest: Digest;
  baseline: Baseline | null;
  missed: Missed | null;
  /** Null if a person runs it now. */
  scheduledFor: Date | null;
  nextRunAt: Date;
  now: Date;
}

/** Who reads a digest that is only shown: its lines run for this person, who may have left the channel. */
interface Preview {
  userId: string;
}

interface RunResult {
  /** Null if the digest is not sent because nothing is new. */
  message: DigestMessage | null;
  /** The whole answers, which follow in the thread of the message. */
  details: Pick<DigestDetail, 'line' | 'stored' | 'isInternal'>[];
  /** For the next run to compare with; unchanged if nothing is sent. */
  baseline: Baseline | null;
}

interface LineResult {
  line: string;
  comparison: Comparison | null;
  detail: StoredAnswer | null;
  report: LineReport;
  /** To compare statistics with; null for other lines, and for one that failed. */
  verdict: string | null;
  /** Its verdict counts changes. */
  countsChanges: boolean;
}

/** Runs all lines at once. A line that fails is reported in the message; the other lines are answered. */
export async function runDigest(input: RunInput, ctx: WorkCtx, preview?: Preview): Promise<RunResult> {
  const { digest, baseline, missed, scheduledFor, nextRunAt, now } = input;
  const results = await Promise.all(digest.lines.map((line) => runDigestLine(line, input, ctx, preview)));
  const { news, baseline: lines } = whatIsNew(baseline?.lines ?? {}, results, now);
  if (digest.onlyNews && news.length === 0 && isNothingNew(results, baseline))
    return { message: null, details: [], baseline };
  const calls = nextCalls(
    results.map(({ comparison, report }) => ({
      comparison,
      isBrief: report.kind === 'answered' && report.brief !== null,
    })),
    news,
  );
  const { id: digestId, number, title, ownerId, destination, zone, status } = digest;
  return {
    message: {
      kind: 'digest',
      ...{ digestId, number, title, ownerId, destination, zone, scheduledFor, news, calls, missed },
      ranAt: now,
      nextRunAt: status === 'active' ? nextRunAt : null,
      since: baseline?.at ?? null,
      reports: results.map((result) => reportBeside(news, result)),
    },
    details: results.flatMap(({ line, detail, report }) =>
      detail ? [{ line, stored: detail, isInternal: report.kind === 'answered' && report.isInternal }] : [],
    ),
    baseline: { at: now, lines, verdicts: verdictsOf(results, baseline) },
  };
}

/** The digest counts its news, so a line that counts changes too is only named, and its answer is in the thread. */
const reportBeside = (news: readonly News[], { report, countsChanges }: LineResult): LineReport =>
  news.length > 0 && countsChanges && report.kind === 'answered' && report.hasDetail
    ? { ...report, brief: null }
    : report;

/** For each line: a typed command has the same. A preview ends before its own, so that a slow line fails alone. */
const [deadlineMs, previewDeadlineMs] = [15_000, 12_000];

/** For the verdicts of all lines together, beside the table of what is new. */
const maxCharacters = 3_500;

/** Runs a canonical line as the digest's owner, in the time zone of the digest. */
async function runDigestLine(
  line: string,
  { digest, baseline }: RunInput,
  ctx: WorkCtx,
  preview: Preview | undefined,
): Promise<LineResult> {
  const { slack } = ctx.services;
  const { id, channelId, destination, zone } = digest;
  const ownerId = preview?.userId ?? digest.ownerId;
  const outcome = await ctx.registry.askLine<LineResult>(
    {
      surface: preview ? 'preview' : 'digest',
      fields: { digest: id },
      line,
      deadlineMs: preview ? previewDeadlineMs : deadlineMs,
      priority: preview ? 'interactive' : 'background',
      cause: causeOf(digest, preview),
      ...(baseline && { lastSentAt: baseline.at }),
      async who() {
        const [asksOnly, owner, chooser, audience] = await Promise.all([
          slack.asksOnly(ownerId),
          slack.personOf(ownerId),
          slack.personOf(preview?.userId ?? digest.chosenBy),
          slack.audienceOf({ channelId, destination }),
        ]);
        // Nobody gets an admin's answers by handing their digest to an admin, or by editing an admin's digest.
        const isAdmin = owner.isAdmin && chooser.isAdmin;
        return {
          actor: { userId: ownerId, isAdmin, zone, asksOnly },
          place: { channelId, destination, mayHaveLeft: preview !== undefined },
          audience,
        };
      },
      check(read) {
        // What a command allows may have changed since the digest was saved.
        checkDigestLine(read);
        if (isPersonal(read) && !isPersonalThing(digest)) throw dependsOnAsker();
      },
      render(answer, { privacy, isStatistics = false }, reader) {
        const { comparison, isForecast } = answer;
        const { brief, isWhole } = answer.brief(reader);
        const { strong, rest = '', lines = [] } = brief.verdict;
        // The same for all readers.
        const words = [[strong, rest], ...lines].map((text) =>
          toPlain(text, { zone: 'UTC', audience: 'channel' }),
        );
        const isShort = charactersIn(words) <= maxCharacters / digest.lines.length;
        const verdict = words.join('\n');
        const isUnchanged =
          isStatistics && isShort && lines.length === 0 && baseline?.verdicts[line] === verdict;
        const hasDetail = !(isShort && isWhole) && !isUnchanged;
        const hasNews = answer.hasNews || hasNewRow(baseline?.lines[line], comparison);
        const isInternal = privacy === 'internal';
        return {
          ...{ line, comparison },
          detail: hasDetail ? answer.stored(reader) : null,
          report: {
            kind: 'answered',
            brief: isShort ? toStored(brief, { line }, reader) : null,
            ...{ line, hasDetail, isUnchanged, isForecast, hasNews, isInternal },
          },
          verdict: isStatistics ? verdict : null,
          countsChanges: answer.hasNews,
        };
      },
    },
    ctx,
  );
  if (outcome.kind === 'answered') return outcome.rendered;
  const { error, ref, reader } = outcome;
  const reason = failureReason(error, { ref, reader, line });
  const nothing = { comparison: null, detail: null, verdict: null, countsChanges: false };
  return { line, ...nothing, report: { kind: 'failed', line, reason, ref } };
}

/** A preview is the command of the person who looks at it. */
function causeOf(digest: Digest, preview: Preview | undefined): CallCause {
  if (preview) return commandCause('digest', digest);
  return { kind: 'digest', id: digest.id, channelId: isPersonalThing(digest) ? null : digest.channelId };
}

/** A line that failed keeps its old verdict. */
function verdictsOf(results: readonly LineResult[], baseline: Baseline | null): Baseline['verdicts'] {
  return Object.fromEntries(
    results.flatMap(({ line, report, verdict }) => {
      const current = verdict ?? (report.kind === 'failed' ? baseline?.verdicts[line] : undefined);
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
  const common = { parent: id, destination, zone, ranAt };
  const moreNews = newsByMessage(message.news, now).replies.map(
    (news): DigestNews => ({ kind: 'digest-news', ...common, news }),
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
 * A line that failed, was never sent before, or says itself what has changed counts as new. Other lines that compare
 * nothing, such as `usage`, don't count, but a digest of nothing else is always sent.
 */
function isNothingNew(results: readonly LineResult[], baseline: Baseline | null): boolean {
  return (
    results.some(({ comparison }) => comparison !== null) &&
    results.every(
      ({ line, comparison, report }) =>
        report.kind === 'answered' && !report.hasNews && (!comparison || baseline?.lines[line]),
    )
  );
}

/** The digest as it would be posted now, with what this person may see. Posts nothing. */
export async function previewOf(
  shown: Digest,
  baseline: Baseline | null,
  { note, runs = [] }: { note: Text; runs?: readonly AnswerButton[] },
  ctx: AskCtx,
): Promise<Answer> {
  const now = ctx.now();
  // A preview is shown even if nothing is new.
  const digest = { ...shown, onlyNews: false };
  const { nextRunAt } = digest;
  const input = { digest, baseline, missed: null, scheduledFor: now, nextRunAt, now };
  const { message } = await runDigest(input, ctx, ctx.actor);
  if (!message) throw new Error('a preview was not sent');
  const { frame, reader } = await frameOf(message, digest.channelId, ctx);
  const answer = digestAnswer(message, frame, reader);
  const { lines = [] } = answer.verdict;
  return { ...answer, verdict: { ...answer.verdict, lines: [note, ...lines] }, actions: { runs } };
}
