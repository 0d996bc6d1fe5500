import type { OpenAPIHono } from '@hono/zod-openapi';
import * as routes from './routes.ts';
import { ServiceError } from './service-error.ts';
import type { ServiceEnv, ServiceOptions } from './service-options.ts';
import type { WorldPrediction } from './world/predictor.ts';

/** Adds the service's endpoints. Their answers come from the invented vessels and ports in world/. */
export function addHandlers(app: OpenAPIHono<ServiceEnv>, options: ServiceOptions): void {
  addLogin(app, options);
  addPredictions(app, options);
  addUsage(app, options);
  addStatistics(app, options);
}

function addLogin(app: OpenAPIHono<ServiceEnv>, { sessions }: ServiceOptions) {
  app.openapi(routes.loginRoute, async (context) => {
    const apiKey = context.req.header('x-api-key');
    const { token, account } = await sessions.login(apiKey, context.req.valid('json'));
    context.set('account', account);
    return context.json({ token }, 200);
  });
}

function addPredictions(app: OpenAPIHono<ServiceEnv>, options: ServiceOptions) {
  const { world, now, unknown } = options;
  const toPrediction = ({ imo, port, etaMs, probability }: WorldPrediction): routes.PredictionBody => ({
    un_location_code: port,
    eta_datetime: withOffset(etaMs),
    probability: toScale(probability, options),
    vessel_imo_number: imo,
  });
  const toRecord = (prediction: WorldPrediction): routes.NextPortBody => ({
    imo: prediction.imo,
    locode: prediction.port,
    probability: toScale(prediction.probability, options),
    ...(isEtaKnown(prediction) && { eta: new Date(prediction.etaMs).toISOString().slice(0, 19) }),
  });

  app.openapi(routes.vesselPredictionsRoute, (context) => {
    const found = world.vesselPredictions(context.req.valid('param').vessel_imo_number, now().getTime());
    return context.json({ predictions: checkKnown(found, unknown, 'vessel').map(toPrediction) }, 200);
  });
  app.openapi(routes.portPredictionsRoute, (context) => {
    const found = world.portPredictions(context.req.valid('param').un_location_code, now().getTime());
    return context.json({ predictions: checkKnown(found, unknown, 'port').map(toPrediction) }, 200);
  });
  app.openapi(routes.shipRoute, (context) => {
    const found = world.vesselPredictions(context.req.valid('param').IMO, startOfHour(now()));
    return context.json({ records: checkKnown(found, unknown, 'vessel').map(toRecord) }, 200);
  });
  app.openapi(routes.shiplistRoute, (context) => {
    const imos = world.shiplists.get(context.req.valid('param').SHIPLIST_NAME);
    const at = startOfHour(now());
    const found = imos?.flatMap((imo) => world.vesselPredictions(imo, at) ?? []);
    return context.json({ records: checkKnown(found, unknown, 'list').map(toRecord) }, 200);
  });
}

function addUsage(app: OpenAPIHono<ServiceEnv>, { usage, now, maxPageSize }: ServiceOptions) {
  app.openapi(routes.usageRoute, (context) => {
    const at = now();
    const query = context.req.valid('query');
    const { year = at.getUTCFullYear(), month = at.getUTCMonth() + 1, page = 1 } = query;
    const size = Math.min(query.page_size ?? maxPageSize, maxPageSize);
    const userId = context.get('account')?.userId ?? '';
    const rows = usage.report({ userId, year, month, now: at });
    const minute = at.getTime() - (at.getTime() % 60_000);
    const body = {
      last_updated_datetime: withOffset(minute),
      usage: rows.slice((page - 1) * size, page * size),
    };
    return context.json(body, 200);
  });
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const defaultPeriodMs = 90 * dayMs;

function addStatistics(app: OpenAPIHono<ServiceEnv>, { world, now, unknown }: ServiceOptions) {
  app.openapi(routes.statisticsRoute, (context) => {
    if (!context.get('account')?.beta)
      throw new ServiceError(
        403,
        'no_beta_access',
        'This user has no access to trade lane analytics (beta).',
      );
    const query = context.req.valid('query');
    const at = now().getTime();
    const endMs = query.end_datetime ? Date.parse(query.end_datetime) : at;
    const beginMs = query.begin_datetime ? Date.parse(query.begin_datetime) : at - defaultPeriodMs;
    if (beginMs > endMs)
      throw new ServiceError(400, 'invalid_request', 'begin_datetime is after end_datetime.');
    const lane = { origin: query.origin_un_location_code, destination: query.destination_un_location_code };
    const carriers = query.vessel_operator_carrier_codes?.split(',').map((code) => code.trim());
    const found = world.statistics({ ...lane, beginMs, endMs }, at);
    const statistics = checkKnown(found, unknown, 'port')
      .filter(({ carrier }) => !carriers || carriers.includes(carrier))
      .map((row) => ({
        vessel_operator_carrier_code: row.carrier,
        origin_un_location_code: lane.origin,
        destination_un_location_code: lane.destination,
        begin_datetime: withOffset(beginMs),
        end_datetime: withOffset(endMs),
        origin_omitted_port_call_count: row.originOmissions,
        destination_omitted_port_call_count: row.destinationOmissions,
        total_journeys: row.journeys,
        destination_delayed_journeys: row.destinationDelayed,
        origin_delayed_journeys: row.originDelayed,
      }));
    return context.json({ statistics }, 200);
  });
}

/** Answers a question about something unknown as the `unknown` option says: empty, or with an error. */
function checkKnown<Item>(
  found: readonly Item[] | undefined,
  unknown: ServiceOptions['unknown'],
  what: string,
): readonly Item[] {
  if (found) return found;
  if (unknown === 'empty') return [];
  throw unknown === '404'
    ? new ServiceError(404, 'not_found', `No such ${what}.`)
    : new ServiceError(422, 'not_processable', `The ${what} is not known.`);
}

/** The world changes every 15 minutes. Ship and shiplist answers use its state at the start of the hour. */
const startOfHour = (at: Date) => Math.floor(at.getTime() / hourMs) * hourMs;

/** `2026-11-23T14:05:00.000+00:00` */
const withOffset = (ms: number) => new Date(ms).toISOString().replace('Z', '+00:00');

const toScale = (probability: number, { probabilityScale }: ServiceOptions) =>
  probabilityScale === 'percent'
    ? Math.round(probability * 1000) / 10
    : Math.round(probability * 1000) / 1000;

/** In answers for ships and shiplists, about one record in twelve has no ETA; repeated requests agree on which. */
const isEtaKnown = ({ imo, port, etaMs }: WorldPrediction) =>
  (imo + port.charCodeAt(2) * 7 + Math.floor(etaMs / dayMs)) % 12 !== 0;
