import {
  createLogin,
  credentialTagOf,
  type Login,
  type LoginAccount,
  type LoginOptions,
  loginIdOf,
} from '../analytics/login.ts';
import { createFallbackTokenStore, createMemoryTokenStore } from '../analytics/token-store.ts';
import type { SecretBox } from '../database/secrets.ts';
import type { AllWorkspaces } from '../database/workspace-store.ts';
import type { Logger } from '../log.ts';
import type { Account } from './accounts.ts';
import { createDatabaseTokenStore, isPercent, rememberPercent } from './logins.ts';

export type LiveLogins = ReturnType<typeof createLiveLogins>;

interface LoginsOfService {
  /** The base address for the address of an account: for `sandbox`, that of the embedded service. */
  baseUrlOf(address: string): string;
  /** What all logins of the process have in common. */
  loginSettings: Omit<LoginOptions, keyof LoginAccount | 'tokenStore' | 'scaleMemory'>;
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

  const withCredentials = ({ address, apiKey, userId, password }: Account) => ({
    baseUrl: baseUrlOf(address),
    apiKey,
    credentials: { userId, password },
  });

  async function open(account: Account): Promise<Login> {
    const loginId = loginIdOf(account);
    return createLogin({
      ...withCredentials(account),
      ...loginSettings,
      tokenStore: createFallbackTokenStore({
        main: createDatabaseTokenStore({ db, box, loginId }),
        spare: createMemoryTokenStore(loginSettings),
        logger,
      }),
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
      const key = `${loginIdOf(account)} ${credentialTagOf(withCredentials(account))}`;
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
      await createLogin({ ...withCredentials(account), ...loginSettings }).tokens.get();
    },
    /** The number of logins in use. */
    count: () => live.size,
  };
}
