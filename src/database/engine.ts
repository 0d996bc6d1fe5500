/** What differs between SQLite and PostgreSQL, apart from opening a connection. */
export interface Engine {
  name: 'sqlite' | 'postgres';
  /** Creates SQL functions that the other engine has. */
  functions: readonly string[];
  /** The type of a primary key that the database counts up. */
  sequence: string;
  /** Selects the size of the database as `bytes`. */
  size: string;
  /** Says how many rows the planner should expect, to an engine that doesn't count them. Run after the tables exist. */
  statistics: readonly string[];
}
