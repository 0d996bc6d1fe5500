import { z } from 'zod';
import type { Reading, Settings } from './setting.ts';

const proxyAddress = () =>
  z.string().refine((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''), {
    error: 'the address of an HTTP proxy, such as http://proxy.example.com:3128',
  });

export const proxySettings = {
  HTTPS_PROXY: {
    schema: proxyAddress().optional(),
    secret: true,
    description:
      'HTTP proxy for connections to https addresses: Slack, with Socket Mode, and the service. It may hold a user and a password: `http://user:password@proxy.example.com:3128`. PostgreSQL is always reached directly.',
  },
  HTTP_PROXY: {
    schema: proxyAddress().optional(),
    secret: true,
    description: 'The same for http addresses, and for https ones without HTTPS_PROXY.',
  },
  NO_PROXY: {
    schema: z.string().optional(),
    description:
      'Hosts that are reached without a proxy, separated by commas: `analytics.example.com` with its subdomains, `10.0.0.5:8080`; `*` for all. This machine itself (127.0.0.1, localhost) always is.',
  },
} satisfies Settings;

export type ProxyConfig = ReturnType<typeof chooseProxy>;

/** The settings of the proxy also have their usual names in lower case, which win, as in curl. */
export function withUsualNames(env: Record<string, string | undefined>): Record<string, string | undefined> {
  const names = Object.keys(proxySettings).map((name) => [name, env[name.toLowerCase()] || env[name]]);
  return { ...env, ...Object.fromEntries(names) };
}

/** Undefined if all connections are direct. `directHosts`: where this process itself listens. */
export function chooseProxy(
  { values }: Reading<typeof proxySettings>,
  { directHosts }: { directHosts: readonly string[] },
) {
  const { HTTPS_PROXY, HTTP_PROXY, NO_PROXY = '' } = values;
  const https = HTTPS_PROXY ?? HTTP_PROXY;
  if (https === undefined || NO_PROXY === '*') return undefined;
  const own = [...loopbackHosts, ...directHosts].map((host) => (host.includes(':') ? `[${host}]` : host));
  return {
    /** They may hold a password. */
    https,
    http: HTTP_PROXY,
    /** Separated by commas. */
    except: [NO_PROXY, ...own].filter(Boolean).join(','),
  };
}

const loopbackHosts = ['localhost', '127.0.0.1', '::1'];

/** A proxy's host and port, for texts. */
export function proxyHost(address: string): string {
  const { host, port, protocol } = new URL(address);
  return port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host;
}
