// Builds the playground's page, so that `npm start` needs no build step. An install without the
// development packages (`npm ci --omit=dev`) has no Vite and needs no page.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const configFile = fileURLToPath(new URL('../src/playground/page/vite.config.ts', import.meta.url));
if (existsSync(new URL('../node_modules/vite', import.meta.url)) && existsSync(configFile)) {
  const { build } = await import('vite');
  await build({ configFile, logLevel: 'warn' });
}
