import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { vi } from 'vitest';
import { z } from 'zod';
import type { AnalyticsClient } from '../../src/analytics/client.ts';
import { UnavailableError } from '../../src/analytics/errors.ts';
import type { Caller } from '../../src/mcp/call-tool.ts';
import { createMcpServers } from '../../src/mcp/server.ts';
import { featuresOver } from './registry.ts';
import { createStoreLogger } from './store-logger.ts';

const person: Omit<Caller, 'ctx'> = {
  actor: { userId: 'U1', isAdmin: false, zone: 'Europe/Berlin' },
  audience: 'private',
  showsBlocks: false,
};

export const toolResult = z.object({
  content: z.tuple([z.object({ type: z.literal('text'), text: z.string() })]),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
  _meta: z.record(z.string(), z.unknown()).optional(),
});

interface Options {
  analytics: AnalyticsClient;
  clock: () => Date;
  caller?: Partial<Caller>;
  deadlineMs?: number;
  era?: 'legacy' | 'modern';
}

/** An assistant of either era, in this process, over the HTTP handler of the SDK. */
export async function connectAssistant({
  analytics,
  clock,
  caller = {},
  deadlineMs = 15_000,
  era = 'modern',
}: Options) {
  const logger = createStoreLogger();
  const { commands, ctx: terminal } = featuresOver(analytics, { clock });
  const toServiceTrouble = (cause: Error) => new UnavailableError({ since: clock(), cause });
  const ctx = { ...terminal, services: { ...terminal.services, toServiceTrouble } };
  const serversFor = createMcpServers({
    ...{ commands, hasWorkspace: false, deadlineMs, logger },
    version: '0.1.0',
    source: 'sandbox',
    now: clock,
    realNow: vi.fn(() => 0),
  });
  const factory = serversFor(() => ({ ctx, ...person, ...caller }));
  const handler = createMcpHandler(factory);
  const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' };
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL('http://landfall.test/mcp'), {
    fetch: (input, init) => handler.fetch(new Request(input, init)),
  });
  await client.connect(transport);
  return {
    client,
    logger,
    /** The client checks the answer against the tool's output schema. */
    async call(name: string, input: Record<string, unknown>) {
      const { content, ...result } = toolResult.parse(await client.callTool({ name, arguments: input }));
      return { text: content[0].text, ...result };
    },
    async read(uri: string): Promise<Record<string, unknown>> {
      const { contents } = await client.readResource({ uri });
      const [{ text }] = z.tuple([z.object({ text: z.string() })]).parse(contents);
      return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
    },
    async close() {
      await client.close();
      await handler.close();
    },
  };
}
