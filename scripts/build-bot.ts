// Bundles the bot for `npm start`, after an install and when a source is newer than the bundle. A few files start much
// faster, and in less memory, than 1,400. Without the development packages there is no Vite: see `runSources`.
import { existsSync, globSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The ways in, of `src/`. */
const entries = ['main', 'ask', 'mcp', 'doctor', 'workspaces', 'backup', 'restore'];

/** What runs beside the bot: a process and threads, each in a file of its own. */
const threads = ['pictures/process', 'answers/workbook-worker', 'answers/workbook-reader'];

if (import.meta.main) await buildBot();

/** Does nothing if `dist/` is newer than all it is made of. */
export async function buildBot(): Promise<void> {
  if (!isStale()) return;
  if (!existsSync(`${root}node_modules/vite`)) return runSources();
  const { build } = await import('vite');
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    // Its binary can't be bundled.
    ssr: { noExternal: true, external: ['@resvg/resvg-js'] },
    build: {
      ssr: true,
      target: 'node24',
      outDir: 'dist',
      rolldownOptions: {
        input: Object.fromEntries([...entries, ...threads].map((name) => [name, `src/${name}.ts`])),
        output: {
          entryFileNames: '[name].js',
          // Two levels deep, as src/app is: it finds the manifest relative to itself.
          chunkFileNames: 'chunks/[name]-[hash].js',
          comments: { jsdoc: false, annotation: false, legal: true },
        },
      },
    },
  });
}

function isStale(): boolean {
  const builtAt = statSync(`${root}dist/main.js`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const files = ['package.json', 'package-lock.json', 'scripts/build-bot.ts', '{src,playground/src}/**/*.ts'];
  const sources = globSync(files, { cwd: root });
  return sources.some((path) => statSync(`${root}${path}`).mtimeMs > builtAt);
}

/** Slower to start, but needs nothing else. */
function runSources(): void {
  mkdirSync(`${root}dist`, { recursive: true });
  for (const name of entries) writeFileSync(`${root}dist/${name}.js`, `import '../src/${name}.ts';\n`);
}
