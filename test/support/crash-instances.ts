import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { childEnv } from './child-env.ts';

export type Instances = ReturnType<typeof createInstances>;

/** Processes of the bot that are killed and restarted. */
export function createInstances(count: number, env: Record<string, string>) {
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
    start(): void {
      urls = [];
      children = Array.from({ length: count }, spawnOne);
    },
    /** Sends SIGKILL to all of them at once. Resolves when they have ended. */
    async kill(): Promise<void> {
      const living = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
      const exits = living.map((child) => once(child, 'exit'));
      for (const child of living) child.kill('SIGKILL');
      await Promise.all(exits);
    },
    /** The last output of instances that ended unexpectedly. */
    failures: () => failures,
    /** The addresses of the health pages of all ready instances. */
    urls: () => urls,
  };
}
