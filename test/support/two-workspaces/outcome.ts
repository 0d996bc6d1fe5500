import { sql } from 'kysely';
import { tableNames } from '../../../src/database/tables.ts';
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

/** What happened in one place has an order; in two places, it may happen at the same time. */
function placesIn(transcript: readonly Recorded[]): Record<string, string[]> {
  const byPlace = Map.groupBy(transcript, ({ method, args }) =>
    [method, args.channel, args.user, args.user_id].map((part) => String(part ?? '')).join(' '),
  );
  const places = [...byPlace].sort(([one], [other]) => (one < other ? -1 : 1));
  const mask = createMask();
  return Object.fromEntries(
    places.map(([place, recorded]) => [place, recorded.map(({ args }) => mask(JSON.stringify(args)))]),
  );
}

/** Of processes, and those with other values at each encryption. */
const ofProcess = /^(?:lease|sealed)_/;

/** The rows of every table, without what belongs to the processes that use the store. */
async function rowsOf({ db }: Process, team: TeamId): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  const mask = createMask();
  for (const table of tableNames) {
    if (table === 'leases' || table === 'logins') continue;
    const column = table === 'workspaces' || table === 'installations' ? 'id' : 'workspace_id';
    const found = await sql<Record<string, unknown>>`
      select * from ${sql.table(table)} where ${sql.ref(column)} = ${team}`.execute(direct(db));
    const stored = found.rows
      .toSorted((one, other) => Number(one.sequence ?? 0) - Number(other.sequence ?? 0))
      .map((row, index) => ({ ...row, ...('sequence' in row && { sequence: index }) }))
      .map((row) =>
        JSON.stringify(
          Object.entries(row)
            .filter(([name]) => !ofProcess.test(name))
            .sort(),
        ),
      );
    const byContent = stored.map((text) => ({
      text,
      content: text.replaceAll(ids, '').replaceAll(references, ''),
    }));
    byContent.sort((one, other) => (one.content + one.text < other.content + other.text ? -1 : 1));
    rows[table] = byContent.map(({ text }) => mask(text));
  }
  return rows;
}

/** Ids made by a workspace, and ids that are hashes. */
const ids = /\b(t\d)-\d{4}[ab]-\d{4}\b|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12,}\b/g;

/** References to the log are random: `ref 7K3F` in texts, `"ref":"7K3F"` in JSON. */
const references = /(?<=\bref[\\": ]+)[2-9A-HJ-NP-Z]{4}\b/g;

/** Replaces ids by numbers, in the order in which they appear. Those that a workspace made keep its name. */
function createMask(): (text: string) => string {
  const numbers = new Map<string, string>();
  return (text) =>
    text.replaceAll(references, 'REF').replaceAll(ids, (id, team: string | undefined) => {
      const known = numbers.get(id) ?? `${team ?? 'hash'}#${numbers.size + 1}`;
      numbers.set(id, known);
      return known;
    });
}
