import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBodyReader } from '../../../src/slack/receivers/http.ts';

const kib = 1024;
const chunk = (bytes: number) => new Uint8Array(bytes);

async function* body(chunks: readonly Uint8Array[], end: () => unknown = () => {}) {
  yield* chunks;
  await end();
}

test('a body is read in the order of its chunks', async () => {
  const read = createBodyReader();
  const chunks = ['{"a":', '1}'].map((text) => Buffer.from(text));
  expect(String(await read(body(chunks), '7'))).toBe('{"a":1}');
  expect(String(await read(body([]), null))).toBe('');
});

test('a body over 1 MB is refused, without reading it if it says so itself', async () => {
  const read = createBodyReader();
  const unread = body([chunk(1)]);
  expect(await read(unread, String(1024 * kib + 1))).toBe(413);
  expect((await unread.next()).done).toBe(false);
  expect(await read(body([chunk(1024 * kib), chunk(1)]), undefined)).toBe(413);
});

test('large bodies beyond the budget are refused at once, while those of the usual size are read', async () => {
  const read = createBodyReader({ maxBytesInFlight: 1024 * kib });
  const slow = Promise.withResolvers<void>();
  const held = [600, 500].map((size) =>
    read(
      body([chunk(size * kib)], () => slow.promise),
      undefined,
    ),
  );
  expect(await read(body([chunk(200 * kib)]), undefined)).toBe(503);
  expect(await read(body([chunk(64 * kib)]), undefined)).toHaveLength(64 * kib);
  slow.resolve();
  expect((await Promise.all(held)).map((one) => Object(one).length)).toEqual([600 * kib, 500 * kib]);
  expect(await read(body([chunk(1000 * kib)]), undefined)).toHaveLength(1000 * kib);
});

test('every body gives back what it took, however it ends', async () => {
  const bodies = fc.array(
    fc.record({ sizes: fc.array(fc.integer({ min: 1, max: 700 })), isCutOff: fc.boolean() }),
    { maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(bodies, async (all) => {
      const read = createBodyReader({ maxBytesInFlight: 960 * kib });
      await Promise.allSettled(
        all.map(({ sizes, isCutOff }) => {
          const chunks = sizes.map((size) => chunk(size * kib));
          const end = () => isCutOff && Promise.reject(new Error('hung up'));
          return read(body(chunks, end), undefined);
        }),
      );
      expect(await read(body([chunk(1024 * kib)]), undefined)).toHaveLength(1024 * kib);
    }),
    { numRuns: 50 },
  );
});
