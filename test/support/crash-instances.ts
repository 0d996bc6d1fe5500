import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { childEnv } from './child-env.ts';

/** Processes of the bot that are killed and restarted. */
export interface Instances {
  start(): void;
  /** Sends SIGKILL to all of them at once. Resolves when they have ended. */
  kill(): Promise<void>;
  /** The last output of instances that ended unexpectedly. */
  failures(): string[];
  /** The addresses of the health pages of all ready instances. */
  urls(): string[];
}

export function createInstances(count: number, env: Record<string, string>): Instances {
  const failures: string[] = [];
  let children: ChildProcess[] = [];
  let urls: string[] = [];
  // Leaves no process behind after an interrupted run.
  process.once('exit', () => {
    for (const child of children) child.kill('SIGKILL');
  });

  function spawnOne(): ChildProcess {
    const child = spawn(process.execPath, ['dist/main.js'], {
      env: { ...childEnv(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => {
        output = (output + data).slice(-2000);
        const url = /Health: (http:\S+)\/readyz/.exec(output)?.[1];
        if (url && !urls.includes(url)) urls.push(url);
      });
    }
    child.on('exit', (code) => {
      if (code !== null) failures.push(`ended with ${code}: ${output}`);
    });
    return child;
  }

  return {
    start() {
      urls = [];
      children = Array.from({ length: count }, spawnOne);
    },
    async kill() {
      const living = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
      const exits = living.map((child) => once(child, 'exit'));
      for (const child of living) child.kill('SIGKILL');
      await Promise.all(exits);
    },
    failures: () => failures,
    urls: () => urls,
  };
}
