import { accessSync, constants, mkdirSync } from 'node:fs';
import type { Config } from '../config/config.ts';

/** Throws where nothing can be written to the data directory: at the start, before anything is lost. */
export function checkWritable({ dataDir }: Config): void {
  if (dataDir === undefined) return;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.W_OK);
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
    const advice = 'Set LANDFALL_DATA_DIR to a writable directory, or to :memory: to store nothing.';
    throw new Error(`Nothing can be written to the data directory ${dataDir}${reason}. ${advice}`, { cause });
  }
}

/** Explains a port in use; every other error stays as it is. */
export function explainStartError(cause: unknown, { host, port }: Config): unknown {
  if (!(cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE')) return cause;
  const advice = 'Stop the program that uses it, or set PORT to another port.';
  return new Error(`Port ${port} on ${host} is in use. ${advice}`, { cause });
}
