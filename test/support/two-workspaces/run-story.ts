import fc from 'fast-check';
import type { Database } from '../../../src/database/connect.ts';
import { tableNames } from '../../../src/database/schema.ts';
import { direct } from '../statements/direct.ts';
import { type AccountState, type CannedService, goodPassword } from './canned-service.ts';
import { type Operation, operations, perform, targetOf } from './operations.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { operatorsKey, startProcess, type TeamId, teamIds } from './process.ts';
import { channels, people } from './recorded-slack.ts';

/** What happens at the same time in the workspaces; then both clocks go on, and all due work is done. */
interface Step {
  T1: Operation | null;
  T2: Operation | null;
  minutes: number;
  /** A change at the service, of one of the accounts. */
  account: { key: string; state: AccountState } | null;
}

const one = { apiKey: 'key-one', password: goodPassword };
/** Accounts at the service: one each, the same for both, or the operator's. An impostor doesn't know the password. */
const accountsOf = {
  own: { T1: one, T2: { ...one, apiKey: 'key-second' } },
  same: { T1: one, T2: one },
  impostor: { T1: one, T2: { ...one, password: 'a guess' } },
  operators: { T1: undefined, T2: undefined },
};

export interface Story {
  /** The workspaces in which an organisation installs the app; the others do it themselves. */
  orgWide: readonly TeamId[];
  accounts: keyof typeof accountsOf;
  steps: readonly Step[];
}

const minutes = fc.constantFrom(0, 1, 20, 60, 240, 24 * 60);
const account = fc.record({
  key: fc.constantFrom('key-one', 'key-second', operatorsKey),
  state: fc.record({
    version: fc.nat({ max: 3 }),
    isForbidden: fc.oneof(
      { weight: 5, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
  }),
});

const typed = (where: string, line: string): Operation => ({
  kind: 'type',
  userId: people.ada,
  where,
  line,
});
const begun = (operation: Operation): Step => ({ T1: operation, T2: operation, minutes: 0, account: null });
/** Things that later steps can change. */
const beginning = [
  begun(typed(channels.ops, 'vessel fleet NORTH add 9461477, 9811000')),
  begun(typed(channels.ops, 'watch 9461477')),
  begun(typed(channels.connect, 'digest add daily 10:00 UTC: nextport 9461477; portcalls NLRTM')),
];

export const stories: fc.Arbitrary<Story> = fc.record({
  orgWide: fc.subarray([...teamIds]),
  accounts: fc.constantFrom('own', 'same', 'impostor', 'operators'),
  steps: fc
    .array(
      fc.record({
        T1: fc.option(operations, { freq: 5 }),
        T2: fc.option(operations, { freq: 5 }),
        minutes,
        account: fc.option(account, { freq: 1 }),
      }),
      { minLength: 4, maxLength: 16 },
    )
    .map((steps) => [...beginning, ...steps]),
});

/** By team and step: the things of the other workspace that a delivery carried. */
export type Carried = Map<string, ReturnType<typeof targetOf>>;

/**
 * Plays a story with all workspaces, or with only some of them. With all, `carried` collects what deliveries carried of
 * the other workspace; otherwise they carry the same again, which then nobody knows.
 */
export async function play(
  { steps, accounts, orgWide }: Story,
  {
    database,
    service,
    teams = teamIds,
    carried,
  }: { database: Database; service: CannedService; teams?: readonly TeamId[]; carried: Carried },
): Promise<Record<TeamId, Outcome>> {
  await clear(database);
  service.accounts.clear();
  const bot = await startProcess({ database, service, accounts: accountsOf[accounts], orgWide });
  try {
    for (const team of teams) {
      await bot.install(team);
      await bot.connect(team);
    }
    for (const [index, { minutes, account, ...operationOf }] of steps.entries()) {
      const step = String(index).padStart(4, '0');
      bot.begin(`${step}a`);
      const planned = teams.map((team) => {
        const operation = operationOf[team];
        return { team, step: index, operation, target: operation && chooseTarget(operation, team, index) };
      });
      await Promise.all(
        planned.map(async ({ operation, target, ...by }) => {
          if (operation) await perform(bot, { ...by, operation, target: target ?? undefined });
        }),
      );
      await bot.settled();
      if (account) service.accounts.set(account.key, account.state);
      bot.clock.ms += minutes * 60_000 + 2_000;
      bot.begin(`${step}b`);
      await bot.runDue();
      await bot.settled();
    }
  } finally {
    await bot.stop();
  }
  return { T1: await outcomeOf(bot, 'T1'), T2: await outcomeOf(bot, 'T2') };

  function chooseTarget(operation: Operation, team: TeamId, step: number) {
    if (!('theirs' in operation && operation.theirs)) return targetOf(operation, bot.slackOf(team));
    const key = `${team} ${step}`;
    if (!carried.has(key)) carried.set(key, targetOf(operation, bot.slackOf(team === 'T1' ? 'T2' : 'T1')));
    return carried.get(key);
  }
}

async function clear({ db }: Database): Promise<void> {
  for (const table of tableNames.toReversed()) await direct(db).deleteFrom(table).execute();
}
