import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect } from 'kysely';
import type { Database } from '../../src/database/connect.ts';
import { migrate } from '../../src/database/migrate.ts';
import type { Schema } from '../../src/database/schema.ts';

const cache = join(import.meta.dirname, '../../node_modules/.cache/landfall-test');
const migrations = join(import.meta.dirname, '../../src/database/migrations');
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'];

/**
 * An empty, migrated embedded store in memory. Creating one takes seconds, so it is created once per version of the
 * migrations and PGlite, and cached beside the installed packages.
 */
export async function openTemplate(): Promise<Database> {
  const path = join(cache, `store-${await fingerprint()}.tar`);
  const cached = await readFile(path).catch(() => undefined);
  const pglite = cached
    ? await PGlite.create({ loadDataDir: new Blob([cached]), startParams })
    : await PGlite.create({ startParams });
  const db = new Kysely<Schema>({ dialect: new PGliteDialect({ pglite }) });
  if (!cached) {
    await migrate(db);
    await writeCache(path, await pglite.dumpDataDir('none'));
  }
  return {
    db,
    engine: 'embedded',
    async close() {
      await db.destroy();
      if (!pglite.closed) await pglite.close();
    },
  };
}

/** Writes atomically, since test files run in parallel, and deletes the files of older migrations. */
async function writeCache(path: string, dump: Blob): Promise<void> {
  await mkdir(cache, { recursive: true });
  for (const name of await readdir(cache)) {
    if (!name.startsWith(basename(path))) await rm(join(cache, name), { force: true });
  }
  const temporary = `${path}.${randomUUID()}`;
  try {
    await writeFile(temporary, dump.stream());
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** A hash of everything that determines an empty store. */
async function fingerprint(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const files = (await readdir(migrations)).sort().map((name) => join(migrations, name));
  const hash = createHash('sha256');
  for (const path of [join(entry, '../../package.json'), ...files]) hash.update(await readFile(path));
  return hash.digest('hex').slice(0, 16);
}
