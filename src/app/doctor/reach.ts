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
