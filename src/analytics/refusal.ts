/** Nothing is tried again before `until`, in milliseconds on the real clock. */
export interface Refusal {
  until: number;
  /** Refusals in a row. */
  times: number;
}

/** A minute after the first refusal, doubled for each further one, up to 15 minutes. */
export function nextRefusal(previous: Refusal | undefined, nowMs: number): Refusal {
  const times = (previous?.times ?? 0) + 1;
  return { times, until: nowMs + Math.min(15, 2 ** (times - 1)) * 60_000 };
}
