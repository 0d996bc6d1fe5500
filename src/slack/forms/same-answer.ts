import { LRUCache } from 'lru-cache';
import type { SubmitAck } from './form-replies.ts';

type Response = Parameters<SubmitAck>[0];

interface SameAnswer {
  /** Acknowledges this delivery and every copy of it. Rejects when this one can't be acknowledged. */
  answer: SubmitAck;
  /** Resolves when this delivery has been acknowledged. */
  answered: Promise<void>;
}

const maxDeliveries = 1_000;

/** Copies of one delivery get the same acknowledgement, although the work is done once. */
export function createSameAnswer(): (key: string, ack: SubmitAck) => SameAnswer {
  const answers = new LRUCache<string, PromiseWithResolvers<Response>>({ max: maxDeliveries });
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
