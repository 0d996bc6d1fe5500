import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { childEnv } from './child-env.ts';

export interface Run {
  child: ChildProcessWithoutNullStreams;
  /** Resolves with all that was printed once the text has been, on stdout or stderr. */
  printed(text: string | RegExp): Promise<string>;
  ended: Promise<{ code: number | null; output: string; stdout: string; stderr: string }>;
}

/** A script of the bundle as a process of its own, with exactly these settings, on any free port. */
export function runScript(
  script: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
  cwd = process.cwd(),
): Run {
  const child = spawn(process.execPath, [resolve('dist', `${script}.js`), ...args], {
    cwd,
    env: { ...childEnv(), PORT: '0', LANDFALL_DATA_DIR: ':memory:', ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const read = { output: '', stdout: '', stderr: '' };
  const changed = new EventTarget();
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      read.output += text;
      read[name] += text;
      changed.dispatchEvent(new Event('output'));
    });
  const ended = once(child, 'close').then(([code]) => ({ code, ...read }));
  return {
    child,
    ended,
    printed: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (typeof text === 'string' ? read.output.includes(text) : text.test(read.output))
            resolve(read.output);
        };
        changed.addEventListener('output', look);
        ended.then(() => reject(new Error(`ended without printing ${text}:\n${read.output}`)));
        look();
      }),
  };
}
