import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const ignored = ['node_modules', 'dist', 'test'];

export interface Packed {
  /** A folder outside of this repository: the sample app, with the packed package installed. */
  appDir: string;
  run(args: readonly string[], options?: { env?: NodeJS.ProcessEnv; cwd?: string }): Run;
  remove(): void;
}

export interface Run {
  output(): string;
  /** Waits for a match in what the command prints. Returns its first group. */
  printed(pattern: RegExp): Promise<string>;
  /** The status of the command once it has ended. */
  ended: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

/** Packs the package as `npm publish` would, from a copy of it, and installs it without the registry. */
export function packAndInstall(): Packed {
  const dir = mkdtempSync(join(tmpdir(), 'bolt-playground-'));
  const [source, appDir] = [join(dir, 'source'), join(dir, 'app')];
  cpSync(root, source, { recursive: true, filter: (path) => !ignored.includes(basename(path)) });
  const hono = findPackageJSON('hono', import.meta.url);
  if (!hono) throw new Error('npm ci is needed first');
  symlinkSync(dirname(dirname(hono)), join(dir, 'node_modules'));
  execFileSync('npm', ['pack', '--silent', '--pack-destination', dir], {
    cwd: source,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  cpSync(fileURLToPath(new URL('app', import.meta.url)), appDir, { recursive: true });
  const installed = join(appDir, 'node_modules/bolt-playground');
  mkdirSync(installed, { recursive: true });
  const [tarball = ''] = execFileSync('ls', [dir], { encoding: 'utf8' }).match(/^.*\.tgz$/m) ?? [];
  execFileSync('tar', ['xzf', join(dir, tarball), '--strip-components=1', '-C', installed]);
  return {
    appDir,
    run: (args, { env = {}, cwd = appDir } = {}) =>
      start([join(installed, 'dist/cli.js'), ...args], { cwd, env: { ...process.env, ...env } }),
    remove: () => rmSync(dir, { recursive: true }),
  };
}

function start(args: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv }): Run {
  const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  return {
    output: () => output,
    async printed(pattern) {
      await expect.poll(() => output).toMatch(pattern);
      return pattern.exec(output)?.[1] ?? '';
    },
    ended: new Promise((resolve) => child.once('close', resolve)),
    kill: (signal) => child.kill(signal),
  };
}
