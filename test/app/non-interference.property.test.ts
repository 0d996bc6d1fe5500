import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { engines } from '../support/store-engines.ts';
import { startCannedService } from '../support/two-workspaces/canned-service.ts';
import { teamIds } from '../support/two-workspaces/process.ts';
import { type Carried, play, stories } from '../support/two-workspaces/run-story.ts';
import { useStarted } from '../support/use-started.ts';
import { useStore } from '../support/use-store.ts';

/** For a long search: as many runs on each engine. */
const { FAST_CHECK_RUNS } = process.env;
const oneDayMs = 24 * 3_600_000;

describe.each(engines)('two workspaces of one process on $engine', ({ engine, open }) => {
  const store = useStore(open);
  const service = useStarted(startCannedService);

  test(
    'each gets what it gets alone',
    async () => {
      const { database } = store;
      await fc.assert(
        fc.asyncProperty(stories, async (story) => {
          const carried: Carried = new Map();
          const together = await play(story, { database, service, carried });
          for (const team of teamIds) {
            const alone = await play(story, { database, service, carried, teams: [team] });
            expect(together[team]).toEqual(alone[team]);
          }
        }),
        FAST_CHECK_RUNS === undefined
          ? { numRuns: engine === 'sqlite' ? 4 : 2 }
          : { numRuns: Number(FAST_CHECK_RUNS), interruptAfterTimeLimit: oneDayMs },
      );
    },
    FAST_CHECK_RUNS === undefined ? undefined : oneDayMs,
  );
});
