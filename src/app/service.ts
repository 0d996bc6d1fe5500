import {
  type AdmitRequest,
  type AnalyticsClient,
  createAnalyticsClient,
  type OnRequest,
} from '../analytics/client.ts';
import { createBodyBudget } from '../analytics/http-transport.ts';
import { createLogin, type Login, type LoginOptions, loginIdOf } from '../analytics/login.ts';
import type { Config } from '../config/config.ts';
import type { Logger } from '../log.ts';
import { type Measure, measureNothing } from '../measure.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Account, SampleAccount } from '../workspaces/accounts.ts';

/** A little less than a command's deadline (15 s), so people see the client's own error. */
const deadlineMs = 14_000;

interface ServiceOptions {
  config: Config;
  /** The embedded service, if it runs. */
  sandbox: Sandbox | undefined;
  realNow: () => number;
  measure?: Measure;
  logger: Logger;
}

export type Service = ReturnType<typeof createService>;

/** The analytics service, or the sandbox in its place. */
export function createService({
  config,
  sandbox,
  realNow,
  measure = measureNothing,
  logger,
}: ServiceOptions) {
  const { probabilityScale, maxInFlight, timeoutMs, cacheMinutes } = config;
  const now = sandbox ? () => sandbox.clock.now() : () => new Date(realNow());
  const operators = operatorsAccount(config, sandbox);
  return {
    source: sandbox ? ('sandbox' as const) : ('service' as const),
    /** The domain clock: with the sandbox, the sandbox's clock. */
    now,
    /** Undefined if the settings have none. */
    operatorsAccount: operators,
    /** The accounts of the sandbox, which are no secrets. */
    sampleAccounts: (sandbox?.accounts ?? []).map(
      ({ apiKey, userId, password, beta }): SampleAccount => ({
        account: { address: 'sandbox', apiKey, userId, password },
        hasLanes: beta,
      }),
    ),
    operatorsLogin: operators ? loginIdOf(operators) : '',
    /** For an account's address: `sandbox` has another base address at each start. */
    baseUrlOf: (address: string) => (address === 'sandbox' && sandbox ? sandbox.url : address),
    loginSettings: {
      probabilityScale,
      maxInFlight,
      timeoutMs,
      bodyBudget: createBodyBudget(),
      realNow,
      logger,
      measure,
    } satisfies Partial<LoginOptions>,
    createClient: (
      login: Login,
      more: { onRequest?: OnRequest; admit?: AdmitRequest } = {},
    ): AnalyticsClient =>
      createAnalyticsClient({ login, now, realNow, logger, measure, deadlineMs, cacheMinutes, ...more }),
  };
}

function operatorsAccount({ analytics }: Config, sandbox: Sandbox | undefined): Account | undefined {
  if (sandbox) return { address: 'sandbox', ...sandbox.credentials };
  if (analytics === 'sandbox') throw new Error('the sandbox has not been started');
  if (!analytics) return undefined;
  const { baseUrl: address, ...credentials } = analytics;
  return { address, ...credentials };
}

/** A client that shares its login with no other process. */
export function createOperatorsClient(
  { baseUrlOf, loginSettings, createClient }: Service,
  account: Account,
): AnalyticsClient {
  return createClient(createLogin({ ...loginSettings, ...account, baseUrl: baseUrlOf(account.address) }));
}
