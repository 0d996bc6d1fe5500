// One process to be measured: starts it, waits until it is ready, reads its figures and stops it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../test/support/free-port.ts';
import { type Memory, memoryOf, processorMsOf } from './process-figures.ts';

export interface Subject {
  name: string;
  requestUrl: string;
  readyMs: number;
  memory(): Memory;
  /** Processor time of all its threads since the start. */
  processorMs(): number;
  /** The same, of the main thread alone. */
  mainThreadMs(): number;
  /** Starts the CPU profile of a process that has bench/profiler.ts, or ends and writes it. */
  toggleProfile(): void;
  stop(): Promise<void>;
}

/** V8's flags, as in `npm start`. */
export const startFlags: readonly string[] = [
  '--max-semi-space-size=32',
  '--heap-growing-percent=40',
  '--liftoff-only',
];

interface SubjectOptions {
  name: string;
  script: string;
  flags?: readonly string[];
  env: Record<string, string>;
  /** Answers with 200, or with any status (`any`), once the process is ready. */
  probe: { path: string; any?: boolean };
}

const READY_LIMIT_MS = 30_000;

export async function startSubject({
  name,
  script,
  flags = [],
  env,
  probe,
}: SubjectOptions): Promise<Subject> {
  const port = await freePort();
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...flags, script], {
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // It ends with this process, also if the benchmark fails.
  const kill = () => void child.kill();
  process.on('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const origin = `http://127.0.0.1:${port}`;
  while (!(await answers(`${origin}${probe.path}`, probe.any))) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
    if (performance.now() - startedAt > READY_LIMIT_MS) throw new Error(`${name} is not ready after 30 s`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return {
    name,
    requestUrl: `${origin}/slack/events`,
    readyMs: performance.now() - startedAt,
    memory: () => memoryOf(child.pid),
    processorMs: () => processorMsOf(child.pid),
    mainThreadMs: () => processorMsOf(`${child.pid}/task/${child.pid}`),
    toggleProfile: () => void child.kill('SIGUSR2'),
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

async function answers(url: string, any = false): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.arrayBuffer();
    return any || response.ok;
  } catch {
    return false; // Not listening yet.
  }
}
