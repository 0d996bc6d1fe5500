import {
  isJSONRPCErrorResponse,
  McpServer,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Command, CommandTool } from '../features/command.ts';
import { carriers } from '../reference/carriers.ts';
import { allPorts, canonicalPort, type Port } from '../reference/ports.ts';
import { type CallServices, createCallTool, type FindCaller } from './call-tool.ts';

interface McpOptions extends CallServices {
  commands: readonly Command[];
  version: string;
  /** Offers the tools about what a Slack workspace has stored. The caller then needs a `place`. */
  hasWorkspace: boolean;
  findCaller: FindCaller;
  /** To be shared by the factories of a process. */
  shapeOf?: ToolShapes;
}

/** Nobody has to be notified of a change, so no subscription holds a connection open. */
const unchanging = { listChanged: false };

/**
 * Returns a factory of servers, for any transport: it is asked for one for each connection, or for each HTTP request. They
 * share nothing but the services.
 */
export function createMcpFactory({
  commands,
  version,
  hasWorkspace,
  findCaller,
  shapeOf = createToolShapes(),
  ...services
}: McpOptions): () => McpServer {
  const tools = commands
    .flatMap((command) => command.tools)
    .filter(({ needsSlack }) => hasWorkspace || !needsSlack);
  const callTool = createCallTool(services, { tools, findCaller });
  return () => {
    const server = new McpServer(
      { name: 'landfall', title: 'Landfall', version },
      {
        instructions: instructions(services.source),
        capabilities: { tools: unchanging, resources: unchanging },
      },
    );
    for (const tool of tools)
      server.registerTool(tool.name, shapeOf(tool), (input, context) => callTool(tool, input, context));
    registerResources(server);
    return withReadableErrors(server);
  };
}

type ToolShapes = ReturnType<typeof createToolShapes>;

/**
 * Returns a function that says what assistants see of a tool. It converts the schemas of each tool to JSON Schema once: all
 * tools together take 15 ms, and each request has a server of its own, which lists them anew.
 */
export function createToolShapes() {
  // By a schema, since the features of each workspace bind the tools anew, but share their schemas.
  const shapes = new WeakMap<z.ZodObject, ReturnType<typeof shapeOf>>();
  return (tool: CommandTool) => {
    const shape = shapes.get(tool.input) ?? shapeOf(tool);
    shapes.set(tool.input, shape);
    return shape;
  };
}

const shapeOf = ({ title, description, effect, input, output }: CommandTool) => ({
  title,
  description,
  inputSchema: advertised(input.strict()),
  outputSchema: convertedOnce(output),
  annotations: {
    title,
    readOnlyHint: effect === 'reads',
    destructiveHint: effect === 'removes',
    idempotentHint: true,
    // It asks a service whose answers change.
    openWorldHint: true,
  },
  _meta: { slack: { supportsBlockKit: true } },
});

/** Only tells what the fields are: the tool itself reads them, so that errors are in its own words. */
const advertised = (schema: z.ZodObject): StandardSchemaWithJSON<unknown, unknown> => ({
  '~standard': { ...convertedOnce(schema)['~standard'], validate: (value) => ({ value }) },
});

function convertedOnce(schema: z.ZodObject): StandardSchemaWithJSON<unknown, unknown> {
  const { version, vendor, jsonSchema, validate } = schema['~standard'];
  const converted = new Map<string, Record<string, unknown>>();
  const once =
    (io: 'input' | 'output'): typeof jsonSchema.input =>
    (options) => {
      const key = `${io} ${options.target}`;
      const json = converted.get(key) ?? jsonSchema[io](options);
      converted.set(key, json);
      return json;
    };
  return {
    '~standard': { version, vendor, validate, jsonSchema: { input: once('input'), output: once('output') } },
  };
}

/** What an assistant reads about the whole server. */
const instructions = (source: 'service' | 'sandbox'): string =>
  [
    'Landfall predicts where container vessels will call next, which vessels may call at a port, and counts how the carriers of a trade lane performed. The data is that of the Vessel Schedule Analytics Service.',
    'Next ports and ETAs are predicted, not reported. Never say that a vessel has arrived, berthed or departed, or where it is. Give the probability with each prediction.',
    'What an answer does not hold is unknown: do not fill it in from other sources or from memory. Only the next call of a vessel is predicted.',
    'An ETA that has passed is overdue: the call is still predicted, and whether the vessel has arrived is unknown.',
    'Say how old the data is (`fetchedAt`), and mention `staleSince` if it is set and `faults` if it is not 0.',
    "Times are in UTC; `etaLocal` is the same time by the port's own clock.",
    ...(source === 'sandbox'
      ? [
          'All data is invented: it comes from the sandbox, not from the service. Say “invented data” in every answer.',
        ]
      : []),
  ].join('\n');

/** What zod says about a value, as JSON, and the colon before it. */
const issues = /:?\s*\[\s*\{.*$/s;

/** Shortens the errors of the SDK that quote zod about a malformed request: a model reads them. */
function withReadableErrors(server: McpServer): McpServer {
  const connect = server.connect.bind(server);
  server.connect = (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) =>
      send(
        isJSONRPCErrorResponse(message) ? { ...message, error: reworded(message.error) } : message,
        options,
      );
    return connect(transport);
  };
  return server;
}

function reworded<Reply extends { code: number; message: string }>(error: Reply): Reply {
  if (!issues.test(error.message)) return error;
  const what = error.message.replace(issues, '').trim();
  const message = what === '' ? 'The parameters of this request are not valid' : what;
  return { ...error, code: ProtocolErrorCode.InvalidParams, message };
}

const mimeType = 'application/json';
const portsUri = 'landfall://ports';
const maxCompletions = 100;

/** The ports and carriers that Landfall knows by name. The service may know more: their codes work too. */
function registerResources(server: McpServer): void {
  server.registerResource(
    'ports',
    portsUri,
    {
      title: 'Ports, by country',
      description: 'The countries with ports known here, how many each has, and where the ports are listed',
      mimeType,
    },
    (uri) => json(uri, { countries: countries() }),
  );
  server.registerResource(
    'port',
    new ResourceTemplate(`${portsUri}/{locode}`, {
      list: undefined,
      complete: {
        locode: (typed) => {
          const codes = allPorts().map(({ locode }) => locode);
          return codes.filter((code) => code.startsWith(typed.toUpperCase())).slice(0, maxCompletions);
        },
      },
    }),
    { title: 'A port', description: 'A port by its UN/LOCODE: name, country and time zone', mimeType },
    (uri, { locode }) => {
      const port = allPorts().find((each) => each.locode === upperCase(locode));
      if (!port) throw new ResourceNotFoundError(uri.href, 'No port is known here by that UN/LOCODE.');
      return json(uri, shownPort(port));
    },
  );
  server.registerResource(
    'ports-of-country',
    new ResourceTemplate('landfall://countries/{country}/ports', {
      list: undefined,
      complete: {
        country: (typed) =>
          countries()
            .map(({ country }) => country)
            .filter((code) => code.startsWith(typed.toUpperCase()))
            .slice(0, maxCompletions),
      },
    }),
    {
      title: 'The ports of a country',
      description: 'The ports of a country (ISO 3166 alpha-2): UN/LOCODE, name and time zone',
      mimeType,
    },
    (uri, { country }) => {
      const ports = allPorts().filter((port) => port.country === upperCase(country));
      if (ports.length === 0)
        throw new ResourceNotFoundError(uri.href, 'No port is known here in that country.');
      return json(uri, { ports: ports.map(shownPort) });
    },
  );
  server.registerResource(
    'carriers',
    'landfall://carriers',
    { title: 'Carriers', description: 'The carriers known here by name, with their SCAC', mimeType },
    (uri) => json(uri, { carriers: carriers.map(({ scac, name }) => ({ scac, name })) }),
  );
}

const json = (uri: URL, content: object) => ({
  contents: [{ uri: uri.href, mimeType, text: JSON.stringify(content) }],
});

const upperCase = (variable: string | string[] | undefined): string => String(variable).toUpperCase();

function countries() {
  const byCountry = Map.groupBy(allPorts(), ({ country }) => country);
  return [...byCountry].map(([country, ports]) => ({
    country,
    name: ports[0]?.countryName ?? country,
    ports: ports.length,
    uri: `landfall://countries/${country}/ports`,
  }));
}

function shownPort({ locode, name, country, region, zone }: Port) {
  const main = canonicalPort(locode);
  return {
    ...{ locode, name, country, region: region ?? null, zone: zone ?? null },
    ...(main !== locode && { sameAs: main }),
  };
}
