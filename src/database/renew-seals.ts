import { sql } from 'kysely';
import { acrossWorkspaces } from './across-workspaces.ts';
import type { SecretBox } from './secrets.ts';
import { StoreError } from './store-error.ts';
import type { AllWorkspaces } from './workspace-store.ts';

/** The sealed columns, with the columns by which their rows are found. A login's token is sealed anew at its next login. */
const keyColumns = {
  'accounts.sealed_account': 'workspace_id',
  'installations.sealed_token': 'id',
} as const;

/** How many secrets are stored, and how many of them no key opens. */
export async function countSecrets(
  db: AllWorkspaces,
  box: SecretBox,
): Promise<{ stored: number; unreadable: number }> {
  let [stored, unreadable] = [0, 0];
  for await (const { sealed, place } of readSealed(db)) {
    stored += 1;
    try {
      box.open(sealed, place);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      unreadable += 1;
    }
  }
  return { stored, unreadable };
}

async function* readSealed(db: AllWorkspaces) {
  for (const [name, keyColumn] of Object.entries(keyColumns)) {
    const [table = '', column = ''] = name.split('.');
    const { rows } = await sql<{ row: string; sealed: string }>`
      select ${sql.ref(keyColumn)} as row, ${sql.ref(column)} as sealed
      from ${sql.table(table)} where ${sql.ref(column)} is not null ${acrossWorkspaces('seals')}`.execute(db);
    for (const { row, sealed } of rows) yield { keyColumn, sealed, place: { table, row, column } };
  }
}

/**
 * Seals again what an older key sealed, and returns the number of values. Leaves out what another process changes
 * meanwhile. Throws StoreError if no key opens a value.
 */
export async function renewSeals(db: AllWorkspaces, box: SecretBox): Promise<number> {
  let renewed = 0;
  for await (const { keyColumn, sealed, place } of readSealed(db)) {
    if (!box.isOutdated(sealed)) continue;
    const { table, row, column } = place;
    const { numAffectedRows = 0n } = await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = ${box.seal(box.open(sealed, place), place)}
      where ${sql.ref(keyColumn)} = ${row} and ${sql.ref(column)} = ${sealed}
      ${acrossWorkspaces('seals')}`.execute(db);
    renewed += Number(numAffectedRows);
  }
  return renewed;
}
