import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type { Schema } from './schema.ts';

/** A database that holds nothing and keeps nothing: for the terminal, which leaves the store to the running bot. */
export const createEmptyDatabase = (): Kysely<Schema> =>
  new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
