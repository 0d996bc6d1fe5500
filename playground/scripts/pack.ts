// In the repository, Node runs the TypeScript of src/. A package below node_modules must be JavaScript, so `npm pack`
// builds dist/ and the page, and package.json points to dist/ as long as that takes.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = `${root}package.json`;
const [stage] = process.argv.slice(2);
if (stage === 'before') {
  rmSync(`${root}dist`, { recursive: true, force: true });
  run('tsc', '-p', 'tsconfig.build.json');
  run('vite', 'build', '--config', 'page/vite.config.ts', '--logLevel', 'warn');
  rewrite(/src\/([\w-]+)\.ts"/g, 'dist/$1.js"');
} else rewrite(/dist\/([\w-]+)\.js"/g, 'src/$1.ts"');

function run(command: string, ...args: string[]): void {
  // npm has the commands of the packages in its path.
  execFileSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
}

function rewrite(pattern: RegExp, replacement: string): void {
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replaceAll(pattern, replacement));
}
