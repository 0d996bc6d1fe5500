import { UserError } from '../errors.ts';
import type { LineAnswer, PreparedLine } from '../features/command.ts';
import { DeadlineError, withinDeadline } from '../features/deadline.ts';
import type { WorkspaceServices } from '../features/feature.ts';
import { directoryFor, type RunContext } from '../features/run-context.ts';
import type { VesselDirectory } from '../grammar/vessel-directory.ts';
import { type Logger, referenceToShow } from '../log.ts';
import type { AnswerOutcome, Measure } from '../measure.ts';
import type { Reader } from '../messages/message.ts';

/** Who asks, where, and who reads the answer. */
export interface Asker extends Pick<RunContext, 'actor' | 'place' | 'idempotencyKey' | 'audience'> {
  /** Throws UserError if this person may not run the line. */
  admit?(prepared: PreparedLine): Promise<void> | void;
  /** Called at the end, whatever it is. */
  release?(): void;
}

/** A line that is ready to run, with what it answers. */
export type Runnable<Answer extends LineAnswer> = Omit<PreparedLine, 'run'> & {
  run(context: RunContext): Promise<Answer>;
};

/** What a surface knows of a line that somebody asks. */
export interface LineRequest<Answer extends LineAnswer> {
  /** For the log, with other fields of it. */
  surface: string;
  fields?: Readonly<Record<string, unknown>>;
  /** What the metrics count it as. Default: its command. */
  measuredAs?: string;
  /** Throws UserError for somebody whom Landfall does not serve. */
  who(): Promise<Asker>;
  /** Parses the line. Throws UserError for one that can't be parsed, or that this surface must not run. */
  read(known: { vessels: VesselDirectory; asker: Asker }): Runnable<Answer>;
  /** What the line gets beside who asks. */
  contextOf?(prepared: PreparedLine, asker: Asker): Partial<RunContext>;
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal;
}

/** What became of a line, with what was known of it by then. */
export type LineOutcome<Answer extends LineAnswer> = Known<Answer> & {
  reader: Reader;
} & (
    | { kind: 'answered'; prepared: Runnable<Answer>; answer: Answer }
    | { kind: 'failed'; error: unknown; ref: string }
  );

interface Known<Answer extends LineAnswer> {
  asker?: Asker;
  vessels?: VesselDirectory;
  prepared?: Runnable<Answer>;
}

export interface RunServices
  extends Pick<WorkspaceServices, 'now' | 'realNow' | 'source' | 'toServiceTrouble'> {
  vessels(): Promise<VesselDirectory>;
  /** For a whole line. */
  deadlineMs: number;
  measure: Measure;
  logger: Logger;
}

export type RunLine = ReturnType<typeof createRunLine>;

/**
 * Returns the way of a line: who asks, the line parsed, may they, the deadline, run; one catch, one entry in the log, one
 * measure. It never rejects. The surface says who and where, and delivers.
 */
export function createRunLine(services: RunServices) {
  const { now, realNow, source, toServiceTrouble, deadlineMs, measure, logger } = services;

  return async <Answer extends LineAnswer>(request: LineRequest<Answer>): Promise<LineOutcome<Answer>> => {
    const startedAt = realNow();
    const known: Known<Answer> = {};
    const report = (level: 'info' | 'error', outcome: AnswerOutcome | 'cancelled', fields = {}) => {
      const ms = Math.round(realNow() - startedAt);
      const line = known.prepared && { line: known.prepared.line };
      const entry = { surface: request.surface, ...request.fields, outcome, ...line, ...fields, ms };
      logger[level](entry, 'command');
      if (outcome === 'cancelled') return;
      measure({ kind: 'answer', command: request.measuredAs ?? known.prepared?.command.name, outcome, ms });
    };
    const readerNow = (): Reader => {
      const { actor, audience = 'private' } = known.asker ?? {};
      return { now: now(), source, zone: actor?.zone ?? 'UTC', audience };
    };
    try {
      const { prepared, answer } = await run(request, known);
      report('info', 'answered');
      return { kind: 'answered', ...known, prepared, answer, reader: readerNow() };
    } catch (thrown) {
      const error = thrown instanceof DeadlineError ? toServiceTrouble(thrown) : thrown;
      const ref = referenceToShow();
      if (request.signal?.aborted) report('info', 'cancelled');
      else if (error instanceof UserError) report('info', 'refused', { code: error.code });
      else report('error', 'failed', { ref, err: error });
      return { kind: 'failed', ...known, error, ref, reader: readerNow() };
    } finally {
      known.asker?.release?.();
    }
  };

  /** Notes in `known` what is known when it throws. */
  async function run<Answer extends LineAnswer>(request: LineRequest<Answer>, known: Known<Answer>) {
    const asker = await request.who();
    known.asker = asker;
    const vessels = directoryFor(asker.actor, await services.vessels());
    known.vessels = vessels;
    const prepared = request.read({ vessels, asker });
    known.prepared = prepared;
    await asker.admit?.(prepared);
    const { actor, place, idempotencyKey, audience } = asker;
    const answer = await withinDeadline(deadlineMs, (signal, withDeadlinePaused) =>
      prepared.run({
        ...{ actor, vessels, now, source, audience, fresh: false, withDeadlinePaused },
        ...(place && { place }),
        ...(idempotencyKey !== undefined && { idempotencyKey }),
        ...request.contextOf?.(prepared, asker),
        signal: request.signal ? AbortSignal.any([signal, request.signal]) : signal,
      }),
    );
    return { prepared, answer };
  }
}
