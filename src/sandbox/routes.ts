import { createRoute, z } from '@hono/zod-openapi';

// The service's contract as OpenAPI routes. test/sandbox/client.test.ts compares them with the client.

const json = <Schema extends z.ZodType>(schema: Schema, description: string) => ({
  content: { 'application/json': { schema } },
  description,
});

const error = z
  .object({ status: z.int(), code: z.string(), message: z.string() })
  .openapi('Error', { example: { status: 401, code: 'token_expired', message: 'The token has expired.' } });

/** The answer to any failed request: 400, 401, 403, 404, 415, 422. */
const failure = { default: json(error, 'What was wrong') };

const dateTime = z.string().openapi({ format: 'date-time' });

const prediction = z
  .object({
    un_location_code: z.string().openapi({ example: 'NLRTM' }),
    eta_datetime: dateTime.openapi({ example: '2026-11-23T14:05:00.000+00:00' }),
    probability: z.number().openapi({ example: 0.82 }),
    vessel_imo_number: z.int().openapi({ example: 9461477 }),
  })
  .openapi('Prediction');

const nextPortRecord = z
  .object({
    imo: z.int().openapi({ example: 9461477 }),
    locode: z.string().openapi({ example: 'NLRTM' }),
    probability: z.number(),
    eta: z
      .string()
      .optional()
      .openapi({ example: '2026-11-23T14:05:00', description: 'UTC; left out when unknown.' }),
  })
  .openapi('NextPortRecord');

const usageRecord = z
  .object({
    user_id: z.string().nullable(),
    usage_year: z.int(),
    usage_month: z.int(),
    usage_type: z.enum(['PUSH', 'REQUEST']),
    usage_method: z.string().nullable(),
    endpoint: z.string(),
    status: z.enum(['SUCCESS', 'ERROR']),
    unit: z.enum(['REQUESTS', 'CONTAINERS']),
    usage_count: z.int(),
    text: z.string().nullable(),
  })
  .openapi('UsageRecord');

const statistics = z
  .object({
    vessel_operator_carrier_code: z.string().openapi({ example: 'MAEU' }),
    origin_un_location_code: z.string(),
    destination_un_location_code: z.string(),
    begin_datetime: dateTime,
    end_datetime: dateTime,
    origin_omitted_port_call_count: z.int(),
    destination_omitted_port_call_count: z.int(),
    total_journeys: z.int(),
    destination_delayed_journeys: z
      .int()
      .openapi({ description: 'Arrived over 24 h after the original schedule.' }),
    origin_delayed_journeys: z.int().openapi({ description: 'Left over 24 h after the original schedule.' }),
  })
  .openapi('Statistics');

export type PredictionBody = z.infer<typeof prediction>;
export type NextPortBody = z.infer<typeof nextPortRecord>;
export type UsageBody = z.infer<typeof usageRecord>;
export type StatisticsBody = z.infer<typeof statistics>;

const imo = z
  .string()
  .regex(/^\d{1,9}$/, 'an IMO number')
  .transform(Number)
  .openapi({ type: 'integer', example: 9461477 });
const whole = (min: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/, 'a whole number')
    .transform(Number)
    .refine((value) => value >= min, `${min} or more`)
    .openapi({ type: 'integer', minimum: min });
const instant = z.iso
  .datetime({ offset: true, error: 'ISO 8601 with an offset, such as 2026-08-22T00:00:00Z' })
  .optional();
const port = z.string().min(1).openapi({ example: 'SGSIN' });

export const loginRoute = createRoute({
  method: 'post',
  path: '/authentication/login',
  security: [{ apiKey: [] }],
  request: {
    body: {
      required: true,
      ...json(z.object({ user_id: z.string(), password: z.string() }), 'Who logs in'),
    },
  },
  responses: { ...failure, 200: json(z.object({ token: z.string() }), 'A session token (JWT)') },
});

export const vesselPredictionsRoute = createRoute({
  method: 'get',
  path: '/nextport/vessel/{vessel_imo_number}/predictions',
  request: { params: z.object({ vessel_imo_number: imo }) },
  responses: {
    ...failure,
    200: json(z.object({ predictions: z.array(prediction) }), 'Candidate next ports, unsorted'),
  },
});

export const portPredictionsRoute = createRoute({
  method: 'get',
  path: '/nextport/port/{un_location_code}/predictions',
  request: { params: z.object({ un_location_code: z.string() }) },
  responses: {
    ...failure,
    200: json(z.object({ predictions: z.array(prediction) }), 'Vessels that may call next'),
  },
});

export const shipRoute = createRoute({
  method: 'get',
  path: '/nextport/ship/{IMO}',
  request: { params: z.object({ IMO: imo }) },
  responses: {
    ...failure,
    200: json(z.object({ records: z.array(nextPortRecord) }), 'Candidate next ports'),
  },
});

export const shiplistRoute = createRoute({
  method: 'get',
  path: '/nextport/shiplist/{SHIPLIST_NAME}',
  request: { params: z.object({ SHIPLIST_NAME: z.string() }) },
  responses: {
    ...failure,
    200: json(z.object({ records: z.array(nextPortRecord) }), 'The same for each vessel listed'),
  },
});

export const usageRoute = createRoute({
  method: 'get',
  path: '/administration/usage',
  request: {
    query: z.object({
      year: whole(1).optional(),
      month: whole(1)
        .refine((value) => value <= 12, '1 to 12')
        .optional(),
      page: whole(1).optional(),
      page_size: whole(1).optional(),
    }),
  },
  responses: {
    ...failure,
    200: json(
      z.object({ last_updated_datetime: dateTime, usage: z.array(usageRecord) }),
      'One page of usage',
    ),
  },
});

export const statisticsRoute = createRoute({
  method: 'get',
  path: '/tradelane-analytics/journey-statistics',
  request: {
    query: z.object({
      origin_un_location_code: port,
      destination_un_location_code: port,
      begin_datetime: instant,
      end_datetime: instant,
      vessel_operator_carrier_codes: z.string().optional().openapi({ example: 'MAEU,HLCU' }),
    }),
  },
  responses: {
    ...failure,
    200: json(z.object({ statistics: z.array(statistics) }), 'Per carrier, unsorted'),
  },
});

/** Every endpoint, in the order of the contract. */
export const contractRoutes: readonly { method: string; path: string }[] = [
  loginRoute,
  vesselPredictionsRoute,
  portPredictionsRoute,
  shipRoute,
  shiplistRoute,
  usageRoute,
  statisticsRoute,
].map(({ method, path }) => ({ method, path }));
