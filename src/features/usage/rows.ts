import type { UsageRecord } from '../../analytics/answers.ts';

/** Records of one endpoint (or label), method and classifier. */
export interface Row {
  /** `Requests`, `Containers (PUSH)`, …: figures are added up within none but requests. */
  group: string;
  label: string;
  text: string | null;
  counts: Map<string, number>;
}

/** Records of one endpoint and method become one row, with a count per status; requests first. */
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
  return [...rows.values()].sort(
    (a, b) => rank(a.group) - rank(b.group) || compare(a.group, b.group) || compare(a.label, b.label),
  );
}

/** Requests and containers are two groups, and nothing is added up over both. */
function groupOf({ type, unit }: UsageRecord): string {
  if (type === 'REQUEST' && unit === 'REQUESTS') return 'Requests';
  return `${capital(unit)} (${type})`;
}

function rank(group: string): number {
  return group === 'Requests' ? 0 : 1;
}

/** Of the requests only. Undefined where there are none. */
export function totalsOf(records: readonly UsageRecord[]): { all: number; errors: number } | undefined {
  const requests = records.filter((record) => groupOf(record) === 'Requests');
  if (requests.length === 0) return undefined;
  const sum = (some: readonly UsageRecord[]) => some.reduce((total, { count }) => total + count, 0);
  return { all: sum(requests), errors: sum(requests.filter(({ status }) => status === 'ERROR')) };
}

/** The provider's classifiers in words (analytics API, 2.3); one that is not known is shown as it is. */
const meanings: Readonly<Record<string, string>> = {
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
};

export function meaningOf(text: string): string {
  return Object.hasOwn(meanings, text) ? (meanings[text] ?? text) : text;
}

/** The API accounts, which are no Slack users. */
export function accountIds(records: readonly UsageRecord[]): string[] {
  return [...new Set(records.flatMap(({ userId }) => (userId === null ? [] : [userId])))];
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
