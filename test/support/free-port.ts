import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A port for servers that must know it in advance, or reuse it. It is below the range from which the system assigns
 * ports (32768 and up; macOS: 49152 and up), so the system doesn't give it to another program.
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
