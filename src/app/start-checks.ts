import { accessSync, constants, mkdirSync } from 'node:fs';
import type { Config } from '../config/config.ts';

/** Fails at the start if the data directory isn't writable, before anything can be lost. */
export function ensureDataDir({ dataDir }: Config): void {
  if (dataDir === undefined) return;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.W_OK);
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
    const advice = 'Set LANDFALL_DATA_DIR to a writable directory, or to :memory: to store nothing.';
    throw new Error(`Landfall can't write to the data directory ${dataDir}${reason}. ${advice}`, { cause });
  }
}

/** Gives EADDRINUSE a helpful message; returns other errors as they are. */
export function explainStartError(cause: unknown, { host, port }: Config): unknown {
  if (!(cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE')) return cause;
  const advice = 'Stop the program that uses it, or set PORT to another port.';
  return new Error(`Port ${port} on ${host} is in use. ${advice}`, { cause });
}
