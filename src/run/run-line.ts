import type { Reader } from '../answers/message.ts';
import { UserError } from '../errors.ts';
import type { LineAnswer, ParsedLine, ParseLine, PreparedLine } from '../features/command.ts';
import {
  type AskCtx,
  type AskedLine,
  type AskedOutcome,
  DeadlineError,
  directoryFor,
  type ParseContext,
  type WorkCtx,
  withinDeadline,
} from '../features/ctx.ts';
import type { WorkspaceServices } from '../features/services.ts';
import { referenceToShow } from '../log.ts';
import { type AnswerOutcome, type Measure, measureNothing } from '../measure.ts';

/** Who asks, where, and who reads the answer. */
export interface Asker<Ran = PreparedLine>
  extends Pick<AskCtx, 'actor' | 'place' | 'idempotencyKey' | 'audience'> {
  /** That of their workspace. */
  ctx: WorkCtx;
  /** Throws UserError if this person may not run the line. */
  admit?(prepared: Ran): Promise<void> | void;
  /** Called at the end, whatever it is. */
  release?(): void;
}

/** A line that is ready to run, or something else that a person does: a click, a form. */
interface Runnable {
  /** For the log: the canonical line, or the name of an action. */
  name?: string;
  line?: string;
  command?: { name: string };
  run(context: AskCtx): Promise<unknown>;
}

type AnswerOf<Ran extends Runnable> = Awaited<ReturnType<Ran['run']>>;

/** What a surface knows of a line that somebody asks. */
export interface LineRequest<Ran extends Runnable, Rendered> {
  /** For the log, with other fields of it. */
  surface: string;
  fields?: Readonly<Record<string, unknown>>;
  /** Fields of the log in place of a line that could not be read. */
  fieldsUnread?: Readonly<Record<string, unknown>>;
  /** Left out for what isn't counted here. */
  measure?: Measure;
  /** What the metrics count it as. Default: its command. */
  measuredAs?: string;
  /** Throws UserError for somebody whom Landfall does not serve. */
  who(): Promise<Asker<Ran>>;
  /** Parses the line. Throws UserError for one that can't be parsed, or that this surface must not run. */
  read(known: ParseContext & { asker: Asker<Ran> }): Ran | Promise<Ran>;
  /** What the line gets beside who asks; also who reads its answer, if that follows from the line. */
  contextOf?(prepared: Ran, asker: Asker<Ran>): Partial<AskCtx> | Promise<Partial<AskCtx>>;
  /** What the surface delivers. */
  render(answer: AnswerOf<Ran>, known: Rendering<Ran>): Rendered | Promise<Rendered>;
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal;
  /** For the whole line. */
  deadlineMs: number;
  /** Of the deadline. Default: when the line is read. */
  startedAt?: number;
  /** What an error is that is no failure, such as a question. Undefined for others. */
  outcomeOf?(error: unknown): { logged: string; measured: AnswerOutcome } | undefined;
}

interface Rendering<Ran> {
  prepared: Ran;
  reader: Reader;
  parsing: ParseContext;
}

/** What became of a line, with what was known of it by then. */
export type LineOutcome<Ran extends Runnable, Rendered> = Known<Ran> & {
  reader: Reader;
  measured: AnswerOutcome;
} & (
    | { kind: 'answered'; prepared: Ran; rendered: Rendered }
    | { kind: 'failed'; error: unknown; ref: string }
  );

interface Known<Ran> {
  asker?: Asker<Ran>;
  /** With what its words were read. */
  parsing?: ParseContext;
  prepared?: Ran;
  audience?: Reader['audience'];
}

export type RunServices = Pick<WorkspaceServices, 'now' | 'realNow' | 'source' | 'logger'>;

/**
 * The way of a line: who asks, parse, may they, run within the deadline, render; one catch, one entry in the log, one
 * measure. It never rejects. The surface says who and where, and delivers.
 */
export async function runLine<Ran extends Runnable, Rendered>(
  request: LineRequest<Ran, Rendered>,
  services: RunServices,
): Promise<LineOutcome<Ran, Rendered>> {
  const { now, realNow, source, logger } = services;
  const { measure = measureNothing } = request;
  const calledAt = realNow();
  const known: Known<Ran> = {};
  const report = (level: 'info' | 'error', outcome: string, fields = {}) => {
    const ms = Math.round(realNow() - (request.startedAt ?? calledAt));
    const { line, name = line } = known.prepared ?? {};
    const read = known.prepared ? name !== undefined && { line: name } : request.fieldsUnread;
    const entry = { surface: request.surface, ...request.fields, outcome, ...read };
    logger[level]({ ...entry, ...fields, ms }, 'command');
    return ms;
  };
  const measureAs = (outcome: AnswerOutcome, ms: number) =>
    measure({ kind: 'answer', command: request.measuredAs ?? known.prepared?.command?.name, outcome, ms });
  const readerNow = (audience = known.asker?.audience ?? 'private'): Reader => ({
    ...{ now: now(), source, audience },
    zone: known.asker?.actor.zone ?? 'UTC',
  });
  try {
    const { prepared, parsing, answer } = await run(request, known, services);
    const reader = readerNow(known.audience);
    const rendered = await request.render(answer, { prepared, reader, parsing });
    measureAs('answered', report('info', 'answered'));
    return { kind: 'answered', ...known, prepared, rendered, reader, measured: 'answered' };
  } catch (thrown) {
    const error =
      thrown instanceof DeadlineError && known.asker
        ? known.asker.ctx.services.toServiceTrouble(thrown)
        : thrown;
    const ref = referenceToShow();
    const failed = (measured: AnswerOutcome, ms: number) => {
      measureAs(measured, ms);
      return { kind: 'failed', ...known, error, ref, reader: readerNow(), measured } as const;
    };
    const other = request.outcomeOf?.(error);
    if (other) return failed(other.measured, report('info', other.logged));
    if (error instanceof UserError) return failed('refused', report('info', 'refused', { code: error.code }));
    if (!request.signal?.aborted) return failed('failed', report('error', 'failed', { ref, err: error }));
    report('info', 'cancelled');
    return { kind: 'failed', ...known, error, ref, reader: readerNow(), measured: 'failed' };
  } finally {
    known.asker?.release?.();
  }
}

/** Notes in `known` what is known when it throws. */
async function run<Ran extends Runnable>(
  request: LineRequest<Ran, unknown>,
  known: Known<Ran>,
  { now, realNow, source }: RunServices,
) {
  const asker = await request.who();
  known.asker = asker;
  const startedAt = request.startedAt ?? realNow();
  const { registry } = asker.ctx;
  const vessels = directoryFor(asker.actor, await registry.vessels(asker.ctx));
  const parsing: ParseContext = { vessels, lineOf: registry.lineOf };
  known.parsing = parsing;
  const prepared = await request.read({ ...parsing, asker });
  known.prepared = prepared;
  await asker.admit?.(prepared);
  const { ctx, actor, place, idempotencyKey } = asker;
  const leftMs = Math.max(1, request.deadlineMs - (realNow() - startedAt));
  const answer = await withinDeadline(leftMs, async (signal, withDeadlinePaused) => {
    const { audience = asker.audience, ...context } = (await request.contextOf?.(prepared, asker)) ?? {};
    known.audience = audience;
    const answered = await prepared.run({
      ...{ ...ctx, actor, vessels, now, source, audience, fresh: false, withDeadlinePaused },
      ...(place && { place }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      ...context,
      signal: request.signal ? AbortSignal.any([signal, request.signal]) : signal,
    });
    // TypeScript doesn't see that a generic `run` resolves to what its type says.
    return answered as AnswerOf<Ran>;
  });
  return { prepared, parsing, answer };
}

/** Returns a function that runs lines which features ask, such as those of a digest. The metrics count only what people ask. */
export const createAskLine =
  (parseLine: ParseLine) =>
  <Rendered>(
    { surface, fields, line, deadlineMs, who, check, render, ...context }: AskedLine<Rendered>,
    ctx: WorkCtx,
  ): Promise<AskedOutcome<Rendered>> =>
    runLine<ParsedLine, Rendered>(
      {
        ...{ surface, fields, fieldsUnread: { line }, deadlineMs },
        who: async () => ({ ctx, ...(await who()) }),
        read({ vessels }) {
          const parsed = parseLine(line, { vessels });
          check(parsed);
          return parsed;
        },
        contextOf: () => context,
        render: (answer: LineAnswer, { prepared, reader }) => render(answer, prepared, reader),
      },
      ctx.services,
    );
