import { App, type AppOptions, type ReceiverEvent } from '@slack/bolt';
import { underReference } from '../../log.ts';
import type { Measure } from '../../measure.ts';

/** Bolt's app, in which each delivery has a reference, and the time until it is acknowledged is measured. */
export class DeliveryApp extends App {
  readonly #measure: Measure;
  readonly #realNow: () => number;

  constructor({ measure, realNow, ...options }: AppOptions & { measure: Measure; realNow: () => number }) {
    super(options);
    this.#measure = measure;
    this.#realNow = realNow;
  }

  override processEvent(event: ReceiverEvent): Promise<void> {
    const startedAt = this.#realNow();
    let isAcknowledged = false;
    const ack: ReceiverEvent['ack'] = async (...answer) => {
      if (!isAcknowledged) this.#measure({ kind: 'ack', ms: this.#realNow() - startedAt });
      isAcknowledged = true;
      await event.ack(...answer);
    };
    return underReference(() => super.processEvent({ ...event, ack }));
  }
}
