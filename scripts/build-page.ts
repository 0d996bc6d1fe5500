// Builds the playground's page after an install, so `npm start` needs no build step. Without the development
// packages (`npm ci --omit=dev`) there is no Vite, and the page isn't needed.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const configFile = fileURLToPath(new URL('../src/playground/page/vite.config.ts', import.meta.url));
if (existsSync(new URL('../node_modules/vite', import.meta.url)) && existsSync(configFile)) {
  const { build } = await import('vite');
  await build({ configFile, logLevel: 'warn' });
}
