import type { Migration } from 'kysely/migration';
import type { Engine } from '../engine.ts';
import { schema } from './0001-schema.ts';
import { usedInstallStates } from './0002-used-install-states.ts';
import { recovery } from './0003-recovery.ts';

/** Forward only, in the order of their names. A released migration is never changed. */
const migrations: Record<string, (engine: Engine) => Migration> = {
  '0001-schema': schema,
  '0002-used-install-states': usedInstallStates,
  '0003-recovery': recovery,
};

export const migrationNames: readonly string[] = Object.keys(migrations).sort();

export const migrationsFor = (engine: Engine): Record<string, Migration> =>
  Object.fromEntries(Object.entries(migrations).map(([name, create]) => [name, create(engine)]));
