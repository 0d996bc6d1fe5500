import { type Kysely, sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { createConnectionQueue, inBackground } from '../../src/database/dialect.ts';
import type { Schema } from '../../src/database/schema.ts';
import { engines } from '../support/store-engines.ts';
import { useStore } from '../support/use-store.ts';

describe.each(engines)('commands go before due work, $engine', ({ engine, open }) => {
  const store = useStore(open, { perTest: true });
  let db: Kysely<Schema>;
  beforeEach(async () => {
    db = store.database.db;
  });

  const read = () => sql`select 1`.execute(db);

  /** Due work in more transactions than there are connections; resolves when the first has begun. */
  async function startDueWork(held: Promise<void>) {
    const begun = Promise.withResolvers<void>();
    const ended: number[] = [];
    const work = Array.from({ length: 30 }, (_, index) =>
      inBackground(async () => {
        await db.transaction().execute(async (transaction) => {
          await sql`select 1`.execute(transaction);
          begun.resolve();
          await held;
        });
        ended.push(index);
      }),
    );
    await begun.promise;
    return { ended, all: Promise.all(work) };
  }

  test('a command waits for one transaction at most', async () => {
    const gate = Promise.withResolvers<void>();
    const { ended, all } = await startDueWork(gate.promise);
    const order: string[] = [];
    const behind = inBackground(async () => {
      // What due work does later is due work too.
      await Promise.resolve();
      await read();
      order.push('due work');
    });
    await Promise.resolve();
    const command = read().then(() => order.push('command'));
    // PostgreSQL has connections left for commands.
    if (engine === 'postgres') await command;
    gate.resolve();
    await command;
    expect(ended.length).toBeLessThanOrEqual(1);
    await Promise.all([all, behind]);
    expect(order).toEqual(['command', 'due work']);
    expect(ended).toHaveLength(30);
  });

  test('a failed statement gives its connection back', async () => {
    const failed = Array.from({ length: 30 }, () => inBackground(() => sql`select nothing`.execute(db)));
    await expect(Promise.all(failed)).rejects.toThrow(/nothing/);
    await Promise.allSettled(failed);
    await expect(inBackground(read)).resolves.toBeDefined();
  });
});

test('due work goes on while commands never stop', async () => {
  const queue = createConnectionQueue({ max: 1, maxBackground: 1 });
  const order: string[] = [];
  const take = async (name: string) => {
    const leave = await queue.enter();
    order.push(name);
    leave();
  };
  const leave = await queue.enter();
  const dueWork = inBackground(() => take('due work'));
  const commands = Array.from({ length: 100 }, () => take('command'));
  leave();
  await Promise.all([dueWork, ...commands]);
  expect(order.indexOf('due work')).toBe(20);
  expect(order).toHaveLength(101);
});
