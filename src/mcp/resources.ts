import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import { carriers } from '../reference/carriers.ts';
import { allPorts, canonicalPort, type Port } from '../reference/ports.ts';

const mimeType = 'application/json';
const portsUri = 'landfall://ports';
const maxCompletions = 100;

/** The ports and carriers that Landfall knows by name. The service may know more: their codes work too. */
export function registerResources(server: McpServer): void {
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
