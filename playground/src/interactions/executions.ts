import { ApiError } from '../blocks/content.ts';
import { randomId, randomSecret } from '../ids.ts';
import type { PageStep, StepOutcome } from '../page-api/step-api.ts';

/** One run of a custom step. */
export interface Execution {
  id: string;
  step: PageStep;
  /** With this the app ends the step. */
  token: string;
  /** Resolves when the app has ended it. */
  ended: Promise<StepOutcome>;
}

export type Executions = ReturnType<typeof createExecutions>;

interface Entry extends Execution {
  expiresAt: number;
  isRunning: boolean;
  end(outcome: StepOutcome): void;
}

const TOKEN_LIFETIME_MS = 15 * 60_000;
const MAX_EXECUTIONS = 1000;

/** The runs of custom steps in one workspace. */
export function createExecutions({ now }: { now: () => number }) {
  const entries = new Map<string, Entry>();

  return {
    start(step: PageStep): Execution {
      const { promise: ended, resolve: end } = Promise.withResolvers<StepOutcome>();
      const id = randomId('Fx');
      const token = `xwfp-playground-${randomSecret()}`;
      const expiresAt = now() + TOKEN_LIFETIME_MS;
      const entry = { id, step, token, ended, end, expiresAt, isRunning: true };
      entries.set(id, entry);
      const [oldest] = entries.keys();
      if (oldest !== undefined && entries.size > MAX_EXECUTIONS) entries.delete(oldest);
      return entry;
    },
    /** The run that has this id. Throws ApiError if there is none, or if it has ended. */
    running(id: unknown): Execution {
      const entry = typeof id === 'string' ? entries.get(id) : undefined;
      if (!entry) throw new ApiError('function_execution_not_found');
      if (!entry.isRunning) throw new ApiError('execution_not_in_running_state');
      return entry;
    },
    end(id: string, outcome: StepOutcome): void {
      const entry = entries.get(id);
      if (!entry?.isRunning) return;
      entry.isRunning = false;
      entry.end(outcome);
    },
    /** The id of the run with this token. Throws ApiError if the token no longer works. */
    idOfToken(token: string): string | undefined {
      const entry = [...entries.values()].find((one) => one.token === token);
      if (!entry) return undefined;
      if (!entry.isRunning) throw new ApiError('token_revoked');
      if (entry.expiresAt <= now()) throw new ApiError('token_expired');
      return entry.id;
    },
  };
}
