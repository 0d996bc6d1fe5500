import { randomUUID } from 'node:crypto';
import { readdir, readFile, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../errors.ts';
import { StoreError } from './store-error.ts';

const prefix = 'in-use.';
const heartbeatMs = 10_000;
const abandonedAfterMs = 4 * heartbeatMs;

/**
 * Reserves a directory until `release` or the end of this process. Each process writes a file with a unique name, then
 * looks for the files of other processes. So if two start together, at least one sees the other. Throws StoreError.
 */
export async function lockDirectory(directory: string): Promise<{ release(): Promise<void> }> {
  const holder = { pid: process.pid, ...(await identify('self')) };
  const path = join(directory, `${prefix}${process.pid}-${randomUUID()}.json`);
  await writeFile(path, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
  const other = await findLivingHolder(directory, path, holder);
  if (other) {
    await rm(path, { force: true });
    throw new StoreError(
      `Another Landfall (process ${other.pid}) is using ${directory}. ` +
        'Stop it first, or give this one a LANDFALL_DATA_DIR of its own.',
    );
  }
  const timer = setInterval(() => utimes(path, new Date(), new Date()).catch(() => {}), heartbeatMs).unref();
  return {
    async release() {
      clearInterval(timer);
      await rm(path, { force: true });
    },
  };
}

/** Systems reuse process numbers: this tells the processes apart. A part that the system does not give is ''. */
interface Identity {
  startedAt: string;
  bootId: string;
  pidNamespace: string;
}

type Holder = Identity & { pid: number };

async function findLivingHolder(directory: string, own: string, self: Holder): Promise<Holder | undefined> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    if (!name.startsWith(prefix) || path === own) continue;
    const holder = await readHolder(path);
    if (holder && (await isAlive(holder, { path, self }))) return holder;
    await rm(path, { force: true });
  }
  return undefined;
}

/** A crash can leave the file empty: then its name gives the process number, and the process counts as a local one. */
async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const value: Partial<Holder> = JSON.parse(await readFile(path, 'utf8'));
    if (typeof value.pid !== 'number') return undefined;
    const { pid, startedAt = '', bootId = '', pidNamespace = '' } = value;
    return { pid, startedAt, bootId, pidNamespace };
  } catch (error) {
    if (error instanceof SyntaxError) {
      const pid = Number(/in-use\.(\d+)-/.exec(path)?.[1]);
      return { pid, ...(await identify('self')), startedAt: '' };
    }
    return undefined;
  }
}

/** The process numbers of another container mean nothing here, so for those the file's heartbeat decides. */
async function isAlive(holder: Holder, { path, self }: { path: string; self: Holder }): Promise<boolean> {
  if (holder.bootId !== self.bootId || holder.pidNamespace !== self.pidNamespace)
    return hasRecentHeartbeat(path);
  if (!isRunning(holder.pid)) return false;
  const { startedAt } = await identify(holder.pid);
  return startedAt === '' || holder.startedAt === '' || startedAt === holder.startedAt;
}

async function hasRecentHeartbeat(path: string): Promise<boolean> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.NEGATIVE_INFINITY }));
  return Date.now() - mtimeMs < abandonedAfterMs;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process runs as another user.
    return codeOf(error) === 'EPERM';
  }
}

async function identify(pid: number | 'self'): Promise<Identity> {
  const read = (path: string) => readFile(path, 'utf8').catch(() => '');
  const [line, bootId, pidNamespace] = await Promise.all([
    read(`/proc/${pid}/stat`),
    read('/proc/sys/kernel/random/boot_id'),
    readlink('/proc/self/ns/pid').catch(() => ''),
  ]);
  // proc_pid_stat(5): the name may hold spaces and brackets; the start time is the 20th field after it.
  const startedAt = line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  return { startedAt, bootId: bootId.trim(), pidNamespace };
}
