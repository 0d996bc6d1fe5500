import fc from 'fast-check';
import { expect } from 'vitest';
import { z } from 'zod';
import { UserError } from '../../src/errors.ts';
import type { Imo } from '../../src/reference/codes.ts';
import { anyCharacter } from './any-character.ts';
import { direct } from './statements/direct.ts';
import type { StoreWorld } from './store-world.ts';

export const imos = [9461477, 9755933, 9811000] as Imo[];

/** PostgreSQL's text has no NUL; Slack sends none. */
export const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 20 }).filter((value) => !value.includes('\0')),
  fc.constantFrom('', 'null', '0', "O'Brien; --", '{"a":1}', '🚢', 'e\u0301', '\ud800', '\u2028', '%_\\'),
);
export const channelId = fc.constantFrom('C1', 'C2');
export const userId = fc.constantFrom('U1', 'U2');
export const index = fc.nat({ max: 5 });
export const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
export const filter = fc.oneof(
  fc.record({ channelId }, { requiredKeys: [] }),
  fc.record({ ownerId: userId }),
  fc.record({ anyOf: fc.record({ ownerId: userId, channelIds: fc.uniqueArray(channelId) }) }),
);
export const page = fc.record({ limit: fc.integer({ min: 1, max: 3 }), offset: fc.nat({ max: 2 }) });

/** Sorted, so they are in the same order in both worlds. */
export async function idsOf(
  { database }: StoreWorld,
  table: 'watches' | 'digests' | 'outbox',
): Promise<string[]> {
  // Any of these tables.
  const query = direct(database.db)
    .selectFrom(table as 'watches')
    .select('id')
    .orderBy('id');
  return (await query.execute()).map(({ id }) => id);
}

/** The id of a row, or one that no row has. */
export async function idAt(
  world: StoreWorld,
  table: Parameters<typeof idsOf>[1],
  at: number,
): Promise<string> {
  const ids = await idsOf(world, table);
  return ids[at % Math.max(1, ids.length)] ?? 'none';
}

type Command = fc.AsyncCommand<StoreWorld, StoreWorld>;

/**
 * Acts in both worlds, which must answer the same. To refuse something, or to find it unreadable, is an answer; other
 * errors fail the test.
 */
export const command = <Values>(
  name: string,
  values: fc.Arbitrary<Values>,
  act: (world: StoreWorld, values: Values) => Promise<unknown>,
): fc.Arbitrary<Command> =>
  values.map((value) => {
    const answerOf = (world: StoreWorld) =>
      act(world, value).catch((error: unknown) => {
        if (error instanceof UserError || error instanceof z.ZodError) return error.message;
        throw error;
      });
    return {
      check: () => true,
      async run(one, other) {
        expect(await answerOf(other)).toEqual(await answerOf(one));
      },
      toString: () => `${name} ${fc.stringify(value)}`,
    };
  });
