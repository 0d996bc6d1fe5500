import type { Kysely, KyselyPlugin, QueryExecutor } from 'kysely';

const directAccess: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => result,
};

/** For tests only: reads and writes tables as they are, also without naming a workspace, see watch-statements.ts. */
export const direct = <Schema>(db: Kysely<Schema>): Kysely<Schema> => db.withPlugin(directAccess);

export const isDirect = ({ plugins }: Pick<QueryExecutor, 'plugins'>): boolean =>
  plugins.includes(directAccess);
