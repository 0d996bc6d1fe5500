import type { UsageRecord } from '../../analytics/usage.ts';

/** The records of one method, endpoint (or label) and text, with a count per status. */
export interface Row {
  /** `Requests`, `Containers (PUSH)`, …: only requests have a total. */
  group: string;
  label: string;
  text: string | null;
  counts: Map<string, number>;
}

/** Requests come first. */
export function rowsOf(records: readonly UsageRecord[]): Row[] {
  const rows = new Map<string, Row>();
  const severalAccounts = accountIds(records).length > 1;
  for (const record of records) {
    const group = groupOf(record);
    const account = severalAccounts && record.userId !== null ? `${record.userId}: ` : '';
    const label = `${account}${[record.method, record.endpoint].filter(Boolean).join(' ')}`;
    const key = JSON.stringify([group, label, record.text]);
    const row = rows.get(key) ?? { group, label, text: record.text, counts: new Map<string, number>() };
    row.counts.set(record.status, (row.counts.get(record.status) ?? 0) + record.count);
    rows.set(key, row);
  }
  const rank = ({ group }: Row) => (group === 'Requests' ? 0 : 1);
  return [...rows.values()].sort(
    (a, b) => rank(a) - rank(b) || compare(a.group, b.group) || compare(a.label, b.label),
  );
}

function groupOf({ type, unit }: UsageRecord): string {
  return type === 'REQUEST' && unit === 'REQUESTS' ? 'Requests' : `${capital(unit)} (${type})`;
}

/** Of the requests; undefined if there are none. */
export function totalsOf(records: readonly UsageRecord[]): { all: number; errors: number } | undefined {
  const requests = records.filter((record) => groupOf(record) === 'Requests');
  if (requests.length === 0) return undefined;
  const sum = (some: readonly UsageRecord[]) => some.reduce((total, { count }) => total + count, 0);
  return { all: sum(requests), errors: sum(requests.filter(({ status }) => status === 'ERROR')) };
}

/** The provider's classifiers in plain words (analytics API, 2.3); unknown ones are shown as they are. */
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

export const meaningOf = (text: string): string => meanings.get(text) ?? text;

/** Accounts at the service, not Slack users. */
export const accountIds = (records: readonly UsageRecord[]): string[] => [
  ...new Set(records.flatMap(({ userId }) => userId ?? [])),
];

export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
