import { millisecondsInDay } from 'date-fns/constants';
import type { AssistantScope } from '../../workspaces/assistant-tokens.ts';

export const assistantsLine = 'landfall assistants';

/** `choice`: in the form. `does`: to the person who created the token. `may`: in the list. */
export const scopeWords: Readonly<Record<AssistantScope, { choice: string; does: string; may: string }>> = {
  read: { choice: 'Ask', does: 'asks as you', may: 'ask' },
  write: {
    choice: 'Ask, and add or stop my watches',
    does: 'asks as you and can add or stop your watches',
    may: 'ask, and add or stop watches',
  },
};

/** How long a token can be valid. The keys are the values of the field. */
export const lifetimes: Readonly<Record<string, { label: string; ms: number }>> = {
  '30d': { label: '30 days', ms: 30 * millisecondsInDay },
  '90d': { label: '90 days', ms: 90 * millisecondsInDay },
  '1y': { label: '1 year', ms: 365 * millisecondsInDay },
};

export const defaultLifetime = '90d';
