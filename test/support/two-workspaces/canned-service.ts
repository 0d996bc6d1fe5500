import { z } from 'zod';
import { type FakeReply, type FakeRequest, type FakeService, startFakeService } from '../fake-service.ts';

/** What an account at the service gets. */
export interface AccountState {
  /** Each version has other next ports and other ETAs. */
  version: number;
  isForbidden: boolean;
}

export interface CannedService extends FakeService {
  /** By API key. */
  accounts: Map<string, AccountState>;
  now: () => number;
}

export const goodPassword = 'a password';
export const imos = [9461477, 9755933, 9811000];
const ports = ['NLRTM', 'DEHAM', 'BEANR', 'SGSIN'];
const hourMs = 3_600_000;
const beginsAt = Date.parse('2026-11-21T00:00:00Z');

/** An analytics service on which each account sees vessels of its own, which are rerouted by a new version. */
export async function startCannedService(): Promise<CannedService> {
  const fake = await startFakeService();
  const service: CannedService = Object.assign(fake, {
    accounts: new Map<string, AccountState>(),
    now: () => beginsAt,
  });
  service.login = (times) => {
    const { password } = z
      .object({ password: z.string() })
      .parse(JSON.parse(service.logins.at(-1)?.body ?? ''));
    return password === goodPassword ? { body: { token: `token-${times}` } } : { status: 401, body: {} };
  };
  service.answer = (request) => {
    const key = String(request.headers['x-api-key']);
    const state = service.accounts.get(key) ?? { version: 0, isForbidden: false };
    if (state.isForbidden) return { status: 403, body: { message: 'forbidden' } };
    return answerOf(request, { key, version: state.version, now: service.now() });
  };
  return service;
}

interface World {
  key: string;
  version: number;
  now: number;
}

function answerOf({ path, query }: FakeRequest, world: World): FakeReply {
  const [, kind, name = '', of = ''] =
    /^\/(?:nextport\/)?(vessel|port|ship|shiplist|usage|administration|tradelane-analytics)\/([^/]+)\/?(.*)$/.exec(
      path,
    ) ?? [];
  const id = decodeURIComponent(name);
  switch (kind) {
    case 'vessel':
      return { body: { predictions: candidates(Number(id), world).map(asPrediction) } };
    case 'port':
      return {
        body: {
          predictions: imos
            .flatMap((imo) => candidates(imo, world))
            .filter(({ port }) => port === id)
            .map(asPrediction),
        },
      };
    case 'ship':
      return { body: { records: candidates(Number(id), world).map(asRecord) } };
    case 'shiplist':
      return { body: { records: imos.slice(0, 2).flatMap((imo) => candidates(imo, world).map(asRecord)) } };
    case 'administration':
      return { body: usage(query, world) };
    case 'tradelane-analytics':
      return { body: { statistics: [statistics(query, world)] } };
    default:
      return { status: 404, body: { message: `no ${kind} ${of}` } };
  }
}

interface Candidate {
  imo: number;
  port: string;
  probability: number;
  eta: Date;
}

/** Two ports; when the ETA of the first is past by half a day, the vessel is on its next leg. */
function candidates(imo: number, { key, version, now }: World): Candidate[] {
  if (!imos.includes(imo)) return [];
  const seed = (imo % 7) + key.length + version * 3;
  const firstEta = beginsAt + (30 + (imo % 5) * 11 + (version % 3) * 17) * hourMs;
  const leg = Math.max(0, Math.ceil((now - 12 * hourMs - firstEta) / (96 * hourMs)));
  const eta = firstEta + leg * 96 * hourMs;
  const portAt = (index: number) => ports[(seed + leg + index) % ports.length] ?? 'NLRTM';
  return [
    { imo, port: portAt(0), probability: 0.72, eta: new Date(eta) },
    { imo, port: portAt(1), probability: 0.2, eta: new Date(eta + 20 * hourMs) },
  ];
}

const asPrediction = ({ imo, port, probability, eta }: Candidate) => ({
  un_location_code: port,
  eta_datetime: eta.toISOString().replace('Z', '+00:00'),
  probability,
  vessel_imo_number: imo,
});

const asRecord = ({ imo, port, probability, eta }: Candidate) => ({
  imo,
  locode: port,
  probability,
  eta: eta.toISOString().slice(0, 19),
});

const usage = ({ year, month }: FakeRequest['query'], { key, version }: World) => ({
  last_updated_datetime: '2026-11-20T00:00:00Z',
  usage: [
    {
      user_id: `account ${key}`,
      usage_year: Number(year),
      usage_month: Number(month),
      usage_type: 'REQUEST',
      usage_method: 'GET',
      endpoint: '/nextport',
      status: 'SUCCESS',
      unit: 'REQUESTS',
      usage_count: 100 + key.length + version,
      text: null,
    },
  ],
});

const statistics = (query: FakeRequest['query'], { key, version }: World) => ({
  vessel_operator_carrier_code: 'MAEU',
  origin_un_location_code: query.origin_un_location_code,
  destination_un_location_code: query.destination_un_location_code,
  begin_datetime: '2026-08-01T00:00:00Z',
  end_datetime: '2026-11-01T00:00:00Z',
  origin_omitted_port_call_count: 1,
  destination_omitted_port_call_count: 2,
  total_journeys: 100 + key.length + version,
  destination_delayed_journeys: 10,
  origin_delayed_journeys: 5,
});
