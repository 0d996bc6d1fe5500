import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { codeOf, messageOf } from '../../errors.ts';
import { type Finding, fail, pass, warn } from './finding.ts';

const megabyte = 1024 * 1024;
const tooFull = 50 * megabyte;
const almostFull = 500 * megabyte;

/** Whether the store can be written there, also if the directory does not exist yet. */
export async function checkDirectory(
  path: string,
  freeBytesOf: (path: string) => Promise<number> = freeBytes,
): Promise<Finding[]> {
  try {
    const existing = await nearestExisting(resolve(path));
    await access(existing, constants.W_OK | constants.X_OK);
    return [checkSpace(path, await freeBytesOf(existing))];
  } catch (error) {
    return [
      fail(
        `Landfall can't write to ${path}: ${messageOf(error)}`,
        'Set LANDFALL_DATA_DIR to a directory that the user running Landfall may write to.',
      ),
    ];
  }
}

async function nearestExisting(path: string): Promise<string> {
  try {
    if ((await stat(path)).isDirectory()) return path;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return await nearestExisting(dirname(path));
    throw error;
  }
  throw new Error(`${path} is not a directory`);
}

function checkSpace(path: string, bytes: number): Finding {
  const text = `${path} has ${sizeInWords(bytes)} of free disk space`;
  const remedy = 'Free some space; history takes most (HISTORY_DAYS).';
  if (bytes < tooFull) return fail(text, remedy);
  return bytes < almostFull
    ? warn(text, remedy)
    : pass(`${path} can be written, with ${sizeInWords(bytes)} free`);
}

const sizeInWords = (bytes: number): string =>
  bytes >= 1024 * megabyte
    ? `${Math.floor(bytes / (1024 * megabyte)).toLocaleString('en')} GB`
    : `${Math.floor(bytes / megabyte)} MB`;

async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}
