import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { NoAccountError, UserError } from '../errors.ts';
import type { CommandTool, ParseContext } from '../features/command.ts';
import { DeadlineError, withinDeadline } from '../features/deadline.ts';
import type { FeatureSet, WorkspaceServices } from '../features/feature.ts';
import { commandCause, directoryFor } from '../features/run-context.ts';
import { currentReference, referenceToShow, underReference } from '../log.ts';
import { type AnswerOutcome, type Measure, measureNothing } from '../measure.ts';
import { failureView } from '../messages/frame/failure.ts';
import { terminalText } from '../messages/frame/terminal-text.ts';
import type { Reader } from '../messages/message.ts';
import { lineAsCall } from './call-in-words.ts';
import type { Caller, FindCaller } from './caller.ts';
import { refusalText } from './refusal.ts';
import { slackBlocks } from './slack-blocks.ts';

/** What the log says about a call. */
interface CallLog extends Record<string, unknown> {
  outcome: AnswerOutcome | 'cancelled';
}

export interface CallServices
  extends Pick<WorkspaceServices, 'now' | 'realNow' | 'source' | 'toServiceTrouble' | 'logger'>,
    Pick<FeatureSet, 'vessels'> {
  /** For a whole call. */
  deadlineMs: number;
  /** Waits for this person's turn, and returns the function that ends it. The deadline begins after it. */
  takeTurn?(personId: string, signal: AbortSignal): Promise<() => void>;
  measure?: Measure;
}

/** What is known about a call, for its log and its errors. */
interface Called extends Partial<ParseContext> {
  caller?: Caller;
  line?: string;
}

/**
 * Returns a function that calls one of the tools. All errors are caught here and reworded, since a model reads whatever is
 * thrown.
 */
export function createCallTool(
  services: CallServices,
  { tools, findCaller }: { tools: readonly CommandTool[]; findCaller: FindCaller },
) {
  const { now, realNow, source, deadlineMs, measure = measureNothing, logger } = services;
  const readerOf = (caller: Caller | undefined): Reader => ({
    ...{ now: now(), source, zone: caller?.actor.zone ?? 'UTC' },
    audience: caller?.audience ?? 'private',
  });

  return (tool: CommandTool, input: unknown, context: ServerContext): Promise<CallToolResult> => {
    const run = () => call(tool, input, context);
    // Over HTTP the request has one already.
    return currentReference() === undefined ? underReference(run) : run();
  };

  async function call(tool: CommandTool, input: unknown, context: ServerContext): Promise<CallToolResult> {
    const startedAt = realNow();
    const called: Called = {};
    const log = (level: 'info' | 'error', fields: CallLog) => {
      const ms = Math.round(realNow() - startedAt);
      logger[level]({ surface: 'mcp', tool: tool.name, ...fields, ms }, 'command');
      const { outcome } = fields;
      if (outcome !== 'cancelled') measure({ kind: 'answer', command: tool.name, outcome, ms });
    };
    try {
      const result = await answer(tool, input, { context, called });
      log('info', { outcome: 'answered', line: called.line });
      return result;
    } catch (error) {
      const ref = referenceToShow();
      if (context.mcpReq.signal.aborted) log('info', { outcome: 'cancelled', line: called.line });
      else if (error instanceof UserError) log('info', { outcome: 'refused', code: error.code });
      else log('error', { outcome: 'failed', ref, err: error, line: called.line });
      return failed(failureText(error, { tool, input, ref, called }));
    }
  }

  /** Notes in `called` what is known when it throws. */
  async function answer(
    tool: CommandTool,
    input: unknown,
    { context, called }: { context: ServerContext; called: Called },
  ): Promise<CallToolResult> {
    const caller = await findCaller(context);
    called.caller = caller;
    const endTurn = await services.takeTurn?.(caller.actor.userId, context.mcpReq.signal);
    try {
      return await answerInTurn(tool, input, { context, called, caller });
    } finally {
      endTurn?.();
    }
  }

  async function answerInTurn(
    tool: CommandTool,
    input: unknown,
    { context, called, caller }: { context: ServerContext; called: Called; caller: Caller },
  ): Promise<CallToolResult> {
    const vessels = directoryFor(caller.actor, await services.vessels());
    called.vessels = vessels;
    const prepared = tool.prepare(input, { vessels });
    called.line = prepared.line;
    await caller.admit?.(prepared);
    if (prepared.needsSlack && !caller.place) throw noWorkspace();
    const { actor, place, idempotencyKey } = caller;
    const cause = { ...commandCause(prepared.command.name, place), byAssistant: true } as const;
    const answered = await withinDeadline(deadlineMs, (signal, withDeadlinePaused) =>
      prepared.run({
        ...{ actor, vessels, now, source, fresh: false, withDeadlinePaused, cause },
        audience: caller.audience ?? 'private',
        ...(place && { place }),
        ...(idempotencyKey !== undefined && { idempotencyKey }),
        signal: AbortSignal.any([signal, context.mcpReq.signal]),
      }),
    ).catch((error: unknown) => {
      throw error instanceof DeadlineError ? services.toServiceTrouble(error) : error;
    });
    const reader = readerOf(caller);
    const message = answered.view(reader);
    // A model can't press a button, and has tools in place of lines.
    const inWords = (line: string) => lineAsCall(line, { tools, context: { vessels } });
    const text = terminalText(message, { zone: reader.zone, styled: false, canRun: () => false, inWords });
    return {
      content: [{ type: 'text', text }],
      structuredContent: answered.output(reader),
      ...(caller.showsBlocks && { _meta: { slack: { blocks: slackBlocks(message) } } }),
    };
  }

  function failureText(
    error: unknown,
    { tool, input, ref, called }: { tool: CommandTool; input: unknown; ref: string; called: Called },
  ): string {
    const { caller, line, vessels } = called;
    if (error instanceof UserError && !(error instanceof NoAccountError) && vessels)
      return refusalText(error, { tool, tools, input, context: { vessels } });
    const reader = readerOf(caller);
    const { text } = failureView(error, {
      ...{ ref, reader, isAdmin: caller?.actor.isAdmin ?? false },
      ...(line !== undefined && { line }),
    });
    // Without its blocks, since a model can't press their buttons.
    return terminalText({ text, blocks: [] }, { zone: reader.zone, styled: false });
  }
}

const failed = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true });

/** A desktop assistant asks the service alone. */
const noWorkspace = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message: 'Fleets and watches belong to a Slack workspace, which this assistant is not connected to.',
    hint: 'Give the vessels by IMO number, or ask Landfall in Slack.',
  });
