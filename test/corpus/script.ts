import { mondayMs, type TestBot } from '../support/bot.ts';

/** Port → probability and ETA, in hours after the start of the story. Without an ETA: the service gives none. */
export type Ports = Record<string, readonly [probability: number, etaHours?: number]>;

/** What the service answers instead of its invented world. */
export interface Script {
  /** Of a vessel from now on. */
  predict(imo: number, ports: Ports): void;
  /** Of the vessels that may call at a port from now on. */
  expect(port: string, vessels: Record<number, readonly [probability: number, etaHours: number]>): void;
  /** Nothing answers until the returned function is called. */
  fail(status?: number): () => void;
}

export function createScript(bot: TestBot): Script {
  const ends = new Map<string, () => void>();
  /** The oldest fault of an endpoint wins, so a new answer ends the one before. */
  const answer = (endpoint: string, body: unknown) => {
    ends.get(endpoint)?.();
    ends.set(
      endpoint,
      bot.sandbox.faults.add({ kind: 'status', status: 200, headers: {}, body }, { endpoint }).remove,
    );
  };
  const timeOf = (etaHours: number) => new Date(mondayMs + etaHours * 3_600_000).toISOString();
  const prediction = (imo: number, port: string, [probability, etaHours]: Ports[string] & {}) => ({
    vessel_imo_number: imo,
    un_location_code: port,
    probability,
    ...(etaHours !== undefined && { eta_datetime: timeOf(etaHours) }),
  });
  return {
    predict(imo, ports) {
      const given = Object.entries(ports).map(([port, value]) => prediction(imo, port, value));
      answer(`/nextport/vessel/${imo}/predictions`, { predictions: given });
      const records = given.map(({ eta_datetime, un_location_code, probability }) => ({
        ...{ imo, locode: un_location_code, probability },
        ...(eta_datetime && { eta: eta_datetime.slice(0, 19) }),
      }));
      answer(`/nextport/ship/${imo}`, { records });
    },
    expect(port, vessels) {
      const predictions = Object.entries(vessels).map(([imo, value]) => prediction(Number(imo), port, value));
      answer(`/nextport/port/${port}/predictions`, { predictions });
    },
    fail: (status = 503) => bot.sandbox.faults.status(status).remove,
  };
}
