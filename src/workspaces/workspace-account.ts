import { isDeepStrictEqual } from 'node:util';
import { type AnalyticsClient, createDeferredClient } from '../analytics/client.ts';
import {
  type Credentials,
  createLogin,
  credentialTagOf,
  type Login,
  type LoginOptions,
  loginIdOf,
} from '../analytics/login.ts';
import { createReadCache } from '../cache.ts';
import type { SecretBox } from '../database/secrets.ts';
import type { AllWorkspaces, WorkspaceStore } from '../database/workspace-store.ts';
import { NoAccountError, ownLines, StoreUnavailable, UserError } from '../errors.ts';
import type { Logger } from '../log.ts';
import {
  type Account,
  type AccountStore,
  type AccountSummary,
  adoptServiceAddress,
  createDatabaseTokenStore,
  isPercent,
  rememberPercent,
  type SampleAccount,
} from './accounts.ts';

/** Whose account answers the questions of a workspace. */
export type AccountState =
  | ({ kind: 'own' } & AccountSummary)
  /** The account in the settings of this Landfall. */
  | { kind: 'operators'; address: string }
  /** Nobody's. `installerId`: who installed Landfall, if known. */
  | { kind: 'none'; installerId: string | undefined };

export type WorkspaceAccount = ReturnType<typeof createWorkspaceAccount>['account'];

interface Connection {
  client: AnalyticsClient;
  release: () => void;
}

/**
 * The account of one workspace: its own, else the operator's, else none. It is read at most a second ago, so a change
 * made by another process shows within a second; while the database does not answer, the last known one serves.
 */
export function createWorkspaceAccount(options: {
  store: WorkspaceStore;
  accounts: AccountStore;
  logins: LiveLogins;
  /** Undefined if the operator's account does not serve this workspace. */
  operators: Account | undefined;
  /** The operator's account serves other workspaces too, so its usage report is shown to none of them. */
  isOperatorsShared: boolean;
  /** At these, admins may connect an account. One that was connected at another address does not serve any more. */
  addresses: readonly string[];
  /** The form shows them. */
  samples?: readonly SampleAccount[];
  createClient: (login: Login) => AnalyticsClient;
  /** The domain clock. */
  now: () => Date;
  realNow: () => number;
  newId: () => string;
}) {
  const { store, accounts, logins, operators, createClient, now, realNow, newId } = options;
  const { workspaceId } = store;
  const { addresses, samples = [], isOperatorsShared } = options;
  let opened: { account: Account | undefined; connection: Promise<Connection | undefined> } | undefined;
  let client: AnalyticsClient | undefined;
  let isClosed = false;

  const isAllowed = (own: { address: string } | undefined) => own && addresses.includes(own.address);

  /** From “Add to Slack”; unknown where the bot's token is in the settings. */
  async function findInstaller(): Promise<string | undefined> {
    const id = store.selectFrom('workspaces').select('installation_id');
    const installation = store.allWorkspaces.selectFrom('installations').where('id', '=', id);
    // Who installed it for an organisation may be unknown in this workspace.
    const here = installation.where('is_org_wide', '=', false);
    return (await here.select('installer_id').executeTakeFirst())?.installer_id;
  }

  const cache = createReadCache({
    async read() {
      const own = await accounts.find();
      return { account: isAllowed(own) ? own : operators };
    },
    realNow,
    last: { serves: (error) => error instanceof StoreUnavailable },
  });

  /** The account may have changed since the last call; then calls under way end with the former one. */
  async function connect(): Promise<Connection | undefined> {
    const { account } = await cache.get(workspaceId);
    if (opened && isDeepStrictEqual(opened.account, account)) return await opened.connection;
    const former = opened?.connection;
    const current = { account, connection: open(account) };
    opened = current;
    former?.then((connection) => connection?.release()).catch(() => undefined);
    try {
      const connection = await current.connection;
      if (opened === current) client = connection?.client;
      return connection;
    } catch (error) {
      // The next call tries again.
      if (opened === current) opened = undefined;
      throw error;
    }
  }

  async function open(account: Account | undefined): Promise<Connection | undefined> {
    if (!account) return undefined;
    const { address } = account;
    await store.transaction((transaction) => adoptServiceAddress(transaction, { address, now: now() }));
    const { login, release } = await logins.use(account);
    // Work that was under way at `close` may still ask.
    if (isClosed) release();
    return { client: createClient(login), release };
  }

  /** After a change: lets go of the former login at once. If that fails, the next call tries again. */
  async function reconnect(): Promise<void> {
    cache.invalidate(workspaceId);
    await connect().catch(() => undefined);
  }

  async function connected(): Promise<AnalyticsClient> {
    const connection = await connect();
    if (connection) return connection.client;
    throw new NoAccountError({ installerId: await findInstaller().catch(() => undefined) });
  }

  /** Answers with the account of the moment. Throws NoAccountError if there is none. */
  const deferred = createDeferredClient({ find: connected, last: () => client });
  const analytics: AnalyticsClient = {
    ...deferred,
    async *usage(...request) {
      const { account } = await cache.get(workspaceId);
      if (isOperatorsShared && account && account === operators) throw usageOfOthers();
      yield* deferred.usage(...request);
    },
  };

  return {
    analytics,
    account: {
      addresses,
      samples,
      /** As it is stored now. */
      async state(): Promise<AccountState> {
        const own = await accounts.summary();
        if (own && isAllowed(own)) return { kind: 'own', ...own };
        if (operators) return { kind: 'operators', address: operators.address };
        return { kind: 'none', installerId: await findInstaller() };
      },
      /** Is there an account? At most a second old. */
      exists: async (): Promise<boolean> => (await cache.get(workspaceId)).account !== undefined,
      /** Throws NoAccountError. */
      check: async (): Promise<void> => void (await connected()),
      /** Reads the account again, for the calls that follow; returns whether there is one. */
      async refresh(): Promise<boolean> {
        cache.invalidate(workspaceId);
        return (await cache.get(workspaceId)).account !== undefined;
      },
      /** Tries a login, and saves the account only if it worked. Throws ServiceTrouble, or the signal's reason. */
      async connect(
        account: Account,
        { actorId, signal }: { actorId: string; signal: AbortSignal },
      ): Promise<void> {
        await logins.check(account);
        // Whoever waited has been answered that it failed.
        signal.throwIfAborted();
        await accounts.save(account, { id: newId(), actorId, now: now() });
        await reconnect();
      },
      /** False if there was none. */
      async disconnect(actorId: string): Promise<boolean> {
        const change = { id: newId(), actorId, now: now(), nextAddress: operators?.address };
        const isRemoved = await accounts.remove(change);
        await reconnect();
        return isRemoved;
      },
    },
    /** Lets go of the login. */
    close() {
      isClosed = true;
      opened?.connection.then((connection) => connection?.release()).catch(() => undefined);
    },
  };
}

const usageOfOthers = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message:
      "This workspace uses the account of whoever runs Landfall. Its usage report also counts other workspaces, so it isn't shown.",
    hint: 'A workspace with an account of its own can see what that was used for.',
    example: ownLines.account,
  });

export type LiveLogins = ReturnType<typeof createLiveLogins>;

interface LoginsOfService {
  /** The base address for the address of an account: for `sandbox`, that of the embedded service. */
  baseUrlOf(address: string): string;
  /** What all logins of the process have in common. */
  loginSettings: Omit<LoginOptions, keyof Credentials | 'baseUrl' | 'tokenStore' | 'scaleMemory'>;
}

/**
 * The logins in use in this process: workspaces with the same account share one, and so its token, its refusal and its
 * calls in flight. Each is dropped when the last workspace lets go of it.
 */
export function createLiveLogins(options: {
  db: AllWorkspaces;
  box: SecretBox;
  service: LoginsOfService;
  logger: Logger;
}) {
  const { db, box, service, logger } = options;
  const { baseUrlOf, loginSettings } = service;
  const live = new Map<string, { login: Promise<Login>; users: number }>();

  const withBaseUrl = (account: Account) => ({ ...account, baseUrl: baseUrlOf(account.address) });

  async function open(account: Account): Promise<Login> {
    const loginId = loginIdOf(account);
    return createLogin({
      ...withBaseUrl(account),
      ...loginSettings,
      tokenStore: createDatabaseTokenStore({ db, box, loginId }),
      scaleMemory: {
        isPercent: await isPercent(db, loginId),
        /** If the write fails, the scale is detected again after the next restart. */
        rememberPercent: () =>
          void rememberPercent(db, loginId).catch((error: unknown) =>
            logger.warn({ err: error }, 'the probability scale was not saved'),
          ),
      },
    });
  }

  return {
    /** The account's login, and the function that lets go of it. */
    async use(account: Account): Promise<{ login: Login; release: () => void }> {
      // With another password it is another login, though it shares its row.
      const key = `${loginIdOf(account)} ${credentialTagOf(withBaseUrl(account))}`;
      const entry = live.get(key) ?? { login: open(account), users: 0 };
      live.set(key, entry);
      entry.users += 1;
      let isReleased = false;
      const release = () => {
        if (isReleased) return;
        isReleased = true;
        entry.users -= 1;
        if (entry.users === 0 && live.get(key) === entry) live.delete(key);
      };
      try {
        return { login: await entry.login, release };
      } catch (error) {
        release();
        throw error;
      }
    },
    /** Logs in once. Throws ServiceTrouble if that fails. Nothing of it is stored or remembered. */
    async check(account: Account): Promise<void> {
      await createLogin({ ...withBaseUrl(account), ...loginSettings }).tokens.get();
    },
    /** The number of logins in use. */
    count: () => live.size,
  };
}
