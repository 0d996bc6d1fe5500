import { addDays } from 'date-fns/addDays';
import type { CallCause } from '../analytics/answers.ts';
import { UserError } from '../errors.ts';
import { type CallCounts, dayOf } from './call-counts.ts';

/**
 * Throws UserError for a call of a digest or an assistant once the workspace has sent as many today (UTC) as its budget
 * has. Watches keep to it by polling less often, and people are always answered.
 */
export function createCallBudget(options: {
  dailyCalls: number | undefined;
  calls: Pick<CallCounts, 'ofDays'>;
  /** How many of today are not in `calls` yet. */
  unsavedCalls: () => number;
  /** The domain clock. */
  now: () => Date;
}) {
  const { dailyCalls, calls, unsavedCalls, now } = options;

  async function sentToday(): Promise<number> {
    const [today, tomorrow] = [now(), addDays(now(), 1)].map((day) => dayOf(day.getTime()));
    if (!today || !tomorrow) return 0;
    const saved = await calls.ofDays(today, tomorrow);
    return saved.reduce((sum, count) => sum + count.calls, unsavedCalls());
  }

  return async (cause: CallCause | undefined): Promise<void> => {
    if (dailyCalls === undefined || !isAutomatic(cause) || (await sentToday()) < dailyCalls) return;
    const budget = `${dailyCalls.toLocaleString('en')} ${dailyCalls === 1 ? 'call' : 'calls'}`;
    throw new UserError({
      code: 'over-budget',
      message: `This workspace has used up today's budget of ${budget} to the analytics service.`,
      hint: 'Digests and assistants get answers again from 00:00 UTC; people who ask in Slack always do. Whoever runs Landfall can raise the budget (`ANALYTICS_DAILY_CALLS`).',
    });
  };
}

const isAutomatic = (cause: CallCause | undefined): boolean =>
  cause?.kind === 'digest' || (cause?.kind === 'command' && cause.byAssistant === true);
