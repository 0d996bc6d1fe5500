import { z } from 'zod';
import {
  addresses,
  headerText,
  number,
  oneOf,
  type Reading,
  type Settings,
  urlOr,
  whole,
  withoutSlash,
} from './setting.ts';

export const analyticsSettings = {
  ANALYTICS_BASE_URL: {
    schema: urlOr('sandbox').optional(),
    description:
      'Base address of the Vessel Schedule Analytics Service, or `sandbox` for the embedded one (invented data).',
  },
  ANALYTICS_API_KEY: {
    schema: headerText().optional(),
    secret: true,
    description: 'API key of your account at the service (header X-Api-Key).',
  },
  ANALYTICS_USER_ID: {
    schema: z.string().min(1).optional(),
    description: 'User id of your account at the service.',
  },
  ANALYTICS_PASSWORD: {
    schema: z.string().min(1).optional(),
    secret: true,
    description: 'Password of your account at the service.',
  },
  ANALYTICS_PROBABILITY_SCALE: {
    schema: oneOf(['auto', 'fraction', 'percent']).default('auto'),
    description: 'How the service writes probabilities: 0 to 1, 0 to 100, or detected (auto).',
  },
  ANALYTICS_MAX_IN_FLIGHT: {
    schema: whole(1, 256).default(32),
    description: 'Concurrent calls to the service; lowered automatically when the service answers 429.',
  },
  ANALYTICS_TIMEOUT_MS: {
    schema: whole(100, 60_000).default(10_000),
    description: 'Time for one attempt of one call, in milliseconds. A whole command has 15 s.',
  },
  ANALYTICS_CACHE_PREDICTIONS_MINUTES: {
    schema: number(0, 60).default(5),
    description: 'How long predictions are cached, in minutes (0: never).',
  },
  ANALYTICS_CACHE_STATISTICS_MINUTES: {
    schema: number(0, 1440).default(60),
    description: 'The same for trade lane statistics, which the provider updates daily.',
  },
  ANALYTICS_CACHE_USAGE_MINUTES: {
    schema: number(0, 1440).default(10),
    description: 'The same for the usage report.',
  },
  ACCOUNTS: {
    schema: oneOf(['own', 'shared']).default('own'),
    description:
      'Whose account answers where many workspaces are installed: `own`, the account that an admin of each workspace connects in Slack; `shared`, for workspaces without their own, the account of these settings.',
  },
  ACCOUNT_ADDRESSES: {
    schema: addresses.optional(),
    description:
      'Base addresses of the service at which admins may connect an account, separated by commas. By default the one of ANALYTICS_BASE_URL.',
  },
  USAGE_FOR: {
    schema: oneOf(['everyone', 'admins']).default('everyone'),
    description: 'Who sees what the API account was used for: everyone, or workspace admins only.',
  },
} satisfies Settings;

export interface AnalyticsConfig {
  baseUrl: string;
  apiKey: string;
  userId: string;
  password: string;
}

/**
 * The operator's account; undefined if only the address is given: then admins connect theirs in Slack. `sandbox`: the
 * embedded service. A real Slack workspace gets it only if ANALYTICS_BASE_URL says so: a forgotten
 * variable must not put invented ETAs into a real channel.
 */
export function chooseAnalytics(
  { values, has, problems }: Reading<typeof analyticsSettings>,
  { isRealSlack, isProduction }: { isRealSlack: boolean; isProduction: boolean },
): AnalyticsConfig | 'sandbox' | undefined {
  const account = ['ANALYTICS_API_KEY', 'ANALYTICS_USER_ID', 'ANALYTICS_PASSWORD'] as const;
  const isAccountGiven = account.some(has);
  if (values.ANALYTICS_BASE_URL === 'sandbox') {
    if (isAccountGiven)
      problems.push(
        'ANALYTICS_BASE_URL is sandbox, so ANALYTICS_API_KEY, _USER_ID and _PASSWORD must not be set',
      );
    return 'sandbox';
  }
  if (!has('ANALYTICS_BASE_URL')) {
    const missing = 'ANALYTICS_BASE_URL is missing';
    if (!isAccountGiven && has('ACCOUNT_ADDRESSES')) return undefined;
    if (isAccountGiven) problems.push(`${missing}, though an account is given: the address of the service`);
    else if (isRealSlack || isProduction)
      problems.push(`${missing}: the address of the service (or sandbox, for invented data)`);
    return 'sandbox';
  }
  if (!isAccountGiven) return undefined;
  for (const name of account) {
    if (!has(name)) problems.push(`${name} is missing: it belongs to the account at ANALYTICS_BASE_URL`);
  }
  return {
    baseUrl: withoutSlash(values.ANALYTICS_BASE_URL ?? ''),
    apiKey: values.ANALYTICS_API_KEY ?? '',
    userId: values.ANALYTICS_USER_ID ?? '',
    password: values.ANALYTICS_PASSWORD ?? '',
  };
}

/** Who may connect which account. */
export function chooseAccounts(
  { values, has, problems }: Reading<typeof analyticsSettings>,
  analytics: AnalyticsConfig | 'sandbox' | undefined,
): { isShared: boolean; addresses: readonly string[] } {
  const isShared = values.ACCOUNTS === 'shared';
  if (isShared && analytics === undefined)
    problems.push(
      'ACCOUNTS is shared, so ANALYTICS_BASE_URL, _API_KEY, _USER_ID and _PASSWORD are needed: the account that is shared',
    );
  // Invented predictions never mix with real ones, and the sandbox has its own clock.
  if (analytics === 'sandbox' && has('ACCOUNT_ADDRESSES'))
    problems.push('ACCOUNT_ADDRESSES must not be set with the sandbox: it has the only address there');
  if (analytics === 'sandbox') return { isShared, addresses: ['sandbox'] };
  const { ACCOUNT_ADDRESSES, ANALYTICS_BASE_URL = '' } = values;
  return { isShared, addresses: ACCOUNT_ADDRESSES ?? [withoutSlash(ANALYTICS_BASE_URL)] };
}
