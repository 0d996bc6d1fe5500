import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

/** Below the range from which the system assigns ports (32768 and up; macOS: 49152 and up). */
const FIRST_PORT = 20_000;
const BLOCKS = 120;
const BLOCK_SIZE = 100;

let ports: Promise<number[]> | undefined;

/**
 * A port for servers that must know it in advance, or reuse it. No other call gets it, not in another process either:
 * each worker takes its ports from a block of its own, and holds the block by listening on its first port.
 */
export async function freePort(): Promise<number> {
  ports ??= claimBlock();
  const unused = await ports;
  for (let port = unused.pop(); port !== undefined; port = unused.pop()) {
    const server = await listen(port);
    if (!server) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
  throw new Error('no port is free');
}

async function claimBlock(): Promise<number[]> {
  const start = randomInt(BLOCKS);
  for (let tries = 0; tries < BLOCKS; tries += 1) {
    const first = FIRST_PORT + ((start + tries) % BLOCKS) * BLOCK_SIZE;
    const holder = await listen(first);
    holder?.unref();
    if (holder) return Array.from({ length: BLOCK_SIZE - 1 }, (_, index) => first + 1 + index);
  }
  throw new Error('no block of ports is free');
}

/** Undefined if the port is in use. */
function listen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
