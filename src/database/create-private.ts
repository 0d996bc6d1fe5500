import { closeSync, openSync } from 'node:fs';
import { codeOf } from '../errors.ts';

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
