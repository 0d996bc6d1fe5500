import { readFileSync } from 'node:fs';

/** Landfall's version, from package.json. */
export function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  // Our own file; npm requires its version.
  return (JSON.parse(text) as { version: string }).version;
}
