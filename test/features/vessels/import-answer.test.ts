import { expect, test } from 'vitest';
import { importAnswer, type VesselImport } from '../../../src/features/vessels/import-answer.ts';
import type { Imo } from '../../../src/reference/codes.ts';
import { replyMessage } from '../../support/answer-message.ts';
import { cypress } from '../../support/watch-story.ts';

const nothing: VesselImport = {
  ...{ fileName: 'names.csv', saved: 0, fleets: 0, references: [], refused: [], leftOut: [], unread: 0 },
  ...{ tooLarge: [], isEncodingGuessed: false, skippedRows: [], columns: undefined },
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
