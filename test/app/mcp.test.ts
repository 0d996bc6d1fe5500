import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { childEnv } from '../support/child-env.ts';
import { type Run, runScript } from '../support/run-script.ts';
import { useDirectory } from '../support/use-directory.ts';

test('npm run mcp serves a desktop assistant over stdio, without a store, and logs to stderr', async () => {
  // It must stay empty: the server of a desktop assistant stores nothing.
  const directory = await useDirectory();
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['dist/mcp.js'],
    env: { ...childEnv(), LANDFALL_DATA_DIR: directory },
    stderr: 'pipe',
  });
  let logged = '';
  transport.stderr?.on('data', (data: Buffer) => {
    logged += data;
  });
  const client = new Client({ name: 'test', version: '1' });
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  await client.connect(transport);
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('nextport');
  expect(await client.callTool({ name: 'nextport', arguments: { vessel: 9461477 } })).toMatchObject({
    structuredContent: {
      provenance: { invented: true },
      tables: { 'next-ports': expect.arrayContaining([expect.objectContaining({ imo: 9461477 })]) },
    },
  });
  expect(await client.callTool({ name: 'nextport', arguments: { vessel: 'EVER GIVNE' } })).toMatchObject({
    isError: true,
  });
  expect(logged).toContain('"outcome":"answered","line":"nextport 9461477"');
  expect(errors).toEqual([]);
  expect(await readdir(directory)).toEqual([]);
});

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
};

test.each([
  ['its input ends', ({ child }: Run) => child.stdin.end()],
  ['it gets SIGTERM', ({ child }: Run) => child.kill('SIGTERM')],
])('it ends with status 0 when %s, having written only the protocol', async (_, end) => {
  const run = runScript('mcp');
  run.child.stdin.write(`${JSON.stringify(initialize)}\n`);
  await once(run.child.stdout, 'data');
  end(run);
  const { code, stdout } = await run.ended;
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { serverInfo: { name: 'landfall' } } });
});

test('settings that can’t be used stop it, without a word on stdout', async () => {
  const { code, stdout, stderr } = await runScript('mcp', [], { ANALYTICS_BASE_URL: 'not an address' }).ended;
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain('ANALYTICS_BASE_URL');
});
