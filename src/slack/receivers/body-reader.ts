/** Slack's payloads and assistants' requests are far smaller. */
const maxBodyBytes = 1024 * 1024;

/** A body may have as much without a share of the budget, so those who fill it shut out none of the usual deliveries. */
const freeBytes = 64 * 1024;

export type ReadBody = ReturnType<typeof createBodyReader>;

/**
 * Reads the bodies of requests that anybody may send, and bounds the bytes that are held for them at the same time. Returns
 * the whole body, or the status that refuses it: 413 if it is too large, 503 if others have used up the budget. Nobody waits
 * for a share: a sender who is slow on purpose would hold up all others. Throws if the sender hangs up.
 */
export function createBodyReader({ maxBytesInFlight = 16 * 1024 * 1024 } = {}) {
  let bytesInFlight = 0;

  /** `chunks` must survive an early return, so that the refusal can still be sent. */
  return async (
    chunks: AsyncIterable<Uint8Array>,
    contentLength: string | null | undefined,
  ): Promise<Buffer | 413 | 503> => {
    if (Number(contentLength ?? 0) > maxBodyBytes) return 413;
    const read: Uint8Array[] = [];
    let bytes = 0;
    let ownShare = 0;
    try {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        if (bytes > maxBodyBytes) return 413;
        const more = Math.max(0, bytes - freeBytes) - ownShare;
        if (more > 0 && bytesInFlight + more > maxBytesInFlight) return 503;
        ownShare += more;
        bytesInFlight += more;
        read.push(chunk);
      }
      return Buffer.concat(read);
    } finally {
      bytesInFlight -= ownShare;
    }
  };
}
