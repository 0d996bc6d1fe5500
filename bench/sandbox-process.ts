// The sandbox in a separate process: sends its settings, then its counters on request.
import { createSandbox } from '../src/sandbox/sandbox.ts';
import { answerParent } from './child.ts';

export interface SandboxReady {
  env: Record<string, string>;
  vessels: number[];
}

export interface SandboxCounts {
  logins: number;
  /** Without logins. */
  requests: number;
}

const sandbox = await createSandbox({ latencyMs: Number(process.argv[2] ?? 50) });
const ready: SandboxReady = {
  env: {
    ANALYTICS_BASE_URL: sandbox.url,
    ANALYTICS_API_KEY: sandbox.credentials.apiKey,
    ANALYTICS_USER_ID: sandbox.credentials.userId,
    ANALYTICS_PASSWORD: sandbox.credentials.password,
  },
  vessels: sandbox.vessels.map(({ imo }) => imo),
};
answerParent(ready, async (): Promise<SandboxCounts> => {
  const { total, logins } = sandbox.requests;
  return { logins, requests: total - logins };
});
