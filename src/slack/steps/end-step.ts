import type { SlackEventMiddlewareArgs } from '@slack/bolt';
import { type Logger, referenceToShow } from '../../log.ts';
import { slackCode } from '../posting/slack-errors.ts';
import type { StepResult } from './run-step.ts';

/** Bolt's way to end a step, with the token that Slack sends for it. */
export type StepEnd = Pick<SlackEventMiddlewareArgs<'function_executed'>, 'complete' | 'fail'>;

/**
 * Ends a step. What Slack refuses is tried a second time. If Slack doesn't take the outputs at all, the step ends as
 * failed, so that it doesn't run for ever. Never rejects.
 */
export async function endStep(
  result: StepResult,
  { complete, fail }: StepEnd,
  logger: Logger,
): Promise<void> {
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
