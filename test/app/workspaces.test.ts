import { setImmediate } from 'node:timers/promises';
import { beforeEach, expect, test, vi } from 'vitest';
import { createWorkspaces, type ServedWorkspace } from '../../src/app/installs.ts';
import type { Workspace } from '../../src/app/workspace.ts';
import { StoreUnavailable } from '../../src/errors.ts';
import type { Job } from '../../src/features/feature.ts';
import { createStoreLogger } from '../support/store-logger.ts';

let nowMs: number;
let installed: Map<string, ServedWorkspace>;
let isStoreGone: boolean;
let isStoreSilent: boolean;
let loads: string[];
beforeEach(() => {
  nowMs = 1_000_000;
  installed = new Map();
  isStoreGone = false;
  isStoreSilent = false;
  loads = [];
  install('T1');
});

function install(
  teamId: string,
  { botUserId = 'U0BOT', enterpriseId = '', isPaused = false, addedAt = new Date(0) } = {},
) {
  const installation = { teamId, teamName: '', enterpriseId, botUserId, botId: undefined };
  installed.set(teamId, { installation, addedAt, isPaused, getToken: async () => 'xoxb-1' });
}

const workspacesOf = ({
  max = 10,
  load = async ({ installation }: ServedWorkspace) => ({ slack: { installation } }),
}: {
  max?: number;
  load?: (installed: ServedWorkspace) => Promise<unknown>;
} = {}) =>
  createWorkspaces({
    async read(id) {
      if (isStoreSilent) await new Promise(() => {});
      if (isStoreGone) throw new StoreUnavailable('gone');
      return installed.get(id);
    },
    async load(installed) {
      loads.push(installed.installation.teamId);
      // A container, of which only this is used here.
      return (await load(installed)) as Workspace;
    },
    realNow: () => nowMs,
    logger: createStoreLogger(),
    max,
  });

test('many deliveries at once load a workspace once, and it stays warm', async () => {
  const workspaces = workspacesOf();
  const opened = await Promise.all(Array.from({ length: 100 }, () => workspaces.open('T1')));
  expect(new Set(opened).size).toBe(1);
  nowMs += 3_600_000;
  expect(await workspaces.open('T1')).toBe(opened[0]);
  expect(loads).toEqual(['T1']);
});

test('an unknown workspace is not loaded, and found within a second of its install', async () => {
  const workspaces = workspacesOf();
  expect(await workspaces.open('T2')).toBeUndefined();
  install('T2');
  expect(await workspaces.open('T2')).toBeUndefined();
  nowMs += 1_001;
  expect(await workspaces.open('T2')).toBeDefined();
});

test('an uninstall in another process ends it within a second; in this one, at once', async () => {
  const workspaces = workspacesOf();
  const before = await workspaces.open('T1');
  installed.delete('T1');
  nowMs += 1_001;
  expect(await workspaces.open('T1')).toBeUndefined();
  install('T1');
  workspaces.dropEnded({ outcome: 'ended', workspaceIds: ['T1'] });
  expect(await workspaces.open('T1')).not.toBe(before);
});

test.each<[string, Parameters<typeof install>[1]]>([
  ['an uninstall and an install in another process', { addedAt: new Date(1) }],
  ['a re-install with another bot user', { botUserId: 'U0NEW' }],
  ['a change of the organisation, whose people count as its own', { enterpriseId: 'E1' }],
])('after %s it is loaded anew, once', async (_, change) => {
  const workspaces = workspacesOf();
  const before = await workspaces.open('T1');
  install('T1', change);
  nowMs += 1_001;
  const opened = await Promise.all(Array.from({ length: 10 }, () => workspaces.open('T1')));
  expect(new Set(opened).size).toBe(1);
  expect(opened[0]).not.toBe(before);
  expect(loads).toEqual(['T1', 'T1']);
});

test('only so many stay warm: those that were used last', async () => {
  for (const id of ['T2', 'T3']) install(id);
  const workspaces = workspacesOf({ max: 2 });
  for (const id of ['T1', 'T2', 'T1', 'T3', 'T1', 'T2']) await workspaces.open(id);
  expect(loads).toEqual(['T1', 'T2', 'T3', 'T2']);
});

test('a load that fails is tried again', async () => {
  let failures = 1;
  const workspaces = workspacesOf({
    async load({ installation }) {
      if (failures-- > 0) throw new Error('no answer');
      return { slack: { installation } };
    },
  });
  await expect(workspaces.open('T1')).rejects.toThrow('no answer');
  expect(await workspaces.open('T1')).toBeDefined();
});

test('while the store does not answer, warm workspaces go on as they were', async () => {
  const workspaces = workspacesOf();
  const before = await workspaces.open('T1');
  isStoreGone = true;
  nowMs += 1_001;
  expect(await workspaces.open('T1')).toBe(before);
  expect(await workspaces.isPaused('T1')).toBe(false);
  await expect(workspaces.open('T2')).rejects.toThrow(StoreUnavailable);
});

test('a pause shows within a second, and an unknown workspace counts as paused', async () => {
  const workspaces = workspacesOf();
  expect(await workspaces.isPaused('T1')).toBe(false);
  install('T1', { isPaused: true });
  nowMs += 1_001;
  expect(await workspaces.isPaused('T1')).toBe(true);
  expect(await workspaces.isPaused('T9')).toBe(true);
});

test('due work is not done while a workspace is paused; a pause ends the claims of a turn under way', async () => {
  const jobOf = (turn: (mayClaim: () => boolean) => Promise<void>): Job => ({
    name: 'polls',
    runDue: (_, mayClaim) => turn(mayClaim),
  });
  const claims: boolean[] = [];
  const job = jobOf(async (mayClaim) => {
    claims.push(mayClaim());
    install('T1', { isPaused: true });
    nowMs += 1_001;
    // This call reads again, and the next one knows.
    mayClaim();
    await setImmediate();
    claims.push(mayClaim());
  });
  const workspaces = workspacesOf({
    load: async (installation) => ({ installation, jobs: new Map([['polls', job]]) }),
  });
  await (await workspaces.openJob('T1', 'polls'))?.runDue(new Date(), () => true);
  expect(claims).toEqual([true, false]);
  expect(await workspaces.openJob('T1', 'polls')).toBeUndefined();
  install('T1');
  nowMs += 1_001;
  const resumed = await workspaces.openJob('T1', 'polls');
  await resumed?.runDue(new Date(), () => false);
  expect(claims.slice(2)).toEqual([false, false]);
  expect(await workspaces.openJob('T1', 'digests')).toBeUndefined();
  expect(await workspaces.openJob('T2', 'polls')).toBeUndefined();
});

test('a store that is silent holds up only what was never read', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const workspaces = workspacesOf();
    const before = await workspaces.open('T1');
    isStoreSilent = true;
    nowMs += 1_001;
    const opened = workspaces.open('T1');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await opened).toBe(before);
  } finally {
    vi.useRealTimers();
  }
});
