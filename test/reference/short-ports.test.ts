import { expect, test } from 'vitest';
import { portOf } from '../../src/reference/ports.ts';
import { feederPorts, otherForms, shortPort } from '../../src/reference/short-ports.ts';

test('each short form is that of a known port', () => {
  // The table has codes as plain text.
  const unknown = [...feederPorts, ...Object.values(otherForms)].filter(
    (code) => !portOf(code as Parameters<typeof portOf>[0]),
  );
  expect(unknown).toEqual([]);
});

test.each([
  ['ham', 'DEHAM'],
  ['LAX', 'USLAX'],
  ['LA', 'USLAX'],
  // Algeciras or Algiers.
  ['ALG', undefined],
  ['the', undefined],
])('%s is %s', (typed, code) => {
  expect(shortPort(typed)).toBe(code);
});
