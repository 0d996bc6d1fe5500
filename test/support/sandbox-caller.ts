import { createSandbox, type SandboxCredentials, type SandboxOptions } from '../../src/sandbox/sandbox.ts';

/** Saturday 21 November 2026, 09:05 UTC. The clock is stopped; tests move it. */
export const sandboxEpoch = new Date('2026-11-21T09:05:00Z');

/** Calls the sandbox as the contract says. The first call logs in automatically. */
export async function startSandboxCaller(options: SandboxOptions = {}) {
  const sandbox = await createSandbox({ clock: { epoch: sandboxEpoch, speed: 0 }, ...options });
  const login = async ({ apiKey, userId, password }: SandboxCredentials = sandbox.credentials) => {
    const response = await fetch(`${sandbox.url}/authentication/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'X-Api-Key': apiKey },
      body: JSON.stringify({ user_id: userId, password }),
    });
    if (response.status !== 200)
      throw new Error(`login answered ${response.status}: ${await response.text()}`);
    const { token } = (await response.json()) as { token: string }; // the contract's only field
    return token;
  };
  let token: string | undefined;
  const get = async (path: string, headers: Record<string, string | undefined> = {}): Promise<Response> => {
    token ??= await login();
    const all = {
      'content-type': 'application/json',
      'x-api-key': sandbox.credentials.apiKey,
      authorization: `Bearer ${token}`,
      ...headers,
    };
    const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return fetch(sandbox.url + path, { headers: given });
  };
  return {
    sandbox,
    login,
    get,
    /** The body of the answer to a GET request, which must have status 200. */
    // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of several shapes and assert them
    async json(path: string): Promise<any> {
      const response = await get(path);
      if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
      return response.json();
    },
    close: () => sandbox.close(),
    [Symbol.asyncDispose]: () => sandbox.close(),
  };
}
