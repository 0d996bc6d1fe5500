import { setTimeout } from 'node:timers/promises';

/** Real milliseconds; a process that has nothing else to do does not stay for them. */
export const wait = (ms: number): Promise<void> => setTimeout(ms, undefined, { ref: false });
