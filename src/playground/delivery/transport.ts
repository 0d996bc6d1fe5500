import type { Json } from '../json.ts';

/** One delivery to the app, however it travels. */
export interface Delivery {
  kind: 'slash_commands' | 'interactive' | 'events_api';
  payload: Json;
  retry?: { num: number; reason: string };
}

/** `body` is what the app said in its acknowledgement, if anything. */
export type Outcome =
  | { ok: true; body?: unknown }
  | { ok: false; error: 'dispatch_failed' | 'operation_timeout'; reason: string };

export interface Transport {
  /** Never rejects. */
  deliver(delivery: Delivery): Promise<Outcome>;
  connected(): boolean;
  close(): void;
}
