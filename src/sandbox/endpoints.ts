/** The endpoints of the contract. */
export type Endpoint = 'login' | 'vessel' | 'port' | 'ship' | 'shiplist' | 'usage' | 'statistics';

/** The fixed beginning of each path. The usage report names endpoints by it. */
export const endpointPaths: Readonly<Record<Endpoint, string>> = {
  login: '/authentication/login',
  vessel: '/nextport/vessel',
  port: '/nextport/port',
  ship: '/nextport/ship',
  shiplist: '/nextport/shiplist',
  usage: '/administration/usage',
  statistics: '/tradelane-analytics/journey-statistics',
};

export const endpoints = Object.keys(endpointPaths) as readonly Endpoint[]; // the record's type has these keys only

/** Undefined for a path that is not in the contract. */
export function endpointOf(path: string): Endpoint | undefined {
  return endpoints.find((name) => path === endpointPaths[name] || path.startsWith(`${endpointPaths[name]}/`));
}
