import { sql } from 'kysely';
import { tablesOfWorkspaces } from '../every-table.ts';
import { direct } from '../statements/direct.ts';
import type { Process, TeamId } from './process.ts';
import type { Recorded } from './recorded-slack.ts';

/** What a workspace got, in the end: what Slack was asked to do there, and its rows. */
export interface Outcome {
  transcript: Record<string, string[]>;
  rows: Record<string, string[]>;
}

export async function outcomeOf(bot: Process, team: TeamId): Promise<Outcome> {
  const { transcript } = bot.slackOf(team);
  return { transcript: placesIn(transcript), rows: await rowsOf(bot, team) };
}

/** What happened to one message or in one channel has an order; in two, it may happen at the same time. */
function placesIn(transcript: readonly Recorded[]): Record<string, string[]> {
  const byPlace = Map.groupBy(transcript, ({ method, args }) =>
    [method, args.channel, args.ts, args.user, args.user_id, args.users]
      .map((part) => String(part ?? ''))
      .join(' '),
  );
  const places = [...byPlace].sort(([one], [other]) => (one < other ? -1 : 1));
  const mask = createMask();
  return Object.fromEntries(
    places.map(([place, recorded]) => [
      place,
      recorded.map(({ args }) => mask(withoutReferences(JSON.stringify(args)))),
    ]),
  );
}

/** Of processes, and those with other values at each encryption. */
const ofProcess = /^(?:lease|sealed)_/;

/** The rows of every table, without what belongs to the processes that use the store. */
async function rowsOf({ db }: Process, team: TeamId): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  const mask = createMask();
  for (const table of tablesOfWorkspaces) {
    if (table === 'leases' || table === 'logins') continue;
    const column = table === 'workspaces' || table === 'installations' ? 'id' : 'workspace_id';
    const found = await sql<Record<string, unknown>>`
      select * from ${sql.table(table)} where ${sql.ref(column)} = ${team}`.execute(direct(db));
    const stored = inOrder(found.rows).map((row) => {
      const columns = Object.entries(row).filter(([name]) => !ofProcess.test(name));
      return withoutReferences(JSON.stringify(columns.sort()));
    });
    // Messages to several threads may be written in any order, so their ids say only who made them.
    const texts = table === 'outbox' ? stored.map((text) => text.replaceAll(ids, '$1')) : stored;
    const byContent = texts.map((text) => ({ text, content: text.replaceAll(ids, '') }));
    byContent.sort((one, other) => (one.content + one.text < other.content + other.text ? -1 : 1));
    rows[table] = byContent.map(({ text }) => mask(text));
  }
  return rows;
}

/** The number of a message of the outbox counts those of its thread. */
function inOrder(rows: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  const sorted = rows.toSorted((one, other) => Number(one.sequence ?? 0) - Number(other.sequence ?? 0));
  return [...Map.groupBy(sorted, (row) => row.thread_key).values()].flatMap((thread) =>
    thread.map((row, index) => ({ ...row, ...('sequence' in row && { sequence: index }) })),
  );
}

/** Ids made by a workspace, and ids that are hashes. */
const ids = /\b(t\d)-\d{4}[ab]-\d{4}\b|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12,}\b/g;

/** References to the log are random: `ref 7K3F` in texts, `"ref":"7K3F"` in JSON. */
const withoutReferences = (text: string): string =>
  text.replaceAll(/(?<=(?<![a-z])ref[\\": ]+)[2-9A-HJ-NP-Z]{6}(?![0-9A-Za-z])/g, 'REF');

/** Replaces ids by numbers, in the order in which they appear. Those that a workspace made keep its name. */
function createMask(): (text: string) => string {
  const numbers = new Map<string, string>();
  return (text) =>
    text.replaceAll(ids, (id, team: string | undefined) => {
      const known = numbers.get(id) ?? `${team ?? 'hash'}#${numbers.size + 1}`;
      numbers.set(id, known);
      return known;
    });
}
