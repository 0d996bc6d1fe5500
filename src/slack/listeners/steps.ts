import type { AnyMiddlewareArgs, App } from '@slack/bolt';
import type { Logger } from '../../log.ts';
import { unavailableNotice } from '../../messages/frame/notices.ts';
import { partsOf } from '../edge-parts.ts';
import { steps } from '../steps/declarations.ts';
import { endStep, type StepEnd } from '../steps/end-step.ts';

/** Custom steps of workflows. Bolt's `app.function` leaves steps that it doesn't know, and those that fail, unended. */
export function listenToSteps(app: App, logger: Logger): void {
  app.event('function_executed', async ({ ack, event, context, complete, fail }) => {
    await ack();
    const { runOnce, runStep } = partsOf(context);
    await runOnce(`step ${event.function_execution_id}`, async () => {
      const { callback_id: id, title } = event.function;
      const result = Object.hasOwn(steps, id) ? await runStep(event.inputs) : unknownStep(title);
      await endStep(result, { complete, fail }, logger);
    });
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
