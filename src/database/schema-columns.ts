import type { ColumnType } from 'kysely';

/** A row that one process at a time works on, see leases.ts. A lease ends, even if its process has died. */
export interface LeaseColumns {
  /** On the database's clock, which all processes share. */
  lease_until: Date | null;
  /** Unique to each claim. */
  lease_token: string | null;
}

/** The columns of due work, see due.ts. `due_at` is on the domain clock, in the outbox on the real clock. */
export interface DueColumns extends LeaseColumns {
  id: string;
  due_at: Date;
  attempts: number;
}

/** Written as text, read as the parsed value. */
export type Json = ColumnType<unknown, string, string>;
export type NullableJson = ColumnType<unknown, string | null, string | null>;
