import type { Config } from '../../config/config.ts';

/** One line of the doctor's report. It holds no secret. */
export interface Finding {
  /** `warning`: it works, but is risky or may fail later. */
  level: 'ok' | 'warning' | 'failure';
  text: string;
  /** What to do about it. */
  remedy?: string;
}

export const pass = (text: string): Finding => ({ level: 'ok', text });
export const warn = (text: string, remedy: string): Finding => ({ level: 'warning', text, remedy });
export const fail = (text: string, remedy: string): Finding => ({ level: 'failure', text, remedy });

/** What a section of the report may look at. */
export interface Checkup {
  config: Config;
  env: Record<string, string | undefined>;
  /** The text of manifest.yml. */
  manifest: string;
  /** Unix milliseconds on this machine's clock. */
  realNow: () => number;
}

export type Section = (checkup: Checkup) => Promise<Finding[]>;

/** How long anything that is asked may take to answer. */
export const answerWithinMs = 10_000;

/** `a`, `a and b`, `a, b and c`. */
export const inWords = (items: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(items);
