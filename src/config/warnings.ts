import { statSync } from 'node:fs';

/** One sentence for each risky setting, without secrets. */
export function settingWarnings(
  host: string,
  services: readonly string[],
  isPlaygroundByDefault: boolean,
): string[] {
  const warnings: string[] = [];
  const isOpen = (url: URL | null) => url?.protocol === 'http:' && !isLoopback(url.hostname);
  if (services.some((service) => isOpen(URL.parse(service))))
    warnings.push(
      'The address of the service starts with http://, so accounts go over the network unencrypted. Use https://',
    );
  if (isPlaygroundByDefault && !isLoopback(host))
    warnings.push(
      `HOST is ${host}, but the playground listens on 127.0.0.1 only: anybody who reaches it can act as any user. Set SLACK_API_URL=playground to open it anyway.`,
    );
  return warnings;
}

/** Warns if other users can read `.env`, which `npm start` reads. Windows has no such permissions. */
export function envFileWarnings(path = '.env'): string[] {
  const file = statSync(path, { throwIfNoEntry: false });
  if (!file || process.platform === 'win32' || (file.mode & 0o077) === 0) return [];
  const mode = (file.mode & 0o777).toString(8).padStart(3, '0');
  return [`Other users of this machine can read ${path} (mode ${mode}). Run: chmod 600 ${path}`];
}

/** Takes a host name, or an address with or without the brackets of a URL. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '');
  return name === 'localhost' || name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name);
}
