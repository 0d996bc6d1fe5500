import { networkReasonOf } from '../../errors.ts';
import { answerWithinMs } from './finding.ts';

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
