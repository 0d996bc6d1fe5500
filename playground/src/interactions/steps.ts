import { randomId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import type { PageStep, StepField, StepReply, StepRequest } from '../page-api/step-api.ts';
import type { World } from '../world/world.ts';
import type { Events } from './events.ts';
import type { Executions } from './executions.ts';

/** Runs a custom step of the app, as a workflow does. Resolves when the app has ended it. */
export function createSteps(options: {
  world: World;
  steps: readonly PageStep[];
  executions: Executions;
  events: Pick<Events, 'emit'>;
}): (request: StepRequest) => Promise<StepReply> {
  const { world, steps, executions, events } = options;
  return async ({ callbackId, inputs }) => {
    const step = steps.find((known) => known.callbackId === callbackId);
    if (!step) return { ok: false, error: "The app's manifest doesn't declare this step." };
    const { id, token, ended } = executions.start(step);
    const isSent = await events.emit({
      type: 'function_executed',
      function: functionOf(step, world.app.id),
      inputs,
      function_execution_id: id,
      workflow_execution_id: randomId('Wx'),
      bot_access_token: token,
    });
    if (!isSent) return { ok: false, error: "The app doesn't subscribe to the event function_executed." };
    return { ok: true, outcome: await ended };
  };
}

function functionOf(
  { callbackId, title, description, inputs, outputs }: PageStep,
  appId: string,
): JsonObject {
  return {
    id: `Fn${appId.slice(1)}`,
    callback_id: callbackId,
    title,
    description,
    type: 'app',
    input_parameters: inputs.map(parameterOf),
    output_parameters: outputs.map(parameterOf),
    app_id: appId,
    date_created: 0,
    date_updated: 0,
    date_deleted: 0,
  };
}

const parameterOf = ({ name, type, title, description, isRequired }: StepField): JsonObject => ({
  ...{ name, type, title, description, is_required: isRequired },
});
