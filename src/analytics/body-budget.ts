export type BodyBudget = ReturnType<typeof createBodyBudget>;

/**
 * Bounds the bytes of all bodies that are being read at the same time. A body waits for others to end before it goes
 * beyond the bound; the oldest never waits, so there is always one that ends.
 */
export function createBodyBudget({ maxBytes = 32 * 1024 * 1024 } = {}) {
  const readers = new Set<object>();
  let bytesInFlight = 0;
  let ended = Promise.withResolvers<void>();

  return {
    bytesInFlight: () => bytesInFlight,
    /** For one body. To be closed when the body has been read, or has failed. */
    open() {
      const reader = {};
      let ownBytes = 0;
      readers.add(reader);
      const isOldest = () => readers.values().next().value === reader;
      return {
        async take(bytes: number): Promise<void> {
          while (bytesInFlight + bytes > maxBytes && !isOldest()) await ended.promise;
          bytesInFlight += bytes;
          ownBytes += bytes;
        },
        close(): void {
          readers.delete(reader);
          bytesInFlight -= ownBytes;
          ended.resolve();
          ended = Promise.withResolvers();
        },
      };
    },
  };
}
