import { LRUCache } from 'lru-cache';
import type { SubmitAck } from './form-replies.ts';

type Response = Parameters<SubmitAck>[0];

interface SameAnswer {
  /** Acknowledges this delivery, and every copy of it. Rejects where this one can't be any more. */
  answer: SubmitAck;
  /** Resolves when this delivery has had its answer, whoever did the work. */
  answered: Promise<void>;
}

const deliveriesKnown = 1_000;

/** Copies of one delivery are acknowledged with the same, though its work is done once. */
export function createSameAnswer(): (key: string, ack: SubmitAck) => SameAnswer {
  const answers = new LRUCache<string, PromiseWithResolvers<Response>>({ max: deliveriesKnown });
  return (key, ack) => {
    const shared = answers.get(key) ?? Promise.withResolvers<Response>();
    answers.set(key, shared);
    const acknowledged = shared.promise.then(ack);
    return {
      answered: acknowledged.catch(() => undefined),
      answer(response) {
        shared.resolve(response);
        return acknowledged;
      },
    };
  };
}
