import type { Wire } from './wire.ts';

/** A request of the app to the service that it works with, and the answer. */
export interface ServiceCall {
  method: string;
  /** With the query. */
  path: string;
  requestHeaders: Readonly<Record<string, string>>;
  requestBody: string;
  /** Undefined: the connection ended before the answer. */
  status: number | undefined;
  responseHeaders: Readonly<Record<string, string>>;
  responseBody: string;
  /** False if the connection ended in the middle of the answer. */
  isComplete: boolean;
  /** Milliseconds. */
  tookMs: number;
}

/** Returns a function that records a call which has just ended. */
export function createServiceRecorder({ wire, now }: { wire: Pick<Wire, 'add'>; now: () => number }) {
  return (call: ServiceCall): void => {
    const { status, isComplete, tookMs, requestBody, responseHeaders, responseBody } = call;
    const error = status === undefined ? 'no answer' : isComplete ? undefined : 'cut off';
    wire.add({
      at: new Date(now() - tookMs).toISOString(),
      direction: 'to-service',
      label: `${call.method} ${call.path}`,
      tookMs,
      ok: isComplete && status !== undefined && status < 400,
      ...(status !== undefined && { status }),
      ...(error && { error }),
      headers: { request: call.requestHeaders, ...(status !== undefined && { response: responseHeaders }) },
      request: requestBody || undefined,
      ...(responseBody && { response: responseBody }),
    });
  };
}
