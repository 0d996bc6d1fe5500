import type { LineFacts } from '../line-facts.ts';
import type { Digest } from './digest.ts';

/** What one command line of a digest says now. */
export interface LineAnswer {
  /** Null where it holds nothing that could be new. */
  facts: LineFacts | null;
  /** Plain words, the verdict first; a few lines. */
  brief: readonly string[];
  /** The whole answer as a message, JSON-able; null where `brief` says all of it. */
  detail: unknown;
}

/**
 * Runs one canonical line as the owner of the digest, in its zone, behind what people wait for, and ends within
 * a command's time. Throws whatever the command throws.
 */
export type RunLine = (line: string, context: { digest: Digest; now: Date }) => Promise<LineAnswer>;

/** Logs what a line threw and gives back what its readers see, with the reference that is in the log. */
export type ExplainFailure = (
  error: unknown,
  context: { digest: Digest; line: string; now: Date },
) => { reason: string; ref: string };
