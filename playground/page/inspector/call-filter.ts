import type { WireEntry } from '../../src/page-api/inspector-api.ts';

export interface CallFilter {
  /** Undefined: all. */
  direction: WireEntry['direction'] | undefined;
  errorsOnly: boolean;
  /** Each word must occur somewhere in the call. */
  text: string;
}

export const allCalls: CallFilter = { direction: undefined, errorsOnly: false, text: '' };

export const directionLabels: Record<WireEntry['direction'], string> = {
  'to-app': 'Slack → bot',
  'from-app': 'bot → Slack',
  'to-service': 'bot → service',
};

/** Selects the calls that match, newest first. It remembers the text of each call while it searches in text. */
export function createCallFilter(): (calls: readonly WireEntry[], filter: CallFilter) => WireEntry[] {
  const texts = new WeakMap<WireEntry, string>();
  const textOf = (call: WireEntry) => {
    const known = texts.get(call);
    if (known !== undefined) return known;
    const { label, status, error, request, response } = call;
    const text =
      `${label} ${status ?? ''} ${error ?? ''} ${JSON.stringify([request, response])}`.toLowerCase();
    texts.set(call, text);
    return text;
  };
  return (calls, { direction, errorsOnly, text }) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return calls
      .filter(
        (call) =>
          (direction === undefined || call.direction === direction) &&
          !(errorsOnly && call.ok) &&
          (words.length === 0 || words.every((word) => textOf(call).includes(word))),
      )
      .toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : b.id - a.id));
  };
}
