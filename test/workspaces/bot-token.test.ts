import { beforeEach, describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../../src/errors.ts';
import type { Installations } from '../../src/workspaces/installations.ts';
import { aroundStatements, failAfter } from '../support/fail-after.ts';
import {
  createFakeOAuth,
  type FakeOAuth,
  granted,
  hourMs,
  openInstallations,
  start,
} from '../support/installation.ts';
import { engines, expireLeases } from '../support/store-engines.ts';
import { useEmptyStore } from '../support/use-store.ts';

/** A token that Slack rotates: it lives for 12 h. */
const rotated = granted({ refreshToken: 'xoxe-0', expiresAt: new Date(start + 12 * hourMs) });

describe.each(engines)('a token that is rotated, $engine', ({ open }) => {
  const store = useEmptyStore(open);
  let oauth: FakeOAuth;
  let clock: { now: number };
  let installations: Installations;
  beforeEach(async () => {
    oauth = createFakeOAuth();
    clock = { now: start };
    installations = openInstallations(store.database, { oauth, clock });
    await installations.save(rotated);
  });

  const token = () => installations.botToken('T1');
  const later = (ms: number) => {
    clock.now = start + ms;
  };

  it('is used as it is until 2 h before its end', async () => {
    later(10 * hourMs);
    expect(await token()).toBe('xoxb-first');
    await installations.settled();
    expect(oauth.refreshes).toBe(0);
    // Then it is refreshed while the old one serves, and stored for all processes.
    later(10 * hourMs + 1);
    expect(await token()).toBe('xoxb-first');
    await installations.settled();
    expect(await token()).toBe('xoxb-refreshed-1');
    const other = openInstallations(await store.another(), { oauth, clock });
    expect(await other.botToken('T1')).toBe('xoxb-refreshed-1');
    later(20 * hourMs);
    expect(await token()).toBe('xoxb-refreshed-1');
    later(21 * hourMs);
    await token();
    await installations.settled();
    expect(await token()).toBe('xoxb-refreshed-2');
    expect(oauth.refreshes).toBe(2);
  });

  it.each([
    ['before its end', 11 * hourMs],
    ['after its end', 13 * hourMs],
  ])('is refreshed once by 100 requests at the same time in two processes, %s', async (_, ms) => {
    later(ms);
    const other = openInstallations(await store.another(), { oauth, clock });
    const isOver = ms > 12 * hourMs;
    const asked = Array.from({ length: 100 }, (_, index) =>
      (index % 2 ? other : installations).botToken('T1'),
    );
    const tokens = new Set(await Promise.all(asked));
    await Promise.all([installations.settled(), other.settled()]);
    expect(oauth.refreshes).toBe(1);
    if (isOver) expect([...tokens]).toEqual(['xoxb-refreshed-1']);
    clock.now += 1_001;
    expect([await token(), await other.botToken('T1')]).toEqual(['xoxb-refreshed-1', 'xoxb-refreshed-1']);
    expect(oauth.refreshes).toBe(1);
  });

  it('is kept if the refresh fails, and refreshed again after a minute', async () => {
    later(11 * hourMs);
    oauth.fault = async () => {
      throw new Error('Slack does not answer');
    };
    for (let request = 0; request < 3; request += 1) {
      expect(await token()).toBe('xoxb-first');
      await installations.settled();
    }
    expect(oauth.refreshes).toBe(1);
    oauth.fault = undefined;
    clock.now += 60_000;
    await token();
    await installations.settled();
    expect(await token()).toBe('xoxb-refreshed-2');
  });

  it('of a process that died during the refresh is refreshed by another when the lease has ended', async () => {
    later(13 * hourMs);
    // Lets it read the token, take the lease, and read the token again.
    const db = store.database.db.withPlugin(failAfter(3));
    oauth.fault = async () => {
      throw new Error('it died before Slack was asked');
    };
    await expect(openInstallations({ db }, { oauth, clock }).botToken('T1')).rejects.toThrow();
    oauth.fault = undefined;
    let polls = 0;
    const other = openInstallations(store.database, {
      oauth,
      clock,
      async wait() {
        polls += 1;
        if (polls === 3) await expireLeases(store.database);
      },
    });
    expect(await other.botToken('T1')).toBe('xoxb-refreshed-2');
    expect(polls).toBe(3);
  });

  it('that Slack calls expired too early is refreshed once, however late the other requests are refused', async () => {
    const old = await token();
    for (let request = 0; request < 3; request += 1) {
      expect(await installations.expireToken('T1', old)).toBe(true);
      expect(await token()).toBe('xoxb-refreshed-1');
    }
    expect(oauth.refreshes).toBe(1);
  });

  it('is stored in the end if the database fails for a moment after Slack has answered', async () => {
    later(13 * hourMs);
    let isDown = false;
    let waits = 0;
    const before = () => {
      if (isDown) throw new Error('the database does not answer');
    };
    const db = store.database.db.withPlugin(aroundStatements({ before }));
    const { refresh } = oauth;
    oauth.refresh = async (refreshToken) => {
      isDown = true;
      return await refresh(refreshToken);
    };
    const flaky = openInstallations(
      { db },
      {
        oauth,
        clock,
        async wait() {
          waits += 1;
          isDown = waits < 3;
        },
      },
    );
    expect(await flaky.botToken('T1')).toBe('xoxb-refreshed-1');
    expect(waits).toBe(3);
    expect(await token()).toBe('xoxb-refreshed-1');
  });

  it('of a process that died before it stored the answer serves until its end; then the app is no longer installed', async () => {
    later(11 * hourMs);
    await oauth.refresh('xoxe-0');
    expect(await token()).toBe('xoxb-first');
    await installations.settled();
    expect(oauth.refreshes).toBe(2);
    expect(await token()).toBe('xoxb-first');
    expect((await installations.get('T1'))?.isRevoked).toBe(false);
    later(12 * hourMs);
    await expect(token()).rejects.toThrow('has expired');
    expect((await installations.get('T1'))?.isRevoked).toBe(true);
    await installations.save({
      ...rotated,
      token: 'xoxb-again',
      refreshToken: 'xoxe-again',
      expiresAt: new Date(clock.now + 12 * hourMs),
      installedAt: new Date(clock.now),
    });
    expect(await token()).toBe('xoxb-again');
  });

  it('serves on while the database does not answer', async () => {
    let isDown = false;
    const before = () => {
      if (isDown) throw new StoreUnavailable('the database does not answer');
    };
    const db = store.database.db.withPlugin(aroundStatements({ before }));
    const flaky = openInstallations({ db }, { oauth, clock });
    expect(await flaky.botToken('T1')).toBe('xoxb-first');
    isDown = true;
    later(11 * hourMs);
    expect(await flaky.botToken('T1')).toBe('xoxb-first');
    await flaky.settled();
    later(12 * hourMs);
    await expect(flaky.botToken('T1')).rejects.toThrow('does not answer');
    isDown = false;
    expect(await flaky.botToken('T1')).toBe('xoxb-refreshed-1');
  });

  it('is asked about at Slack with a fresh token, once the old one has expired', async () => {
    later(13 * hourMs);
    const revoked = { kind: 'revoked', teamId: 'T1', enterpriseId: undefined, isOrgWide: false } as const;
    expect(await installations.endOlderThan({ ...revoked, at: new Date(clock.now) })).toEqual({
      outcome: 'ignored',
    });
    expect(await token()).toBe('xoxb-refreshed-1');
  });

  it('is still valid if Slack reports the old one revoked during the refresh', async () => {
    later(13 * hourMs);
    const { refresh } = oauth;
    oauth.refresh = async (refreshToken) => {
      const answer = await refresh(refreshToken);
      await store.database.db
        .updateTable('installations')
        .set({ revoked_at: new Date(clock.now) })
        .execute();
      return answer;
    };
    expect(await token()).toBe('xoxb-refreshed-1');
    expect((await installations.get('T1'))?.isRevoked).toBe(false);
  });

  it('does not replace the token of an install that came during the refresh', async () => {
    later(11 * hourMs);
    const { refresh } = oauth;
    const again = { token: 'xoxb-again', refreshToken: 'xoxe-again', installedAt: new Date(clock.now) };
    oauth.refresh = async (refreshToken) => {
      await installations.save({ ...rotated, ...again, expiresAt: new Date(clock.now + 12 * hourMs) });
      return await refresh(refreshToken);
    };
    await token();
    await installations.settled();
    expect(await token()).toBe('xoxb-again');
  });
});
