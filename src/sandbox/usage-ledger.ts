import { createHash } from 'node:crypto';
import { type Endpoint, endpointPaths, endpoints } from './endpoints.ts';
import type { UsageBody } from './routes.ts';
import { createRandom } from './world/random.ts';

export type UsageLedger = ReturnType<typeof createUsageLedger>;

const firstMonth = monthIndex(2022, 11);
const inventedRequestsPerMonth: Readonly<Record<Endpoint, number>> = {
  login: 70,
  vessel: 1300,
  port: 640,
  ship: 210,
  shiplist: 480,
  usage: 14,
  statistics: 90,
};

/** The usage report: invented usage since November 2022, plus the requests that were really made. */
export function createUsageLedger({ seed }: { seed: number }) {
  const counted = new Map<string, number>();
  const keyOf = (userId: string, month: number, endpoint: Endpoint, failed: boolean) =>
    `${month} ${endpoint} ${failed} ${userId}`;

  return {
    record(request: { userId: string; endpoint: Endpoint; failed: boolean; at: Date }) {
      const { userId, endpoint, failed, at } = request;
      const month = monthIndex(at.getUTCFullYear(), at.getUTCMonth() + 1);
      const key = keyOf(userId, month, endpoint, failed);
      counted.set(key, (counted.get(key) ?? 0) + 1);
    },
    /** All rows of a month as of `now`. There are none before November 2022 or after the current month. */
    report(query: { userId: string; year: number; month: number; now: Date }): UsageBody[] {
      const { userId, year, month, now } = query;
      const index = monthIndex(year, month);
      const share = elapsedShare(year, month, now);
      if (index < firstMonth || share <= 0) return [];
      const invented = inventUsage({ seed: seedOf(userId, seed), month: index, share });
      const rows: Row[] = endpoints.flatMap((endpoint) =>
        [false, true].map((failed) => ({
          user_id: userId,
          usage_type: 'REQUEST' as const,
          usage_method: endpoint === 'login' ? 'POST' : 'GET',
          endpoint: endpointPaths[endpoint],
          status: failed ? ('ERROR' as const) : ('SUCCESS' as const),
          unit: 'REQUESTS' as const,
          usage_count:
            invented.requests(endpoint, failed) + (counted.get(keyOf(userId, index, endpoint, failed)) ?? 0),
          text: null,
        })),
      );
      return [...rows, ...invented.transports(userId), ...invented.pushes()]
        .filter((row) => row.usage_count > 0)
        .map((row) => ({ ...row, usage_year: year, usage_month: month }));
    },
  };
}

type Row = Omit<UsageBody, 'usage_year' | 'usage_month'>;

/** Invents the usage of one month. It grows over the years and as the month passes, and differs each month. */
function inventUsage({ seed, month, share }: { seed: number; month: number; share: number }) {
  const random = createRandom(seed);
  const growth = 1 + (month - firstMonth) / 40;
  // `row` is a number of its own for each figure, so that each gets its own random factor.
  const count = (row: number, perMonth: number) =>
    Math.floor(perMonth * growth * share * (0.7 + 0.6 * random(901, month, row)));

  // The classifier of the requests, that of their containers, and the number of requests per month.
  const referenceKinds = [
    ['Bill of lading number transports', "Bill of lading number transports' container count", 61],
    ['Carrier booking reference transports', "Carrier booking reference transports' container count", 88],
    [
      'Equipment reference transports with vessel_operator_carrier_code',
      "Equipment reference transports' container count",
      132,
    ],
    ['Equipment reference transports without vessel_operator_carrier_code', null, 17],
  ] as const;

  return {
    requests(endpoint: Endpoint, failed: boolean): number {
      const all = count(endpoints.indexOf(endpoint), inventedRequestsPerMonth[endpoint]);
      const errors = Math.floor(all * 0.08 * random(902, month, endpoints.indexOf(endpoint)));
      return failed ? errors : all - errors;
    },
    transports: (userId: string): Row[] =>
      referenceKinds.map(([text, , perMonth], index) => ({
        user_id: userId,
        usage_type: 'REQUEST',
        usage_method: 'POST',
        endpoint: '/transports',
        status: 'SUCCESS',
        unit: 'REQUESTS',
        usage_count: count(20 + index, perMonth),
        text,
      })),
    pushes(): Row[] {
      const containers = referenceKinds.flatMap(([, text, perMonth], index) =>
        text ? [{ text, total: count(30 + index, perMonth * 3) }] : [],
      );
      const all = containers.reduce((sum, { total }) => sum + total, 0);
      const withData = Math.floor(all * (0.9 + 0.08 * random(903, month)));
      return [
        ...containers.map(({ total, text }) => pushRow('Total container count', total, text)),
        pushRow('Total container count', all, null),
        pushRow('Container with data count', withData, null),
      ];
    },
  };
}

const pushRow = (endpoint: string, usage_count: number, text: string | null): Row => ({
  user_id: null,
  usage_type: 'PUSH',
  usage_method: null,
  endpoint,
  status: 'SUCCESS',
  unit: 'CONTAINERS',
  usage_count,
  text,
});

/** Each account has its own figures. */
const seedOf = (userId: string, seed: number): number =>
  createHash('sha256').update(`${seed} ${userId}`).digest().readInt32BE();

function monthIndex(year: number, month: number): number {
  return year * 12 + month - 1;
}

/** The share of the month that has passed, from 0 to 1. */
function elapsedShare(year: number, month: number, now: Date): number {
  const begin = Date.UTC(year, month - 1);
  const end = Date.UTC(year, month);
  return Math.min(1, Math.max(0, (now.getTime() - begin) / (end - begin)));
}
