import { closeSync, mkdirSync, openSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { codeOf, messageOf, StoreError } from '../errors.ts';

const lockName = 'landfall.lock';
const noteName = 'landfall.pid';
const retry = 'Stop it first, or give this one a LANDFALL_DATA_DIR of its own.';

/**
 * Creates a directory if it is missing, and reserves it until `release` or the end of this process, however it ends: the
 * lock is an open transaction on `landfall.lock`, which the system frees. `landfall.pid` names the holder and decides
 * nothing. Throws StoreError.
 */
export function lockDirectory(directory: string): { release(): void } {
  const note = join(directory, noteName);
  const lock = openLock(directory, note);
  writeNote(note);
  const release = () => {
    if (!lock.isOpen) return; // The note may be another holder's by now.
    rmSync(note, { force: true }); // If this fails, the lock stays until this process ends, as the note says.
    lock.close();
    process.off('exit', release);
  };
  // Also keeps a reference: a database that is garbage collected loses its locks.
  process.once('exit', release);
  return { release };
}

/** Never committed, so no journal is needed on disk, where a crash would leave it. */
const journalInMemory = 'pragma journal_mode = memory';
/** Fails if the file is read-only: there, SQLite begins a read transaction without saying so. */
const write = 'pragma user_version = 1';

function openLock(directory: string, note: string): DatabaseSync {
  const path = join(directory, lockName);
  let lock: DatabaseSync | undefined;
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    createPrivate(path);
    lock = new DatabaseSync(path, { timeout: 0 });
    // Of two that start together, exactly one gets it. With `begin exclusive`, which also needs readers to be gone, each
    // can make the other fail.
    lock.exec(`${journalInMemory}; begin immediate; ${write}`);
    return lock;
  } catch (error) {
    lock?.close();
    throw new StoreError(sqliteResultOf(error) === busy ? inUse(directory, note) : unusable(path, error), {
      cause: error,
    });
  }
}

const busy = 5;

/** A result of SQLite: the last byte of an extended one. */
export const sqliteResultOf = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : undefined;

function inUse(directory: string, note: string): string {
  const holder = readNote(note);
  // SQLite reports a file system without locks (ENOLCK) as busy too. Nobody can have written a note there.
  if (!holder) {
    return `Another Landfall is using ${directory}, or its file system can't lock files. ${retry} The directory must be on a local disk.`;
  }
  const { pid, host, identity } = holder;
  const isCertain = identity !== undefined && identity === identityOf(pid);
  const who = isCertain ? `process ${pid}` : `perhaps process ${pid} on ${host}`;
  return `Another Landfall (${who}) is using ${directory}. ${retry}`;
}

const unusable = (path: string, error: unknown): string =>
  `The lock file ${path} can't be used: ${messageOf(error)}. ` +
  'Landfall must be able to write and lock files there. Set LANDFALL_DATA_DIR to a writable directory on a local disk.';

const noteShape = z.object({ pid: z.number(), host: z.string(), identity: z.string().exactOptional() });
type Note = z.infer<typeof noteShape>;

function writeNote(path: string): void {
  const { pid } = process;
  const identity = identityOf(pid);
  const note: Note = { pid, host: hostname(), ...(identity !== undefined && { identity }) };
  try {
    writeFileSync(path, JSON.stringify(note), { mode: 0o600 });
  } catch {
    // Without it, a second Landfall is refused all the same.
  }
}

/** Undefined if the holder has not written it yet, or a crash or a full disk left it incomplete. */
function readNote(path: string): Note | undefined {
  try {
    return noteShape.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}

/**
 * Tells a process from all others, before and after it: systems reuse process numbers, and each container has its own.
 * Undefined if there is no such process, or the system is not Linux.
 */
function identityOf(pid: number): string | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // proc_pid_stat(5): the name may hold spaces and brackets; the start time is the 20th field after it.
    const startedAt = line.slice(line.lastIndexOf(')') + 2).split(' ')[19];
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${bootId} ${readlinkSync('/proc/self/ns/pid')} ${startedAt}`;
  } catch {
    return undefined;
  }
}

/**
 * Creates a file for SQLite that only its owner can read: SQLite would give it the mode that the umask leaves. An existing
 * file must not be opened here: closing it would free the locks that this process has on it (POSIX, fcntl(2)).
 */
export function createPrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
