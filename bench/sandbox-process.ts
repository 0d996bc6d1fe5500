// The sandbox in a separate process: sends its address, then its counters on request.
import { createSandbox } from '../src/sandbox/sandbox.ts';

export interface SandboxReady {
  url: string;
  env: Record<string, string>;
  vessels: number[];
}

export interface SandboxCounts {
  logins: number;
  /** Without logins. */
  requests: number;
  processorMs: number;
}

const sandbox = await createSandbox({ latencyMs: Number(process.argv[2] ?? 50) });

process.on('message', () => {
  const { total, logins } = sandbox.requests;
  const { user, system } = process.cpuUsage();
  const counts: SandboxCounts = { logins, requests: total - logins, processorMs: (user + system) / 1000 };
  process.send?.(counts);
});
process.on('disconnect', () => process.exit(0));

const ready: SandboxReady = {
  url: sandbox.url,
  env: {
    ANALYTICS_BASE_URL: sandbox.url,
    ANALYTICS_API_KEY: sandbox.credentials.apiKey,
    ANALYTICS_USER_ID: sandbox.credentials.userId,
    ANALYTICS_PASSWORD: sandbox.credentials.password,
  },
  vessels: sandbox.vessels.map(({ imo }) => imo),
};
process.send?.(ready);
