import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createDrawer, type Drawer, DrawerBusyError, DrawingError } from '../../src/pictures/drawer.ts';
import { waitUntil } from '../support/wait-until.ts';
import { picture, pictureOf, placeAt } from './pictures.ts';

const faulty = fileURLToPath(new URL('faulty-process.ts', import.meta.url));
const titled = (title: string) => pictureOf([placeAt('NLRTM', 1)], { title });

const drawers: Drawer[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const drawer of drawers.splice(0)) drawer.close();
});
const start = (options: Parameters<typeof createDrawer>[0] = {}) => {
  const drawer = createDrawer({ timeoutMs: 30_000, ...options });
  drawers.push(drawer);
  return drawer;
};

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

interface Report {
  pid: number;
  env: Record<string, string>;
  execArgv: string[];
}
const reportOf = async (drawer: Drawer): Promise<Report> =>
  JSON.parse(Buffer.from(await drawer.draw(titled('fine'))).toString());

describe('the drawing process', () => {
  test.each(['src/pictures/process.ts', 'dist/pictures/process.js'])('%s draws PNG', async (script) => {
    const drawer = start({ script });
    const png = Buffer.from(await drawer.draw(picture));
    expect(png.subarray(0, 8)).toEqual(Buffer.from('89504e470d0a1a0a', 'hex'));
    // Width and height in the header, 1.4 times those of the SVG.
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1008, 1008]);
    const again = Buffer.from(await drawer.draw(picture));
    expect(again.equals(png)).toBe(true);
  });

  test('ends after 10 s without work', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const drawer = start({ script: faulty });
    const { pid } = await reportOf(drawer);
    vi.advanceTimersByTime(9_000);
    expect((await reportOf(drawer)).pid).toBe(pid);
    vi.advanceTimersByTime(9_999);
    expect(drawer.pid()).toBe(pid);
    vi.advanceTimersByTime(1);
    expect(drawer.pid()).toBeUndefined();
    vi.useRealTimers();
    await waitUntil('the process has ended', () => !isRunning(pid));
    expect((await reportOf(drawer)).pid).not.toBe(pid);
  });

  test('gets neither settings nor secrets, nor the options that may name an .env file', async () => {
    vi.stubEnv('ANALYTICS_PASSWORD', 'secret');
    const { env, execArgv } = await reportOf(start({ script: faulty }));
    vi.unstubAllEnvs();
    expect(Object.keys(env).filter((name) => !name.startsWith('NODE_CHANNEL'))).toEqual([]);
    expect(execArgv).toEqual(['--expose-gc', '--max-semi-space-size=4']);
  });
});

test('the process ends with the bot, and no other starts for those who waited', async () => {
  const drawer = start({ script: faulty });
  const { pid } = await reportOf(drawer);
  const waiting = ['hang', 'fine', 'fine'].map((title) => drawer.draw(titled(title)));
  drawer.close();
  const outcomes = await Promise.allSettled(waiting);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(drawer.pid()).toBeUndefined();
  await waitUntil('the process has ended', () => !isRunning(pid));
});

describe('a picture that fails', () => {
  test.each([
    ['crash', 'the drawing process ended (SIGSEGV)'],
    ['throw', 'the drawing process ended (3)'],
    ['refuse', 'this picture is impossible'],
  ])('%s: only that picture, and the next has a new process', async (title, why) => {
    const drawer = start({ script: faulty });
    const { pid } = await reportOf(drawer);
    const failing = drawer.draw(titled(title));
    const next = reportOf(drawer);
    await expect(failing).rejects.toThrow(new DrawingError(why));
    expect((await next).pid).not.toBe(pid);
  });

  test.each(['hang', 'block'])('%s: its time is limited, and those who wait get theirs', async (title) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const drawer = start({ script: faulty, timeoutMs: 5_000 });
    const { pid } = await reportOf(drawer);
    const failing = expect(drawer.draw(titled(title))).rejects.toThrow('the picture took more than 5000 ms');
    const next = reportOf(drawer);
    await vi.advanceTimersByTimeAsync(5_000);
    await failing;
    expect((await next).pid).not.toBe(pid);
    vi.useRealTimers();
    await waitUntil('the process has ended', () => !isRunning(pid));
  });
});

test('more pictures than may wait are refused at once; the others are drawn', async () => {
  const drawer = start({ script: faulty, maxWaiting: 2 });
  const accepted = [reportOf(drawer), reportOf(drawer)];
  await expect(drawer.draw(picture)).rejects.toThrow(DrawerBusyError);
  const [first, second] = await Promise.all(accepted);
  expect(second?.pid).toBe(first?.pid);
  await reportOf(drawer);
});
