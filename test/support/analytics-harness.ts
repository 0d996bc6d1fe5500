import { silentLogger } from '../../src/log.ts';
import type { Imo, Locode } from '../../src/reference/codes.ts';
import { createLoneClient, type LoneClientOptions } from './analytics-client.ts';
import { type Answer, startFakeService } from './fake-service.ts';
import { untilTestEnds } from './use-started.ts';

export const cypress = 9461477 as Imo; // seven digits
export const diana = 9755933 as Imo; // seven digits
export const rotterdam = 'NLRTM' as Locode; // well-formed
export const hamburg = 'DEHAM' as Locode; // well-formed

export const account = {
  apiKey: 'key-Sup3r/secret+1',
  userId: 'ops@example.test',
  password: 'pa55 "wörd"/&',
};

/** A client, with both clocks stopped until the test moves them, and its service, which is closed after the test. */
export async function analyticsHarness(answer?: Answer, options: Partial<LoneClientOptions> = {}) {
  const service = untilTestEnds(await startFakeService(answer));
  const clock = { domain: new Date('2026-11-21T12:00:00Z'), realMs: Date.parse('2026-11-21T08:00:00Z') };
  const logLines: string[] = [];
  const log = (details: object, message: string) => {
    logLines.push(`${message} ${JSON.stringify(details)}`);
  };
  /** Another client of the same account. */
  const another = (more: Partial<LoneClientOptions> = {}) =>
    createLoneClient({
      baseUrl: service.url,
      ...account,
      now: () => clock.domain,
      realNow: () => clock.realMs,
      retryDelayMs: 1,
      logger: { ...silentLogger, info: log, warn: log },
      ...options,
      ...more,
    });
  return { service, clock, logLines, another, client: another() };
}

export function prediction(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    un_location_code: 'NLRTM',
    eta_datetime: '2026-11-24T05:54:00.000+01:00',
    probability: 0.82,
    vessel_imo_number: 9461477,
    ...fields,
  };
}

export function nextPort(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return { imo: 9461477, locode: 'NLRTM', probability: 0.82, eta: '2026-11-24T04:54:00', ...fields };
}

/** Returns the error of a promise, which must reject. */
export async function failure(promise: Promise<unknown>): Promise<Error> {
  const ended = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (ended instanceof Error) return ended;
  throw new Error('expected an error');
}

/** A promise and the function that resolves it. */
export function gate(): { opened: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
