import { isLoopback } from '../../config/warnings.ts';
import { networkReasonOf } from '../../errors.ts';
import { answerWithinMs, type Finding, pass, warn } from './finding.ts';

const check =
  'Start Landfall and check its DNS name, the certificate and the proxy in front (docs/hosting.md).';

/** From here; Slack may see it differently. A server that hides /healthz answers all the same. */
export async function checkPublicAddress(publicUrl: string): Promise<Finding> {
  try {
    const { status } = await fetch(`${publicUrl}/healthz`, { signal: AbortSignal.timeout(answerWithinMs) });
    if (status >= 500)
      return warn(`${publicUrl} answers, but Landfall behind it does not (status ${status})`, check);
  } catch (error) {
    return warn(`PUBLIC_URL ${publicUrl} can't be reached from here: ${networkReasonOf(error)}`, check);
  }
  return isLoopback(new URL(publicUrl).hostname)
    ? warn(
        `PUBLIC_URL is ${publicUrl}, which only this machine reaches`,
        'Slack needs an https address that the internet reaches.',
      )
    : pass(`PUBLIC_URL ${publicUrl} answers`);
}
