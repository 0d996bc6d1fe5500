import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LifecycleEvent } from '../../src/workspaces/end-installation.ts';
import { createFakeOAuth, granted, openInstallations, orgWide, start } from '../support/installation.ts';
import { engines } from '../support/store-engines.ts';
import { useStore } from '../support/use-store.ts';

/** What somebody does at Slack. */
type Step = 'install' | 'uninstall' | 'revoke';

const steps = fc.array(
  fc.record({
    step: fc.constantFrom<Step>('install', 'uninstall', 'revoke'),
    /** Since the last step: at once, or after any doubt. */
    seconds: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 601, max: 100_000 })),
    /** How many steps later its events arrive, each time. */
    arrivals: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 3 }),
    /** By how many seconds Slack dates the event too late. */
    datedLate: fc.integer({ min: 0, max: 30 }),
    revokedFirst: fc.boolean(),
  }),
  { maxLength: 8 },
);

describe.each(engines)('installs, uninstalls and their events, $engine', ({ engine, open }) => {
  const store = useStore(open);

  it.each([
    ['a workspace', false],
    ['an organisation', true],
  ])('in any order, late and repeated, end in the state of the newest install of %s', async (_, isOrgWide) => {
    await fc.assert(
      fc.asyncProperty(steps, async (story) => {
        const { db } = store.database;
        await db.deleteFrom('workspaces').execute();
        await db.deleteFrom('installations').execute();
        const oauth = createFakeOAuth();
        const clock = { now: start };
        const installations = openInstallations(store.database, { oauth, clock });
        const waiting: { afterStep: number; event: LifecycleEvent }[] = [];
        const arrive = async (step: number) => {
          for (const { afterStep, event } of waiting)
            if (afterStep === step) await installations.endOlderThan(event);
        };
        let token: string | undefined;
        let installedAtMs = 0;
        for (const [index, { step, seconds, arrivals, datedLate, revokedFirst }] of story.entries()) {
          clock.now += seconds * 1_000;
          // Nothing can be uninstalled or revoked that is not installed.
          if (step === 'install') {
            if (token) oauth.accepted.delete(token);
            token = `xoxb-${index}`;
            oauth.accepted.add(token);
            installedAtMs = clock.now;
            const grant = { token, installedAt: new Date(clock.now) };
            await installations.save(isOrgWide ? orgWide(grant) : granted(grant));
            if (isOrgWide)
              await installations.find({ teamId: 'T1', enterpriseId: 'E1', isEnterpriseInstall: true });
          } else if (token) {
            oauth.accepted.delete(token);
            token = undefined;
            const at = new Date(clock.now + datedLate * 1_000);
            const place = isOrgWide
              ? { teamId: undefined, enterpriseId: 'E1', isOrgWide, at }
              : { teamId: 'T1', enterpriseId: undefined, isOrgWide, at };
            const events: LifecycleEvent[] = [{ ...place, kind: 'revoked' }];
            if (step === 'uninstall') events.push({ ...place, kind: 'uninstalled' });
            if (!revokedFirst) events.reverse();
            for (const delay of arrivals)
              for (const event of events) waiting.push({ afterStep: index + delay, event });
          }
          await arrive(index);
        }
        for (let step = story.length; step < story.length + 4; step += 1) await arrive(step);

        clock.now += 2_000;
        const newest = story.findLastIndex(({ step }) => step === 'install');
        // The first of the later steps ended it; others found nothing to end.
        const ending = newest < 0 ? 'uninstall' : story[newest + 1]?.step;
        const installed = await installations.get('T1');
        // After a revoke, an earlier uninstall that Slack dates too late can't be told from one of this installation.
        const looksUninstalled = waiting.some(
          ({ event: { kind, at } }) => kind === 'uninstalled' && at.getTime() >= installedAtMs,
        );
        if (installed || ending !== 'revoke' || !looksUninstalled)
          expect(installed && { isRevoked: installed.isRevoked }).toEqual(
            ending === 'uninstall' ? undefined : { isRevoked: ending === 'revoke' },
          );
        const id = isOrgWide ? 'E1' : 'T1';
        if (token) expect(await installations.botToken(id)).toBe(token);
        else await expect(installations.botToken(id)).rejects.toThrow('no valid token');
        const left = await db.selectFrom('workspaces').select('id').execute();
        expect(left).toEqual(installed ? [{ id: 'T1' }] : []);
      }),
      // The order of events is the same matter on both engines.
      { numRuns: engine === 'sqlite' ? 60 : 20 },
    );
  });
});
