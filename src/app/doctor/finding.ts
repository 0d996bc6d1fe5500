import type { Config } from '../../config/config.ts';
import { networkReasonOf } from '../../errors.ts';

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

/** Why nothing answers there; undefined if something does, with whatever status. */
export async function whyUnreachable(url: string): Promise<string | undefined> {
  try {
    await fetch(url, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(answerWithinMs) });
    return undefined;
  } catch (error) {
    return networkReasonOf(error);
  }
}

/** What to do about it. `setting` has the address. */
export function networkRemedy(reason: string, setting: string): string {
  if (/^The proxy .+ can't be reached/.test(reason)) return 'See the proxy above.';
  if (reason.startsWith('The proxy '))
    return 'Ask whoever runs the proxy to allow that host: docs/hosting.md.';
  if (/certificate|self-signed/i.test(reason))
    return 'If a proxy inspects TLS, give Node its certificate: NODE_EXTRA_CA_CERTS (docs/hosting.md).';
  return `Check the network, HTTPS_PROXY if one is needed, and ${setting} if it is set.`;
}
