import { addMilliseconds } from 'date-fns/addMilliseconds';
import { max } from 'date-fns/max';
import { min } from 'date-fns/min';
import { subMilliseconds } from 'date-fns/subMilliseconds';
import { sql } from 'kysely';
import { valuesList } from '../../database/values-list.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { createYieldToEventLoop } from '../../database/yield-to-event-loop.ts';
import type { Answer } from '../../predictions/ranking.ts';
import type { Locode } from '../../reference/locode.ts';
import type { ScopeFilter } from '../owned.ts';
import { readPredictions } from './history.ts';
import { subjectKey } from './subject.ts';
import { readWatchedTimes } from './watched-times.ts';

/** The list of a large port takes tens of kilobytes. */
const rowsAtOnce = 4;

/** What was predicted for ports while watches that the filter matches followed them. */
export function portHistory({
  store,
  filter,
}: {
  store: WorkspaceStore;
  filter: () => Promise<ScopeFilter>;
}) {
  return {
    /**
     * For each of `times`, the time of the port's last poll at or before it and that of the first one after it, if they
     * are within `withinMs`. Reads only the index.
     */
    async findPolls(
      port: Locode,
      { times, withinMs }: { times: readonly Date[]; withinMs: number },
    ): Promise<Date[]> {
      if (times.length === 0) return [];
      const subject = { kind: 'port', port } as const;
      const all = await readWatchedTimes(store, { subjects: [subject], filter: await filter() });
      const watched = all.get(subjectKey(subject)) ?? [];
      const ofPort = sql`${store.isOwn('history')} and kind = 'port' and key = ${port}`;
      const wanted = times.flatMap((time) =>
        watched.map(({ begin, end }) => {
          const last = end ? [subMilliseconds(end, 1)] : [];
          return [
            ...[max([begin, subMilliseconds(time, withinMs)]), min([...last, time])],
            ...[max([begin, time]), min([...last, addMilliseconds(time, withinMs)])],
          ];
        }),
      );
      if (wanted.length === 0) return [];
      const { rows } = await sql<Record<'earlier' | 'later', number | string | null>>`
        select
          (select max(polled_at) from history where ${ofPort} and polled_at between column1 and column2) as earlier,
          (select min(polled_at) from history where ${ofPort} and polled_at between column3 and column4) as later
        from (${valuesList(wanted, ['bigint', 'bigint', 'bigint', 'bigint'])}) as wanted`.execute(store);
      // PostgreSQL gives its 64-bit integers as text.
      const found = rows.flatMap(({ earlier, later }) => [earlier, later].filter((time) => time !== null));
      return [...new Set(found.map(Number))].sort((one, other) => one - other).map((time) => new Date(time));
    },

    /** What the service answered in these polls, one after the other, oldest first. `times` are sorted. */
    async *readPolls(port: Locode, times: readonly Date[]): AsyncGenerator<Answer> {
      const yieldToEventLoop = createYieldToEventLoop();
      for (let at = 0; at < times.length; at += rowsAtOnce) {
        const rows = await store
          .selectFrom('history')
          .select(['polled_at', 'predictions'])
          .where('kind', '=', 'port')
          .where('key', '=', port)
          .where('polled_at', 'in', times.slice(at, at + rowsAtOnce))
          .orderBy('polled_at')
          .execute();
        for (const { polled_at, predictions } of rows) {
          await yieldToEventLoop();
          yield { at: polled_at, ...readPredictions(predictions) };
        }
      }
    },
  };
}
