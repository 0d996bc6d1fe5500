import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createSandbox, type Sandbox } from './sandbox.ts';
import { createSandboxClock, type SandboxClock, type SandboxClockState } from './sandbox-clock.ts';

interface PersistentSandboxOptions {
  seed: number;
  speed: number;
  /** Opens `/_sandbox/`. */
  controls: boolean;
  /** Stores the state of the clock. Undefined: the state isn't stored. */
  clockFile: string | undefined;
  /** Epoch milliseconds. */
  realNow: () => number;
  /** Called when the clock could not be stored. */
  onError: (error: unknown) => void;
}

/** A sandbox whose clock shows the real time until it is moved. A moved clock continues after a restart. */
export async function createPersistentSandbox(options: PersistentSandboxOptions): Promise<Sandbox> {
  const { seed, speed, controls, clockFile: file, realNow, onError } = options;
  const state = file ? readClock(file) : undefined;
  const clock = createSandboxClock({ realNow, speed, ...(state && { state }) });
  const sandbox = await createSandbox({ seed, clock, controls, realNow });
  const store = () => {
    try {
      if (file) storeClock(file, clock, realNow());
    } catch (error) {
      onError(error);
    }
  };
  const timer = setInterval(store, 10_000).unref();
  return {
    ...sandbox,
    close: async () => {
      clearInterval(timer);
      store();
      await sandbox.close();
    },
  };
}

function readClock(file: string): SandboxClockState | undefined {
  try {
    // storeClock wrote the file, and createSandboxClock checks the values.
    return JSON.parse(readFileSync(file, 'utf8')) as SandboxClockState;
  } catch {
    return undefined;
  }
}

function storeClock(file: string, clock: SandboxClock, realMs: number): void {
  const state = clock.state();
  const isRealTime = state.speed === 1 && Math.abs(state.domainMs - realMs) < 1_000;
  if (isRealTime) {
    rmSync(file, { force: true });
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(state), { mode: 0o600 });
    renameSync(`${file}.${process.pid}`, file);
  }
}
