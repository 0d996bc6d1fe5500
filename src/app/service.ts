import {
  type AdmitRequest,
  type AnalyticsClient,
  createAnalyticsClient,
  type OnRequest,
} from '../analytics/client.ts';
import { createBodyBudget } from '../analytics/http-transport.ts';
import { createLogin, type Login, type LoginOptions, loginIdOf } from '../analytics/login.ts';
import type { Config } from '../config/config.ts';
import type { WorkspaceStore } from '../database/workspace-store.ts';
import type { Logger } from '../log.ts';
import { type Measure, measureNothing } from '../measure.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { type Account, createAccountStore, type SampleAccount } from '../workspaces/accounts.ts';
import type { AuditedTransaction } from '../workspaces/audit.ts';
import { createLiveLogins, createWorkspaceAccount } from '../workspaces/workspace-account.ts';
import type { Store } from './store.ts';

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
  if (sandbox) {
    const { apiKey, userId, password } = sandbox.credentials;
    return { address: 'sandbox', apiKey, userId, password };
  }
  if (analytics === 'sandbox') throw new Error('the sandbox has not been started');
  return analytics && { address: analytics.baseUrl, apiKey: analytics.apiKey, ...analytics.credentials };
}

/** A client that shares its login with no other process. */
export function createOperatorsClient(
  { baseUrlOf, loginSettings, createClient }: Service,
  { address, apiKey, userId, password }: Account,
): AnalyticsClient {
  const credentials = { userId, password };
  return createClient(createLogin({ ...loginSettings, baseUrl: baseUrlOf(address), apiKey, credentials }));
}

interface OpenedBy {
  store: WorkspaceStore;
  audited: AuditedTransaction;
  /** Called for each request to the service. */
  onRequest: OnRequest;
  admit: AdmitRequest;
  newId: () => string;
}

export type Accounts = ReturnType<typeof createAccounts>;

/** The accounts of all workspaces of the process. */
export function createAccounts(options: {
  config: Config;
  store: Store;
  service: Service;
  /** There is no other workspace, so the operator's account serves it. */
  isOnlyWorkspace: boolean;
  realNow: () => number;
  logger: Logger;
}) {
  const { config, service, isOnlyWorkspace, realNow, logger } = options;
  const { db, box } = options.store;
  const { now, operatorsAccount, createClient } = service;
  const { isShared, addresses } = config.accounts;
  const logins = createLiveLogins({ db, box, service, logger });
  return {
    /** The account of one workspace, with its client of the service. */
    open: ({ store, audited, onRequest, admit, newId }: OpenedBy) =>
      createWorkspaceAccount({
        store,
        accounts: createAccountStore({ store, box, audited }),
        logins,
        operators: isOnlyWorkspace || isShared ? operatorsAccount : undefined,
        isOperatorsShared: !isOnlyWorkspace,
        addresses,
        samples: service.sampleAccounts,
        createClient: (login) => createClient(login, { onRequest, admit }),
        now,
        realNow,
        newId,
      }),
  };
}
