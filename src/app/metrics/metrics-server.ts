import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageOf } from '../../errors.ts';
import { withinDeadline } from '../../features/deadline.ts';
import type { Logger } from '../../log.ts';
import { createWebServer, pathOf } from '../../slack/receivers/web-server.ts';
import { createMetrics } from './metrics.ts';
import { type GaugeSources, readGauges } from './read-gauges.ts';

/** Prometheus gives up after 10 s, and would take a database that hangs for a process that is down. */
const maxReadingMs = 5_000;

/** Counts at once; serves /metrics after `start`. Requests at the same time share a reading of the store. */
export function createMetricsServer(options: {
  host: string;
  port: number;
  logger: Logger;
  readingMs?: number;
}) {
  const { host, port, logger, readingMs = maxReadingMs } = options;
  const metrics = createMetrics();
  const { registry, measure } = metrics;
  let sources: GaugeSources | undefined;
  let reading: Promise<void> | undefined;

  async function read(): Promise<string> {
    // Without the store, the counters are still there, and say what is wrong.
    try {
      await withinDeadline(readingMs, readStore);
    } catch (error) {
      logger.warn({ reason: messageOf(error) }, 'the metrics of the store could not be read');
    }
    return registry.metrics();
  }

  /** One that hangs goes on, and no other begins. */
  async function readStore(): Promise<void> {
    if (!sources) return;
    reading ??= readGauges(metrics, sources).finally(() => {
      reading = undefined;
    });
    await reading;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (pathOf(request) !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404).end();
      return;
    }
    const text = await read();
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
