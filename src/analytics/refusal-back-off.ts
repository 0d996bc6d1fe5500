/** A minute after the first refusal, doubled for each further one, up to 15 minutes. */
export const refusalBackOffMs = (times: number): number => Math.min(15, 2 ** (times - 1)) * 60_000;
