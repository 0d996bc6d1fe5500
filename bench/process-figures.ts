// Figures of any process on this machine. They come from /proc, so they are NaN except on Linux.
import { readdirSync, readFileSync } from 'node:fs';

export interface Memory {
  residentMb: number;
  /** The peak of the resident memory since the start (VmHWM). */
  peakMb: number;
}

export function memoryOf(pid: number | undefined): Memory {
  const status = read(`/proc/${pid}/status`);
  const megabytes = (name: string) => Number(status.match(`${name}:\\s+(\\d+) kB`)?.[1]) / 1024;
  return { residentMb: megabytes('VmRSS'), peakMb: megabytes('VmHWM') };
}

/** Processor time since the start: of all threads of a process, or of one, `<pid>/task/<thread>`. */
export const processorMsOf = (id: number | string | undefined): number => statOf(id).ownMs;

/** Processor time of all processes of a PostgreSQL, including ended ones. `backend` serves one of its connections. */
export function postgresProcessorMs(backend: number): number {
  const { parent: server } = statOf(backend);
  const { ownMs, endedChildrenMs } = statOf(server);
  const pids = process.platform === 'linux' ? readdirSync('/proc').map(Number) : [];
  const children = pids.map((pid) => statOf(pid)).filter(({ parent }) => parent === server);
  return children.reduce((sum, child) => sum + child.ownMs, ownMs + endedChildrenMs);
}

/** proc_pid_stat(5): from field 3 on, times in hundredths of a second. The process name in field 2 may hold anything. */
function statOf(id: number | string | undefined): { parent: number; ownMs: number; endedChildrenMs: number } {
  const stat = read(`/proc/${id}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [parent = Number.NaN, userTime, systemTime, childUserTime, childSystemTime] = [1, 11, 12, 13, 14].map(
    (index) => Number(fields[index]),
  );
  const sumMs = (a = Number.NaN, b = Number.NaN) => (a + b) * 10;
  return {
    parent,
    ownMs: sumMs(userTime, systemTime),
    endedChildrenMs: sumMs(childUserTime, childSystemTime),
  };
}

/** Empty if the process has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
