import type { Insertable } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import { pendingMessage } from '../../outbox/outgoing-message.ts';
import type { Baseline, Digest, Missed } from './digest.ts';
import type { DigestDetail, DigestMessage, LineReport } from './digest-message.ts';
import type { ExplainFailure, LineAnswer, RunLine } from './run-line.ts';
import { whatIsNew } from './what-is-new.ts';

export interface RunInput {
  digest: Digest;
  baseline: Baseline | null;
  missed: Missed | null;
  /** Null: somebody runs it now. */
  scheduledFor: Date | null;
  nextRunAt: Date | null;
  now: Date;
}

export interface RunResult {
  /** Null when nothing is new and the digest is not sent then. */
  message: DigestMessage | null;
  /** The whole answers, for the thread, without their parent. */
  details: Pick<DigestDetail, 'line' | 'message'>[];
  /** What the next run compares with: unchanged when nothing is sent. */
  baseline: Baseline | null;
}

type Ran = { line: string } & (
  | { kind: 'answered'; answer: LineAnswer }
  | { kind: 'failed'; reason: string; ref: string }
);

/** Asks all lines at once; one that fails becomes an error line, and the rest stands. */
export async function runDigest(
  input: RunInput,
  { runLine, explain }: { runLine: RunLine; explain: ExplainFailure },
): Promise<RunResult> {
  const { digest, baseline, now } = input;
  const ran = await Promise.all(
    digest.lines.map(async (line): Promise<Ran> => {
      try {
        return { kind: 'answered', line, answer: await runLine(line, { digest, now }) };
      } catch (error) {
        return { kind: 'failed', line, ...explain(error, { digest, line, now }) };
      }
    }),
  );
  const answers = ran.map((one) => ({
    line: one.line,
    facts: one.kind === 'answered' ? one.answer.facts : null,
  }));
  const { news, baseline: lines } = whatIsNew(baseline?.lines ?? {}, answers, now);
  if (digest.onlyNews && news.length === 0 && isNothingNew(ran, baseline))
    return { message: null, details: [], baseline };
  return {
    message: { ...headOf(input), news, reports: ran.map(toReport) },
    details: ran.flatMap((one) =>
      one.kind === 'answered' && one.answer.detail !== null
        ? [{ line: one.line, message: one.answer.detail }]
        : [],
    ),
    baseline: { at: now, lines },
  };
}

/** The rows of the outbox: the message, and in its thread the whole answers. `id` is that of the message. */
export function toMessages(
  { message, details }: RunResult,
  { id, digest, now, realNow }: { id: string; digest: Digest; now: Date; realNow: Date },
): Insertable<Schema['outbox']>[] {
  if (!message) return [];
  const parts = details.map((detail): DigestDetail => ({ kind: 'digest-detail', parent: id, ...detail }));
  return [message, ...parts].map((part, index) =>
    pendingMessage({
      id: index === 0 ? id : `${id}/${index}`,
      workspaceId: digest.workspaceId,
      digestId: digest.id,
      channelId: digest.channelId,
      message: part,
      now,
      realNow,
    }),
  );
}

/** A failure is sent, and so is a line that never was; lines such as usage, which hold no news, don't count. */
function isNothingNew(ran: readonly Ran[], baseline: Baseline | null): boolean {
  const isKnown = (one: Ran) => one.kind === 'answered' && (!one.answer.facts || baseline?.lines[one.line]);
  return ran.every(isKnown) && ran.some((one) => one.kind === 'answered' && one.answer.facts !== null);
}

function headOf({ digest, baseline, missed, scheduledFor, nextRunAt, now }: RunInput) {
  const { id: digestId, number, title, ownerId, destination, zone } = digest;
  const head = { kind: 'digest', digestId, number, title, ownerId, destination, zone } as const;
  return { ...head, scheduledFor, ranAt: now, nextRunAt, since: baseline?.at ?? null, missed };
}

function toReport(ran: Ran): LineReport {
  if (ran.kind === 'failed') return ran;
  const { brief, detail } = ran.answer;
  return { kind: 'answered', line: ran.line, brief, hasDetail: detail !== null };
}
