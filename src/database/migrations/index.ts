import type { Migration } from 'kysely/migration';
import type { Engine } from '../engine.ts';
import { schema } from './0001-schema.ts';
import { usedInstallStates } from './0002-used-install-states.ts';
import { recovery } from './0003-recovery.ts';
import { watchedTimes } from './0004-watched-times.ts';

/** Forward only, in the order of their names. A released migration is never changed. */
const migrations: Record<string, (engine: Engine) => Migration> = {
  '0001-schema': schema,
  '0002-used-install-states': usedInstallStates,
  '0003-recovery': recovery,
  '0004-watched-times': watchedTimes,
};

export const migrationNames: readonly string[] = Object.keys(migrations).sort();

export const migrationsFor = (engine: Engine): Record<string, Migration> =>
  Object.fromEntries(Object.entries(migrations).map(([name, create]) => [name, create(engine)]));
