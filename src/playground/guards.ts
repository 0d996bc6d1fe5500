/** Names under which only this machine reaches itself. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

export interface Guard {
  /** Is the server called by its own name? A rebound DNS name brings its own Host along. */
  host(header: string | undefined): boolean;
  /** Does the call come from the server's own page, or from no page at all? */
  origin(header: string | undefined): boolean;
  /** The same by `Sec-Fetch-Site`, which browsers send even where they send no Origin. */
  site(header: string | undefined): boolean;
}

/**
 * `port` is asked at each call, since port 0 is known only once the server listens. `names` are
 * further names with that port, `hosts` further whole values of the Host header.
 */
export function createGuard(port: () => number, own: { names: string[]; hosts: string[] }): Guard {
  const names = [...LOOPBACK, ...own.names];
  const isOwn = (host: string) =>
    own.hosts.includes(host) ||
    names.some((name) => host === `${name}:${port()}` || (port() === 80 && host === name));
  return {
    host: (header) => header !== undefined && isOwn(header.toLowerCase()),
    origin: (header) => header === undefined || isOwn(header.toLowerCase().replace(/^https?:\/\//, '')),
    site: (header) => header === undefined || header === 'same-origin' || header === 'none',
  };
}
