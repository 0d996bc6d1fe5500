import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { UsageError } from './usage-error.ts';

export interface AppProcess {
  /** The exit status of the command; 1 if a signal ended it. Rejects with UsageError if there is no such command. */
  ended: Promise<number>;
  /** Passes the signal on to the command and all that it has started, and ends what is still there after 5 seconds. */
  stop(signal: NodeJS.Signals): void;
}

const STOP_LIMIT_MS = 5000;
const isWindows = process.platform === 'win32';

/** Starts the command of the app. `print` gets its output by the line. */
export function startApp(
  [file = '', ...args]: readonly string[],
  { env, print }: { env: NodeJS.ProcessEnv; print: (line: string) => void },
): AppProcess {
  // In a group of its own, so that a signal reaches what npm has started too. On Windows, npm is a script of the shell.
  const child = spawn(file, args, {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: !isWindows,
    shell: isWindows,
  });
  forEachLine(child.stdout, print);
  forEachLine(child.stderr, print);
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? new UsageError(`There is no command “${file}”.`) : error),
    );
    child.once('close', (code) => resolve(code ?? 1));
  }).finally(() => clearTimeout(timer));
  const kill = (signal: NodeJS.Signals) => {
    if (child.pid === undefined) return;
    try {
      if (isWindows) child.kill(signal);
      else process.kill(-child.pid, signal);
    } catch {
      // It has ended meanwhile.
    }
  };
  return {
    ended,
    stop(signal) {
      kill(signal);
      timer ??= setTimeout(() => kill('SIGKILL'), STOP_LIMIT_MS);
    },
  };
}

function forEachLine(stream: Readable, print: (line: string) => void): void {
  createInterface({ input: stream }).on('line', print);
}
