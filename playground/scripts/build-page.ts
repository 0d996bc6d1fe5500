// Builds the page after an install, so that starting needs no build step. Without the development packages
// (`npm ci --omit=dev`) there is no Vite, and the page isn't needed.
import { existsSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { fileURLToPath } from 'node:url';

const configFile = fileURLToPath(new URL('../page/vite.config.ts', import.meta.url));
if (existsSync(configFile) && isInstalled('vite')) {
  const { build } = await import('vite');
  await build({ configFile, logLevel: 'warn' });
}

function isInstalled(name: string): boolean {
  try {
    return findPackageJSON(name, import.meta.url) !== undefined;
  } catch {
    return false;
  }
}
