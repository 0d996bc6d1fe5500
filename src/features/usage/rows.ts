import type { UsageMonth, UsageRecord } from '../../analytics/usage.ts';
import { monthName } from '../../answers/formatting/times.ts';
import { capitalised } from '../../answers/formatting/words.ts';
import { UserError } from '../../errors.ts';

/** All records of one method, endpoint and text, with the sum of their counts per status. */
export interface Row {
  /** `Requests`, `Containers (PUSH)`, …: only requests have a total. */
  group: string;
  /** At the service; left out if all records are of one account. */
  account?: string;
  method: string | null;
  endpoint: string;
  /** The provider's classifier. */
  text: string | null;
  /** By status. */
  counts: Map<string, number>;
}

/** Requests come first. */
export function rowsOf(records: readonly UsageRecord[]): Row[] {
  const rows = new Map<string, Row>();
  const severalAccounts = accountIds(records).length > 1;
  for (const record of records) {
    const { userId, method, endpoint, text, status, count } = record;
    const account = severalAccounts && userId !== null ? { account: userId } : {};
    const row = { group: groupOf(record), ...account, method, endpoint, text };
    const key = JSON.stringify(row);
    const { counts } = rows.get(key) ?? { counts: new Map<string, number>() };
    counts.set(status, (counts.get(status) ?? 0) + count);
    rows.set(key, { ...row, counts });
  }
  const rank = ({ group }: Row) => (group === requests ? 0 : 1);
  const orderOf = ({ group, account = '', method, endpoint, text }: Row) =>
    [group, account, endpoint, method ?? '', text ?? ''].join('\n');
  return [...rows.values()].sort((a, b) => rank(a) - rank(b) || compare(orderOf(a), orderOf(b)));
}

export const requests = 'Requests';
const pushedContainers = 'Containers (PUSH)';
const totalContainers = 'Total container count';

function groupOf({ type, unit }: UsageRecord): string {
  return type === 'REQUEST' && unit === 'REQUESTS'
    ? requests
    : `${capitalised(unit.toLowerCase())} (${type})`;
}

/** The totals of the requests; undefined if there are none. */
export function requestTotals(records: readonly UsageRecord[]): { all: number; errors: number } | undefined {
  const counted = records.filter((record) => groupOf(record) === requests);
  if (counted.length === 0) return undefined;
  return { all: sumOf(counted), errors: sumOf(counted.filter(({ status }) => status === 'ERROR')) };
}

/**
 * The provider's own total of the tracked containers. Without one, the largest figure of a kind of reference: these are
 * never added, since one container may have several references.
 */
export function containerTotal(
  records: readonly UsageRecord[],
): { count: number; isMinimum: boolean } | undefined {
  const totals = records.filter(
    (record) => groupOf(record) === pushedContainers && record.endpoint === totalContainers,
  );
  const overall = totals.filter(({ text }) => text === null);
  if (overall.length > 0) return { count: sumOf(overall), isMinimum: false };
  if (totals.length === 0) return undefined;
  return { count: Math.max(...totals.map(({ count }) => count)), isMinimum: totals.length > 1 };
}

const sumOf = (added: readonly UsageRecord[]): number => added.reduce((total, { count }) => total + count, 0);

/** The provider's classifiers in plain words (analytics API, 2.3). */
const meanings: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "Bill of lading number transports' container count": 'containers of initiated bill-of-lading transports',
    "Carrier booking reference transports' container count":
      'containers of initiated booking-number transports',
    "Equipment reference transports' container count": 'container transports initiated by container number',
    'Bill of lading number transports': 'initiated bill-of-lading transports',
    'Carrier booking reference transports': 'initiated booking-number transports',
    'Equipment reference transports with vessel_operator_carrier_code':
      'container transports initiated with a carrier code',
    'Equipment reference transports without vessel_operator_carrier_code':
      'container transports initiated without a carrier code',
  }),
);

/** What a row counts, in plain words; nothing if its endpoint says it. */
export function meaningOf({ text, endpoint }: Pick<Row, 'text' | 'endpoint'>): string | undefined {
  if (text !== null) return meanings.get(text) ?? text;
  return endpoint === totalContainers ? 'across all identifiers' : undefined;
}

/** Accounts at the service, not Slack users. */
export const accountIds = (records: readonly UsageRecord[]): string[] => [
  ...new Set(records.flatMap(({ userId }) => userId ?? [])),
];

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const monthsOf = ({ year, month }: UsageMonth): number => year * 12 + month - 1;

export function addMonths(month: UsageMonth, count: number): UsageMonth {
  const months = monthsOf(month) + count;
  return { year: Math.floor(months / 12), month: (months % 12) + 1 };
}

export const isBefore = (first: UsageMonth, second: UsageMonth): boolean =>
  monthsOf(first) < monthsOf(second);

/** `what`: there is none of it, as in “no usage yet”; `thisMonth`: the line for the current month. */
export const notYet = (
  { year, month }: UsageMonth,
  { what, thisMonth }: { what: string; thisMonth: string },
): UserError =>
  new UserError({
    code: 'bad-month',
    message: `${monthName(year, month)} is in the future: there is no ${what} yet.`,
    choices: [{ label: 'This month', line: thisMonth }],
    example: 'usage last month',
  });
