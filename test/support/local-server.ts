import { createServer, type RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';

/** Serves on a port of this machine until the test ends; returns the origin. */
export async function serve(handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const port = await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(Object(server.address()).port));
  });
  return `http://127.0.0.1:${port}`;
}
