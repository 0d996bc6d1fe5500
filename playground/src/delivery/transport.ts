import type { JsonObject } from '../json.ts';

/** One delivery to the app, over either transport. */
export interface Delivery {
  kind: 'slash_commands' | 'interactive' | 'events_api';
  payload: JsonObject;
  retry?: { num: number; reason: string };
}

/** `body` is the payload of the app's acknowledgement, if it has one. */
export type Outcome =
  | { ok: true; body?: unknown }
  | { ok: false; error: 'dispatch_failed' | 'operation_timeout'; reason: string };

export interface Transport {
  /** Never rejects. */
  deliver(delivery: Delivery): Promise<Outcome>;
  connected(): boolean;
  close(): void;
}
