import { ApiError } from '../blocks/content.ts';
import type { Execution } from '../interactions/executions.ts';
import { isJsonObject, type JsonObject, nonEmptyString, parseJson } from '../json.ts';
import type { StepField } from '../page-api/step-api.ts';
import { type Caller, invalid, type Method, type MethodContext } from './method.ts';

/** With which the app ends a custom step of a workflow. */
export function functionMethods({ executions }: MethodContext): Record<string, Method> {
  const running = (args: JsonObject, { grant }: Caller): Execution => {
    const execution = executions.running(args.function_execution_id);
    // The token of a step is for that step only.
    const isOther = grant.executionId !== undefined && grant.executionId !== execution.id;
    if (isOther) throw new ApiError('access_denied');
    return execution;
  };
  return {
    'functions.completeSuccess': {
      token: 'bot',
      run(args, caller) {
        const { id, step } = running(args, caller);
        const outputs = typeof args.outputs === 'string' ? parseJson(args.outputs) : args.outputs;
        if (!isJsonObject(outputs)) throw invalid('invalid_arguments', ['outputs must be an object']);
        const faults = faultsIn(outputs, step.outputs);
        if (faults.length > 0) throw invalid('parameter_validation_failed', faults);
        executions.end(id, { kind: 'completed', outputs });
        return undefined;
      },
    },
    'functions.completeError': {
      token: 'bot',
      run(args, caller) {
        const { id } = running(args, caller);
        const error = nonEmptyString(args.error);
        if (error === undefined) throw invalid('invalid_arguments', ['missing required field: error']);
        executions.end(id, { kind: 'failed', error });
        return undefined;
      },
    },
  };
}

function faultsIn(outputs: JsonObject, declared: readonly StepField[]): string[] {
  const unknown = Object.keys(outputs).filter((name) => !declared.some((field) => field.name === name));
  return [
    ...unknown.map((name) => `${name} isn't an output parameter of this function`),
    ...declared.flatMap(({ name, type, isRequired }) => {
      const value = outputs[name];
      if (value === undefined || value === null) {
        return isRequired ? [`missing required output parameter: ${name}`] : [];
      }
      return isOfType(type, value) ? [] : [`${name} must be of the type ${type}`];
    }),
  ];
}

/** Types that no app in the tests has are not checked. */
function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'number':
      return typeof value === type;
    case 'integer':
    case 'slack#/types/timestamp':
      return Number.isInteger(value);
    case 'slack#/types/user_id':
    case 'slack#/types/channel_id':
      return typeof value === 'string' && /^[A-Z][A-Z0-9]+$/.test(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    default:
      return true;
  }
}
