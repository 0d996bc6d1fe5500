import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageOf } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import { createWebServer, pathOf } from '../../slack/receivers/web-server.ts';
import { createMetrics } from './metrics.ts';
import { type GaugeSources, readGauges } from './read-gauges.ts';

/** Counts at once; serves /metrics after `start`. Requests at the same time share a reading of the store. */
export function createMetricsServer({ host, port, logger }: { host: string; port: number; logger: Logger }) {
  const metrics = createMetrics();
  const { registry, measure } = metrics;
  let sources: GaugeSources | undefined;
  let reading: Promise<string> | undefined;

  async function read(): Promise<string> {
    // Without the store, the counters are still there, and say what is wrong.
    try {
      if (sources) await readGauges(metrics, sources);
    } catch (error) {
      logger.warn({ reason: messageOf(error) }, 'the metrics of the store could not be read');
    }
    return registry.metrics();
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (pathOf(request) !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404).end();
      return;
    }
    reading ??= read().finally(() => {
      reading = undefined;
    });
    const text = await reading;
    response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' }).end(text);
  }

  const server = createWebServer({
    host,
    port,
    handle(request, response) {
      answer(request, response).catch((error: unknown) => {
        logger.error({ err: error }, 'the metrics could not be written');
        response.writeHead(500).end();
      });
    },
  });
  return {
    measure,
    /** Listens; returns the address. Rejects if the port is in use. */
    async start(read: GaugeSources): Promise<string> {
      sources = read;
      return `${await server.start()}/metrics`;
    },
    close: server.cut,
  };
}
