import { setTimeout } from 'node:timers/promises';

/** Waits for real milliseconds, without keeping an otherwise idle process alive. */
export const wait = (ms: number): Promise<void> => setTimeout(ms, undefined, { ref: false });
