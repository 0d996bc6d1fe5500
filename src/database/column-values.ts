import type { Selectable } from 'kysely';
import type { Schema } from './schema.ts';

/** How both engines store it: a time as Unix milliseconds, JSON as text, a flag as 0 or 1. */
type Kind = 'time' | 'json' | 'flag';

type KindOf<Value> = unknown extends Value
  ? 'json'
  : NonNullable<Value> extends Date
    ? 'time'
    : NonNullable<Value> extends boolean
      ? 'flag'
      : never;

type Row = { [Table in keyof Schema]: Selectable<Schema[Table]> }[keyof Schema];
type KindsIn<Columns> = Columns extends object
  ? { [Name in keyof Columns as KindOf<Columns[Name]> extends never ? never : Name]: KindOf<Columns[Name]> }
  : never;
type ToIntersection<Union> = (Union extends object ? (value: Union) => void : never) extends (
  value: infer All,
) => void
  ? All
  : never;

/** By name, for all tables together. The type demands an entry for every such column of the schema. */
const columns: ToIntersection<KindsIn<Row>> = {
  acknowledged_at: 'time',
  closed_at: 'time',
  after: 'json',
  assigned_at: 'time',
  at: 'time',
  attempted_at: 'time',
  backed_up_at: 'time',
  baseline: 'json',
  before: 'json',
  begun_at: 'time',
  budget_alarm: 'json',
  open_calls: 'json',
  created_at: 'time',
  due_at: 'time',
  ended_at: 'time',
  events: 'json',
  expires_at: 'time',
  failing_since: 'time',
  installed_at: 'time',
  is_critical: 'flag',
  is_in_channel: 'flag',
  is_manual: 'flag',
  is_org_wide: 'flag',
  last_eta: 'time',
  last_run_at: 'time',
  last_used_at: 'time',
  lease_until: 'time',
  lines: 'json',
  missed: 'json',
  nearest_eta: 'time',
  notified_at: 'time',
  only_news: 'flag',
  paused_at: 'time',
  payload: 'json',
  polled_at: 'time',
  predictions: 'json',
  readings: 'json',
  refused_until: 'time',
  reminded_at: 'time',
  removed_at: 'time',
  revoked_at: 'time',
  references: 'json',
  restored_at: 'time',
  restored_from: 'time',
  rules: 'json',
  schedule: 'json',
  scopes: 'json',
  snooze: 'json',
  condition: 'json',
  state: 'json',
  token_expires_at: 'time',
  uninstalled_at: 'time',
  updated_at: 'time',
};

/** The columns that are stored otherwise than they are read, by name. */
export const columnKinds: ReadonlyMap<string, Kind> = new Map(Object.entries(columns));

/** Leaves only numbers, text and null, as both engines accept them: PostgreSQL takes no text with a NUL. */
export function encodeParameters(values: readonly unknown[]): readonly unknown[] {
  return values.map((value) => {
    if (value instanceof Date) return value.getTime();
    if (typeof value === 'boolean') return Number(value);
    return typeof value === 'string' ? value.replaceAll('\0', '') : value;
  });
}

/** Changes the rows of a result in place. JSON that can't be parsed stays text, which no schema accepts. */
export function decodeRows(rows: readonly unknown[]): void {
  // The database returns objects, all with the same columns.
  const [first] = rows as readonly Record<string, unknown>[];
  if (!first) return;
  const toDecode = Object.keys(first).flatMap((name) => {
    const kind = columnKinds.get(name);
    return kind ? [{ name, decode: decoders[kind] }] : [];
  });
  if (toDecode.length === 0) return;
  for (const row of rows as readonly Record<string, unknown>[]) {
    for (const { name, decode } of toDecode) if (row[name] !== null) row[name] = decode(row[name]);
  }
}

const decoders: Record<Kind, (value: unknown) => unknown> = {
  time: (value) => new Date(Number(value)),
  json: (value) => parseJson(String(value)),
  flag: Boolean,
};

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
