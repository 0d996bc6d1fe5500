import type { AnyMiddlewareArgs, App, SlackEventMiddlewareArgs } from '@slack/bolt';
import { type Logger, referenceToShow } from '../../log.ts';
import { unavailableNotice } from '../../messages/frame/notices.ts';
import { runOnce, slackFor } from '../context.ts';
import { slackCode } from '../posting/slack-errors.ts';
import { steps } from './declarations.ts';
import { runStep, type StepResult } from './run-step.ts';

/** Custom steps of workflows. Bolt's `app.function` leaves steps that it doesn't know, and those that fail, unended. */
export function listenToSteps(app: App, logger: Logger): void {
  app.event('function_executed', async ({ ack, event, context, complete, fail }) => {
    await ack();
    const slack = slackFor(context);
    const run = async () => {
      const { callback_id: id, title } = event.function;
      const result = Object.hasOwn(steps, id) ? await runStep(event.inputs, slack) : unknownStep(title);
      await endStep(result, { complete, fail }, logger);
    };
    await runOnce(`step ${event.function_execution_id}`, run, slack);
  });
}

const unknownStep = (title: string) => ({
  kind: 'failed' as const,
  error: `This version of Landfall doesn't have the step “${title}”. Remove it from the workflow, or ask whoever runs this bot.`,
});

/** Undefined for any other delivery. */
export const stepOf = (args: AnyMiddlewareArgs): StepEnd | undefined =>
  // Bolt adds both functions to these events, but the union of all events has no types for them.
  'event' in args && args.event.type === 'function_executed' ? (args as unknown as StepEnd) : undefined;

/** Ends a step of a workspace that is not served, or that could not be opened. */
export const endUnservedStep = (
  step: StepEnd,
  { isUnavailable }: { isUnavailable: boolean },
  logger: Logger,
) => endStep({ kind: 'failed', error: isUnavailable ? unavailableNotice.text : notServed }, step, logger);

const notServed = "Landfall doesn't serve this workspace any more. Ask your workspace admins about it.";

/** Bolt's way to end a step, with the token that Slack sends for it. */
export type StepEnd = Pick<SlackEventMiddlewareArgs<'function_executed'>, 'complete' | 'fail'>;

/**
 * Ends a step. What Slack refuses is tried a second time. If Slack doesn't take the outputs at all, the step ends as
 * failed, so that it doesn't run for ever. Never rejects.
 */
async function endStep(result: StepResult, { complete, fail }: StepEnd, logger: Logger): Promise<void> {
  const end = () =>
    result.kind === 'answered' ? complete({ outputs: { ...result.outputs } }) : fail({ error: result.error });
  const error = await failureOfTwo(end);
  if (error === undefined) return;
  const ref = referenceToShow();
  logger.error({ surface: 'step', ref, err: error }, 'Slack refused the result of a step');
  if (result.kind === 'failed') return;
  const message = `Slack didn't take the answer (ref ${ref}). If it happens again, tell whoever runs this bot.`;
  const last = await failureOfTwo(() => fail({ error: message }));
  if (last !== undefined) logger.error({ surface: 'step', ref, err: last }, 'a step was not ended');
}

/** Of a step that has ended: its token dies with it. */
const endedCodes = new Set([
  'execution_not_in_running_state',
  'function_execution_not_found',
  'token_revoked',
]);

/** Tries twice; undefined once it has worked, or if the step has ended otherwise: the answer to the first try was lost. */
async function failureOfTwo(end: () => Promise<unknown>): Promise<unknown> {
  let failure: unknown;
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    try {
      await end();
      return undefined;
    } catch (error) {
      if (endedCodes.has(slackCode(error) ?? '')) return undefined;
      failure = error;
    }
  }
  return failure;
}
