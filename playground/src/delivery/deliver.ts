import { isJsonObject } from '../json.ts';
import type { PageMessage } from '../page-api/page-api.ts';
import type { Message } from '../world/message.ts';
import { pageMessage } from '../world/render.ts';
import type { Delivery, Outcome, Transport } from './transport.ts';
import type { Wire } from './wire.ts';

/**
 * A step in the delivery of one slash command or click, for benchmarks. `delivered`: the sending begins. `at` is from
 * `performance.now()`.
 */
export type DeliveryMark = { id: string; label: string; at: number } & (
  | { type: 'delivered' | 'acked' }
  | { type: 'failed'; error: string }
  /** An answer arrived, in the acknowledgement or through `response_url`. */
  | { type: 'answered'; message: PageMessage }
);

export type DeliveryObserver = (mark: DeliveryMark) => void;

/** Functions that report each step of one delivery. */
export function createMarks(observe: DeliveryObserver, delivery: { id: string; label: string }) {
  const stamp = () => ({ ...delivery, at: performance.now() });
  return {
    delivered: () => observe({ ...stamp(), type: 'delivered' }),
    acked: () => observe({ ...stamp(), type: 'acked' }),
    failed: (error: string) => observe({ ...stamp(), type: 'failed', error }),
    answered: (message: Message) => observe({ ...stamp(), type: 'answered', message: pageMessage(message) }),
  };
}

/** Sends a delivery to the app, and records it and its outcome in the inspector. */
export type Deliver = (label: string, delivery: Delivery) => Promise<Outcome>;

export function createDeliver(options: {
  transport: Transport;
  wire: Pick<Wire, 'add'>;
  now: () => number;
}): Deliver {
  return async (label, delivery) => {
    const at = new Date(options.now()).toISOString();
    const started = performance.now();
    const outcome = await options.transport.deliver(delivery);
    const { payload, retry } = delivery;
    options.wire.add({
      at,
      direction: 'to-app',
      label,
      tookMs: performance.now() - started,
      ok: outcome.ok,
      request: retry ? { ...payload, retry } : payload,
      ...(outcome.ok ? acknowledged(outcome.body) : { error: outcome.error }),
    });
    return outcome;
  };
}

const acknowledged = (body: unknown) =>
  body === undefined || (isJsonObject(body) && Object.keys(body).length === 0) ? {} : { response: body };
