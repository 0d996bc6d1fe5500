import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockDirectory } from '../../src/database/lock-file.ts';
import { StoreError } from '../../src/errors.ts';
import { useDirectory } from '../support/use-directory.ts';

let directory: string;
let children: ChildProcess[];
beforeEach(async () => {
  directory = await useDirectory();
  children = [];
});
afterEach(() => Promise.all(children.map(kill)));

const advice = 'Stop it first, or give this one a LANDFALL_DATA_DIR of its own.';

describe('one Landfall per directory', () => {
  it('refuses others in this process, and still in other processes, until the first releases the lock', async () => {
    const first = lockDirectory(directory);
    const message = `Another Landfall (process ${process.pid}) is using ${directory}. ${advice}`;
    expect(() => lockDirectory(directory)).toThrow(new StoreError(message));
    expect(() => lockDirectory(directory)).toThrow(new StoreError(message));
    expect(await ask(startProcess(), directory)).toContain(`(process ${process.pid}) is using ${directory}`);
    first.release();
    lockDirectory(directory).release();
    const next = startProcess();
    expect(await ask(next, directory)).toBe('done');
    first.release();
    expect(() => lockDirectory(directory)).toThrow(`(process ${next.pid}) is using`);
  });

  it('starts after the holder is killed, without help', async () => {
    const holder = startProcess();
    expect(await ask(holder, directory)).toBe('done');
    expect(() => lockDirectory(directory)).toThrow(
      new StoreError(`Another Landfall (process ${holder.pid}) is using ${directory}. ${advice}`),
    );
    await kill(holder);
    const next = lockDirectory(directory);
    expect(await ask(startProcess(), directory)).toContain(`(process ${process.pid}) is using`);
    next.release();
  });

  it('admits exactly one of three that start at once', async () => {
    const processes = [startProcess(), startProcess(), startProcess()];
    for (let round = 0; round < 30; round += 1) {
      const answers = await Promise.all(processes.map((child) => ask(child, directory)));
      expect(answers.filter((answer) => answer === 'done')).toHaveLength(1);
      expect(answers.filter((answer) => answer.startsWith('StoreError: Another Landfall'))).toHaveLength(2);
      for (const [index, child] of processes.entries()) {
        if (answers[index] === 'done') expect(await ask(child, 'release')).toBe('done');
      }
    }
  });

  it('is not refused by somebody who only looks at the lock file, as a second start does for a moment', () => {
    lockDirectory(directory).release();
    const reader = new DatabaseSync(join(directory, 'landfall.lock'));
    reader.exec('begin; select * from sqlite_schema');
    lockDirectory(directory).release();
    reader.close();
  });

  it('keeps the lock when nobody keeps the result', async () => {
    // Exposes the garbage collector, which closes databases that nobody refers to.
    const holder = startProcess({ execArgv: ['--expose-gc'] });
    expect(await ask(holder, directory)).toBe('done');
    expect(await ask(holder, 'forget')).toBe('done');
    expect(() => lockDirectory(directory)).toThrow(`(process ${holder.pid}) is using`);
  });
});

describe('the note of the process number', () => {
  const note = () => join(directory, 'landfall.pid');
  const refusal = () => {
    try {
      lockDirectory(directory).release();
    } catch (error) {
      return String(error);
    }
    return undefined;
  };

  it('never refuses a start, even if its process runs', () => {
    const lock = lockDirectory(directory);
    const text = readFileSync(note(), 'utf8');
    lock.release();
    for (const left of [text, '{"pid":', '']) {
      writeFileSync(note(), left);
      expect(refusal()).toBeUndefined();
    }
  });

  it('is doubted if the process is another one: of another container, or of an earlier time', () => {
    const lock = lockDirectory(directory);
    const own = JSON.parse(readFileSync(note(), 'utf8'));
    for (const other of [
      { pid: 1, host: 'f3a9', identity: own.identity },
      { pid: process.pid, host: 'f3a9', identity: 'another boot' },
      { pid: 999_999_999, host: 'f3a9' },
    ]) {
      writeFileSync(note(), JSON.stringify(other));
      expect(refusal()).toBe(
        `StoreError: Another Landfall (perhaps process ${other.pid} on f3a9) is using ${directory}. ${advice}`,
      );
    }
    expect(own.host).toBe(hostname());
    lock.release();
  });

  it('is left out if it is unreadable', () => {
    const lock = lockDirectory(directory);
    const expected =
      `StoreError: Another Landfall is using ${directory}, or its file system can't lock files. ` +
      `${advice} The directory must be on a local disk.`;
    for (const left of ['', '{"pid":', 'null', '{"pid":"1"}']) {
      writeFileSync(note(), left);
      expect(refusal()).toBe(expected);
    }
    rmSync(note());
    expect(refusal()).toBe(expected);
    lock.release();
  });
});

describe('a directory that is unusable', () => {
  const hint =
    'Landfall must be able to write and lock files there. Set LANDFALL_DATA_DIR to a writable directory on a local disk.';

  it("is named with the reason if it can't be created or the lock is another file", () => {
    writeFileSync(join(directory, 'file'), '');
    const inFile = join(directory, 'file/data');
    expect(() => lockDirectory(inFile)).toThrow(
      new StoreError(
        `The lock file ${inFile}/landfall.lock can't be used: ENOTDIR: not a directory, mkdir '${inFile}'. ${hint}`,
      ),
    );
    const lock = join(directory, 'landfall.lock');
    writeFileSync(lock, 'x'.repeat(4096));
    expect(() => lockDirectory(directory)).toThrow(
      new StoreError(`The lock file ${lock} can't be used: file is not a database. ${hint}`),
    );
  });

  it("is named with the reason if this user can't write there", async () => {
    const user = startProcess({ args: process.getuid?.() === 0 ? ['65534'] : [] });
    const path = join(directory, 'landfall.lock');
    chmodSync(directory, 0o555);
    expect(await ask(user, directory)).toBe(
      `StoreError: The lock file ${path} can't be used: EACCES: permission denied, open '${path}'. ${hint}`,
    );
    chmodSync(directory, 0o755);
    writeFileSync(path, '');
    chmodSync(path, 0o444);
    chmodSync(directory, 0o555);
    expect(await ask(user, directory)).toBe(
      `StoreError: The lock file ${path} can't be used: attempt to write a readonly database. ${hint}`,
    );
    chmodSync(directory, 0o755);
  });
});

function startProcess(options: { args?: string[]; execArgv?: string[] } = {}): ChildProcess {
  const { args = [], execArgv = [] } = options;
  const child = fork(join(import.meta.dirname, '../support/lock-holder.ts'), args, { execArgv });
  children.push(child);
  return child;
}

async function ask(child: ChildProcess, message: string): Promise<string> {
  const answer = once(child, 'message');
  child.send(message);
  return String((await answer)[0]);
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
