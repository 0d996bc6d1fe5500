import { addDays } from 'date-fns/addDays';
import { describe, expect, it } from 'vitest';
import { storeOf } from '../../src/database/workspace-store.ts';
import { alertEvents } from '../../src/features/alerts/alert.ts';
import type { WatchEvent } from '../../src/features/rules/list.ts';
import { chooseRules } from '../../src/features/rules/registry.ts';
import type { Imo } from '../../src/reference/codes.ts';
import { allPorts, canonicalPort } from '../../src/reference/ports.ts';
import { killWhile } from '../support/crash-kill.ts';
import { unsentCount } from '../support/crash-outbox.ts';
import { createRandom } from '../support/crash-random.ts';
import { type CrashWatch, type CrashWorld, crashEngines, startCrashWorld } from '../support/crash-world.ts';
import { direct } from '../support/statements/direct.ts';
import { useStarted } from '../support/use-started.ts';
import { waitUntil } from '../support/wait-until.ts';
import { createAlertStore } from '../support/watch-stores.ts';

const trials = Number(process.env.CRASH_TRIALS);
const seed = Number(process.env.CRASH_SEED ?? 1);
const imos = [9461477, 9755933, 9811000] as Imo[];
// A new one in each round: if a port came back, the alerts of two rounds would be the same.
const ports = allPorts().filter(({ locode }) => canonicalPort(locode) === locode);
const channels = ['C0OPS00001', 'C0CHARTER1'];

/** A dispute begins, its figures change, and it is over when the other port leads by far. */
const phases = [
  { shown: 'begun', own: 0.5, rival: 0.48 },
  { shown: 'changed', own: 0.57, rival: 0.43 },
  { shown: 'over', own: 0.1, rival: 0.9 },
] as const;

// Both at once: most of a trial waits for the leases of killed instances to expire.
describe.concurrent.each(crashEngines)('on %s', (engine) => {
  const random = createRandom(seed);
  const world = useStarted(() => startCrashWorld(engine));

  it(
    `a dispute has one reply, which shows how it ended, whenever instances are killed (${trials} trials, seed ${seed})`,
    async () => {
      const { instances, database, service } = world;
      const eta = addDays(new Date(), 8).toISOString();
      let answer: Record<string, number> = { [portOf(0)]: 0.9 };
      service.answer = ({ path }) => {
        const imo = Number(/\/nextport\/vessel\/(\d+)\//.exec(path)?.[1]);
        const predictions = Object.entries(answer).map(([port, probability]) => ({
          un_location_code: port,
          eta_datetime: eta,
          probability,
          vessel_imo_number: imo,
        }));
        return { body: { predictions } };
      };
      const rules = chooseRules({ undecided: true, diverted: true }, { only: true });
      const watches = await world.begin(channels, imos, rules);
      const expected = new Map<string, string>();
      for (let trial = 0; trial < trials; trial += 1) {
        const { shown, own, rival } = phases[trial % phases.length] ?? phases[0];
        const round = Math.floor(trial / phases.length);
        for (const { id } of watches)
          for (const imo of imos) {
            expected.set(`${id} ${imo} undecided ${portOf(round)}`, shown);
            if (shown === 'over') expected.set(`${id} ${imo} diverted ${portOf(round)}`, '');
          }
        const { moment } = await killWhile(world, {
          random,
          maxRequests: 16,
          work: async () => {
            answer = { [portOf(round)]: own, [portOf(round + 1)]: rival };
            if (shown === 'changed') await assignAll(world, watches);
          },
        });
        instances.start();
        const inOrder = JSON.stringify([...expected].sort());
        await waitUntil(
          `everything is shown in trial ${trial}, killed ${moment}`,
          async () =>
            JSON.stringify((await storedAlerts(world)).map(({ key, shown }) => [key, shown]).sort()) ===
              inOrder && (await unsentCount(database)) === 0,
        );
        const alerts = await storedAlerts(world);
        const assignments = await idsOf(world, 'assignment');
        expect(assignments).toHaveLength(watches.length * Math.floor((trial + 2) / phases.length));
        const inSlack = (await world.read(watches)).map(({ id, json }) =>
          assignments.includes(id) ? [id, 'assignment'] : [id, shownIn(json)],
        );
        expect(inSlack.sort(), `trial ${trial}, killed ${moment}`).toEqual(
          [
            ...assignments.map((id) => [id, 'assignment']),
            ...alerts.map(({ messageId, shown }) => [messageId, shown]),
          ].sort(),
        );
      }
      expect(instances.failures()).toEqual([]);
    },
    60_000 + trials * 60_000,
  );
});

const portOf = (round: number): string => ports[round]?.locode ?? '';

function shownIn(json: string): string {
  if (json.includes('No longer undecided')) return 'over';
  if (!json.includes('(since ')) return '';
  return json.includes('57%') && json.includes('43%') ? 'changed' : 'begun';
}

/** What the store knows of all alerts. */
async function storedAlerts({ database: { db } }: CrashWorld) {
  const rows = await direct(db).selectFrom('alerts').selectAll().execute();
  return rows.flatMap(({ watch_id, message_id: messageId, events }) =>
    alertEvents.parse(events).map((event) => ({ messageId, ...stored(watch_id, event) })),
  );
}

function stored(watchId: string, event: WatchEvent): { key: string; shown: string } {
  switch (event.kind) {
    case 'undecided': {
      const begun = event.now.probability === phases[0].own ? 'begun' : 'changed';
      return { key: `${watchId} ${event.imo} undecided ${event.was.port}`, shown: event.end?.kind ?? begun };
    }
    case 'diverted':
      return { key: `${watchId} ${event.imo} diverted ${event.was.port}`, shown: '' };
    default:
      return { key: event.kind, shown: '' };
  }
}

async function idsOf({ database: { db } }: CrashWorld, kind: string): Promise<string[]> {
  const rows = await direct(db).selectFrom('outbox').select('id').where('kind', '=', kind).execute();
  return rows.map(({ id }) => id);
}

/** As somebody does in Slack. */
async function assignAll({ database: { db } }: CrashWorld, watches: readonly CrashWatch[]): Promise<void> {
  const { id: workspaceId } = await db.selectFrom('workspaces').select('id').executeTakeFirstOrThrow();
  const alerts = createAlertStore({ store: storeOf(db, workspaceId), newId: () => crypto.randomUUID() });
  const by = { actorId: 'U0ADA0001', now: new Date(), realNow: new Date() };
  for (const { id: watchId } of watches) await alerts.assign({ watchId, assigneeId: 'U0BEN0001' }, by);
}
