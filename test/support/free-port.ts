import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A port for what has to know it beforehand, or comes back to it. Those that a system gives away by itself
 * (from 32768 on; macOS: 49152) are not among them: nobody gets it between this look and its use.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
  throw new Error('no port is free');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
