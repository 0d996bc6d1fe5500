import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createSandboxClock, type SandboxClock, type SandboxClockState } from './clock.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';

export interface KeptSandboxOptions {
  seed: number;
  speed: number;
  /** Opens `/_sandbox/`. */
  controls: boolean;
  /** Where its clock is kept; undefined: nowhere. */
  clockFile: string | undefined;
  /** Milliseconds. */
  realNow: () => number;
  /** The clock could not be kept. */
  onError: (error: unknown) => void;
}

/** A sandbox whose clock goes on after a restart where it was, if it was ever moved; else it is the real time. */
export async function createKeptSandbox(options: KeptSandboxOptions): Promise<Sandbox> {
  const { seed, speed, controls, clockFile: file, realNow, onError } = options;
  const state = file ? readClock(file) : undefined;
  const clock = createSandboxClock({ realNow, speed, ...(state && { state }) });
  const sandbox = await createSandbox({ seed, clock, controls, realNow });
  const keep = () => {
    try {
      if (file) keepClock(file, clock, realNow());
    } catch (error) {
      onError(error);
    }
  };
  const timer = setInterval(keep, 10_000).unref();
  return {
    ...sandbox,
    close: async () => {
      clearInterval(timer);
      keep();
      await sandbox.close();
    },
  };
}

function readClock(file: string): SandboxClockState | undefined {
  try {
    // Our own file; createSandboxClock checks what it uses.
    return JSON.parse(readFileSync(file, 'utf8')) as SandboxClockState;
  } catch {
    return undefined;
  }
}

function keepClock(file: string, clock: SandboxClock, realMs: number): void {
  const state = clock.state();
  const isRealTime = state.speed === 1 && Math.abs(state.domainMs - realMs) < 1_000;
  if (isRealTime) {
    rmSync(file, { force: true });
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(state));
    renameSync(`${file}.${process.pid}`, file);
  }
}
