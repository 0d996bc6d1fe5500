/** Host names that only this machine itself can resolve to the server. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

export interface Guard {
  /** True if the Host header names this server. A rebound DNS name would send its own name. */
  allowsHost(header: string | undefined): boolean;
  /** True if the request comes from the server's own page, or from no page at all. */
  allowsOrigin(header: string | undefined): boolean;
  /** The same check by `Sec-Fetch-Site`, which browsers send even when they omit Origin. */
  allowsSite(header: string | undefined): boolean;
}

/**
 * `port` is read on each call because a random port is known only once the server listens. `names` are
 * additional host names on that port, `hosts` additional complete values of the Host header.
 */
export function createGuard(port: () => number, allowed: { names: string[]; hosts: string[] }): Guard {
  const names = [...LOOPBACK, ...allowed.names];
  const isOwn = (host: string) =>
    allowed.hosts.includes(host) ||
    names.some((name) => host === `${name}:${port()}` || (port() === 80 && host === name));
  return {
    allowsHost: (header) => header !== undefined && isOwn(header.toLowerCase()),
    allowsOrigin: (header) => header === undefined || isOwn(header.toLowerCase().replace(/^https?:\/\//, '')),
    allowsSite: (header) => header === undefined || header === 'same-origin' || header === 'none',
  };
}
