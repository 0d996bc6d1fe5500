import type { WorkspaceStore } from '../../src/database/workspace-store.ts';
import type { Imo } from '../../src/reference/codes.ts';

/** A store of which only fleets are read. */
export function storeOfFleets(fleets: readonly { name: string; imos: readonly Imo[] }[]): WorkspaceStore {
  const rows = fleets.flatMap(({ name, imos }) => imos.map((imo) => ({ key: name, name, imo })));
  const query: object = new Proxy(
    {},
    { get: (_, method) => (method === 'execute' ? async () => rows : () => query) },
  );
  return { selectFrom: () => query, join: () => [] } as unknown as WorkspaceStore; // the methods that the list calls
}
