import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFairQueue } from '../fair-queue.ts';
import type { MapPicture } from './map-picture.ts';

/** More people want a picture at this moment than can be served in reasonable time. */
export class DrawerBusyError extends Error {
  override readonly name = 'DrawerBusyError';
}

/** The picture can't be drawn, or the process that draws it failed or hung. It says nothing about the next picture. */
export class DrawingError extends Error {
  override readonly name = 'DrawingError';
}

export type Drawer = ReturnType<typeof createDrawer>;

/** `src/pictures/process.ts`, or its bundle: `dist/pictures/process.js` as seen from `dist/chunks`. */
const ownScript = fileURLToPath(
  new URL(`../pictures/process${extname(import.meta.filename)}`, import.meta.url),
);

/**
 * Draws in a process of its own, which starts with the first picture and ends when there has been nothing to draw for a
 * while: neither the bot's event loop nor its memory is touched. One picture at a time.
 */
export function createDrawer({
  script = ownScript,
  idleMs = 10_000,
  timeoutMs = 5_000,
  maxWaiting = 8,
}: {
  script?: string;
  idleMs?: number;
  /** For one picture, the start of the process included. */
  timeoutMs?: number | undefined;
  /** Pictures that may wait or be drawn at a time. */
  maxWaiting?: number;
} = {}) {
  let child: ChildProcess | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  const queue = createFairQueue({ max: () => 1 });
  const countUnderWay = () => queue.taken() + queue.waiting();
  let isClosed = false;

  const end = () => {
    clearTimeout(idleTimer);
    child?.kill('SIGKILL');
    child = undefined;
  };

  function current(): ChildProcess {
    if (child) return child;
    const started = startProcess(script);
    child = started;
    // Failures belong to the picture that is being drawn; one without a listener would end the bot.
    started.on('error', () => undefined);
    // It ended on its own, between two pictures or in the middle of one.
    started.once('exit', () => {
      if (child === started) child = undefined;
    });
    return started;
  }

  async function drawNow(map: MapPicture): Promise<Uint8Array> {
    if (isClosed) throw new DrawingError('the bot has stopped');
    try {
      return await replyOf(current(), map, timeoutMs);
    } catch (error) {
      // It may hang, or still send the answer to this question.
      end();
      throw error;
    }
  }

  return {
    /** PNG. Throws DrawerBusyError or DrawingError. */
    async draw(map: MapPicture): Promise<Uint8Array> {
      const underWay = countUnderWay();
      if (underWay >= maxWaiting) throw new DrawerBusyError(`${underWay} pictures are waiting to be drawn`);
      clearTimeout(idleTimer);
      try {
        return await queue.run(() => drawNow(map));
      } finally {
        if (countUnderWay() === 0) idleTimer = setTimeout(end, idleMs).unref();
      }
    },
    /** The id of the process that draws; undefined while there is none. */
    pid: () => child?.pid,
    /** Ends the process. Those who wait get DrawingError. */
    close() {
      isClosed = true;
      end();
    },
  };
}

function startProcess(script: string): ChildProcess {
  const child = fork(script, [], {
    // No settings and no secrets: neither the bot's environment nor its options, which may name an .env file.
    env: {},
    // A small heap for new objects halves the memory, which goes into reading the coast.
    execArgv: ['--expose-gc', '--max-semi-space-size=4'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  // It must not keep a bot alive that wants to end.
  child.unref();
  child.channel?.unref();
  return child;
}

function replyOf(child: ChildProcess, map: MapPicture, timeoutMs: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => settle(() => reject(new DrawingError(why)));
    const onMessage = (message: unknown) => {
      const reply = message as { png: Uint8Array } | { error: string }; // process.ts sends nothing else
      if ('png' in reply) settle(() => resolve(reply.png));
      else fail(reply.error);
    };
    const onExit = (code: number | null, signal: string | null) =>
      fail(`the drawing process ended (${signal ?? code})`);
    const onError = (error: Error) => fail(`the drawing process failed: ${error.message}`);
    const timer = setTimeout(() => fail(`the picture took more than ${timeoutMs} ms`), timeoutMs);
    const settle = (done: () => void) => {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onExit).off('error', onError);
      done();
    };
    child.on('message', onMessage).on('exit', onExit).on('error', onError);
    child.send(map, (error) => error && onError(error));
  });
}
