import { expect, test } from 'vitest';
import { createImportTurns, maxImportsPerHour } from '../../../src/features/vessels/import.ts';
import { importAnswer, type VesselImport } from '../../../src/features/vessels/import-answer.ts';
import { readVesselTable } from '../../../src/features/vessels/vessel-table.ts';
import { type Imo, isImo } from '../../../src/reference/codes.ts';
import { replyMessage } from '../../support/answer-message.ts';
import { cypress } from '../../support/watch-story.ts';

const { signal } = new AbortController();
const personOf = (userId: string) => ({ actor: { userId, isAdmin: false, zone: undefined }, signal });

test('a person can share so many files an hour; others still can', async () => {
  let now = 0;
  const take = createImportTurns({ realNow: () => now });
  for (let count = 0; count < maxImportsPerHour; count += 1) {
    now = count * 60_000;
    await take(personOf('U1'), async () => undefined);
  }
  let ran = false;
  const refused = take(personOf('U1'), async () => {
    ran = true;
  });
  await expect(refused).rejects.toMatchObject({
    code: 'too-busy',
    message: 'You can share 20 files an hour. Nothing of this one was saved.',
    hint: 'Please share it again in 41 min.',
  });
  expect(ran).toBe(false);
  expect(await take(personOf('U2'), async () => 'imported')).toBe('imported');
  now = 3_600_000;
  expect(await take(personOf('U1'), async () => 'imported')).toBe('imported');
});

test('the imports of a workspace run one after another, also after one that fails', async () => {
  const take = createImportTurns({ realNow: () => 0 });
  const steps: string[] = [];
  const first = Promise.withResolvers<void>();
  const importing = [
    take(personOf('U1'), async () => {
      steps.push('first begins');
      await first.promise;
      steps.push('first fails');
      throw new Error('no table');
    }),
    take(personOf('U2'), async () => steps.push('second')),
  ];
  await new Promise(setImmediate);
  expect(steps).toEqual(['first begins']);
  first.resolve();
  await Promise.allSettled(importing);
  expect(steps).toEqual(['first begins', 'first fails', 'second']);
});

test('an import that is given up while it waits does not begin', async () => {
  const take = createImportTurns({ realNow: () => 0 });
  const first = Promise.withResolvers<void>();
  const before = take(personOf('U1'), () => first.promise);
  const leaver = new AbortController();
  let ran = false;
  const waiting = take({ ...personOf('U1'), signal: leaver.signal }, async () => {
    ran = true;
  });
  leaver.abort(new Error('given up'));
  first.resolve();
  await before;
  await expect(waiting).rejects.toThrow('given up');
  expect(ran).toBe(false);
});

test('other work goes on while a large file is read', async () => {
  const rows = Array.from(
    { length: 10_000 },
    (_, index) => `${1_000_000 + index},,,BK ${index} | BL ${index}`,
  );
  let turns = 0;
  let isReading = true;
  const count = () => {
    turns += 1;
    if (isReading) setImmediate(count);
  };
  setImmediate(count);
  const readImo = (text: string) => {
    const imo = Number(text);
    return isImo(imo) ? imo : 'not a number';
  };
  const table = await readVesselTable(new TextEncoder().encode(rows.join('\n')), {
    ...{ readImo, imosOf: () => [], now: new Date(0) },
    readWorkbook: async () => ({ refused: 'unreadable' }),
  });
  isReading = false;
  expect(table).toMatchObject({ vessels: { length: 10_000 } });
  // It gives way every two milliseconds, and reading takes many times that.
  expect(turns).toBeGreaterThan(5);
});

const nothing: VesselImport = {
  ...{
    id: 'i1',
    fileName: 'names.csv',
    saved: 0,
    fleets: 0,
    references: [],
    refused: [],
    leftOut: [],
    unread: 0,
  },
  ...{ promises: 0, replaced: [], promised: [], unwatched: [], promisesLeftOut: 0, unnamedPromises: 0 },
  ...{ tooLarge: [], isEncodingGuessed: false, skippedRows: [] },
};
const answered = (found: Partial<VesselImport>) => replyMessage(importAnswer({ ...nothing, ...found }));
const wordsOf = (found: Partial<VesselImport>) => JSON.stringify(answered(found).blocks);

test.each<[saved: Partial<VesselImport>, verdict: string, typed: string]>([
  [{ saved: 1 }, '1 vessel name saved', 'these names'],
  [
    { references: [{ added: ['BK1'] }] },
    '1 reference of 1 vessel saved',
    'these references wherever a vessel goes',
  ],
  [
    { saved: 2, references: [{ added: ['BK1', 'BK2'] }] },
    '2 vessel names and 2 references of 1 vessel',
    'these names',
  ],
])('%o: %s, and what can be typed now', (found, verdict, typed) => {
  expect(answered(found).text).toContain(verdict);
  expect(wordsOf(found)).toContain(`Everybody here can now type ${typed},`);
});

test('a file that is too much for the workspace says how much has room', () => {
  const full = { limit: 'references' as const, imo: cypress as Imo, references: ['BK1', 'BK2'] };
  expect(wordsOf({ leftOut: [full] })).toContain(
    '2 references were left out: a workspace can have at most 20,000. They are of 1 vessel.',
  );
});
