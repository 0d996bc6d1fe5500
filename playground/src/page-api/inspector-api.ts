/** The types of the page's inspector and of its switches for faults. */

/** An entry of the inspector: a request between Slack and the app, or of the app to the service, without secrets. */
export interface WireEntry {
  id: number;
  /** ISO time of the request. */
  at: string;
  direction: 'to-app' | 'from-app' | 'to-service';
  /** `slash /nextport`, `block_actions refresh`, `chat.postMessage`, `response_url`, `GET /nextport/ship/9461477` … */
  label: string;
  /** Milliseconds from the request to its answer, if it has one. */
  tookMs?: number;
  ok: boolean;
  /** The HTTP status, where the answer has one. */
  status?: number;
  /** Slack's error, such as `not_in_channel`, or how the connection failed. */
  error?: string;
  request: unknown;
  /** Only of calls to the service. */
  headers?: { request: unknown; response?: unknown };
  /** For a delivery, what the app acknowledged it with. Undefined: there was no answer, or an empty one. */
  response?: unknown;
  /** The workspace, where there are several. */
  teamName?: string;
}

/** A fault of Slack or of the service that `POST /playground/faults` switches on and off. */
export interface PageFault {
  id: string;
  of: 'slack' | 'service';
  label: string;
  note?: string;
  isOn: boolean;
}

/** `POST /playground/faults`: sets one switch, or all of them to off. */
export type FaultRequest = { id: string; isOn: boolean } | { allOff: true };
