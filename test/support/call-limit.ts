import type { CallLimits } from '../../src/workspaces/settings.ts';

/** The operator's limit. */
export const limitOf = (dailyCalls: number | undefined): Pick<CallLimits, 'today'> => ({
  today: async () => (dailyCalls === undefined ? undefined : { dailyCalls, isOperators: true }),
});
