import { z } from 'zod';
import { createAnalyticsClient } from '../../analytics/client.ts';
import { redact } from '../../analytics/http-transport.ts';
import { createLogin } from '../../analytics/login.ts';
import type { AnalyticsConfig } from '../../config/config.ts';
import { networkReasonOf, parseJson } from '../../errors.ts';
import type { Imo } from '../../reference/codes.ts';
import {
  answerWithinMs,
  type Finding,
  fail,
  networkRemedy,
  pass,
  type Section,
  whyUnreachable,
} from './finding.ts';

const everGiven = 9811000 as Imo; // seven digits

/** Logs in with the account of the settings. Of addresses at which admins connect theirs, only tries whether they answer. */
export const checkAccount: Section = async ({ config: { analytics, accounts, timeoutMs } }) => {
  if (analytics === 'sandbox')
    return [pass('No analytics account: answers come from the sandbox, invented data')];
  const others = accounts.addresses.filter((address) => address !== analytics?.baseUrl);
  const unreachable = (await Promise.all(others.map(tryAddress))).filter((finding) => finding !== undefined);
  const own = analytics
    ? await tryAccount(analytics, timeoutMs)
    : pass('No analytics account in the settings: a workspace admin connects one in Slack');
  return [own, ...unreachable];
};

async function tryAddress(address: string): Promise<Finding | undefined> {
  const reason = await whyUnreachable(address);
  return reason === undefined
    ? undefined
    : fail(
        `The service can't be reached at ${address}: ${reason}`,
        networkRemedy(reason, 'ANALYTICS_BASE_URL or ACCOUNT_ADDRESSES'),
      );
}

/** After the login it asks about one well-known vessel. */
async function tryAccount(analytics: AnalyticsConfig, timeoutMs: number): Promise<Finding> {
  const refused = await tryLogin(analytics);
  if (refused) return refused;
  const { host } = new URL(analytics.baseUrl);
  try {
    const login = createLogin({ ...analytics, timeoutMs });
    const client = createAnalyticsClient({ login, now: () => new Date() });
    await client.vesselPredictions(everGiven, { fresh: true });
    return pass(`The service at ${host} accepts the account and answers`);
  } catch (error) {
    return fail(
      `The service at ${host} accepts the account, but gives no prediction: ${networkReasonOf(error)}`,
      'Try again later. If it stays so, ask the provider what this account may use.',
    );
  }
}

/** Without the client, whose errors don't quote the answer to a login. Undefined if the service accepts the account. */
async function tryLogin(account: AnalyticsConfig): Promise<Finding | undefined> {
  const { baseUrl, apiKey, userId, password } = account;
  const { host } = new URL(baseUrl);
  let status: number;
  let text: string;
  try {
    const response = await fetch(`${baseUrl}/authentication/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify({ user_id: userId, password }),
      // Another host would get the password.
      redirect: 'manual',
      signal: AbortSignal.timeout(answerWithinMs),
    });
    status = response.status;
    text = await response.text();
  } catch (error) {
    const reason = networkReasonOf(error);
    return fail(
      `The service can't be reached at ${host}: ${reason}`,
      networkRemedy(reason, 'ANALYTICS_BASE_URL'),
    );
  }
  if (status === 429 || status === 408 || status >= 500)
    return fail(`The service at ${host} can't answer now (status ${status})`, 'Try again in some minutes.');
  const answer = LoginAnswer.safeParse(parseJson(text)).data;
  if (status >= 200 && status < 300 && answer?.token !== undefined) return undefined;
  if (![400, 401, 403, 422].includes(status))
    return fail(
      `What answers at ${baseUrl} isn't the analytics service (status ${status})`,
      'Check ANALYTICS_BASE_URL, with its path: the provider tells it.',
    );
  return refusal(redact(answer?.message ?? answer?.code ?? '', [apiKey, password, userId]), status);
}

/** The contract doesn't say how a refusal looks, so its words decide; any others name the whole account. */
function refusal(words: string, status: number): Finding {
  const reason = words === '' ? `status ${status}` : `status ${status}: ${words}`;
  if (/api.?key/i.test(words))
    return fail(`The service refuses ANALYTICS_API_KEY (${reason})`, 'Copy the API key again.');
  if (/user|password|credential/i.test(words))
    return fail(
      `The service refuses ANALYTICS_USER_ID or ANALYTICS_PASSWORD (${reason})`,
      'Check both; if the password has # or spaces, put it in quotes in .env.',
    );
  return fail(
    `The service refuses the account (${reason})`,
    'Check ANALYTICS_API_KEY, ANALYTICS_USER_ID and ANALYTICS_PASSWORD.',
  );
}

const LoginAnswer = z.object({
  token: z.string().min(1).optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  code: z.string().optional().catch(undefined),
});
