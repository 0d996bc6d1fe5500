import { inject } from 'vitest';

/** The address of a new database in the PostgreSQL that all test files share. */
export async function createTestDatabase(kind: 'empty' | 'migrated'): Promise<string> {
  const response = await fetch(`${inject('postgresServer')}/${kind}`);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}
