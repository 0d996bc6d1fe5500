import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { childEnv } from '../support/child-env.ts';

/** A directory for the process, which must stay empty: the server of a desktop assistant stores nothing. */
async function emptyDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'landfall-mcp-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

test('npm run mcp serves a desktop assistant over stdio, without a store, and logs to stderr', async () => {
  const directory = await emptyDirectory();
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
  ['its input ends', (child: ReturnType<typeof start>) => child.stdin.end()],
  ['it gets SIGTERM', (child: ReturnType<typeof start>) => child.kill('SIGTERM')],
])('it ends with status 0 when %s, having written only the protocol', async (_, end) => {
  const child = start();
  let output = '';
  child.stdout.on('data', (data: Buffer) => {
    output += data;
  });
  child.stdin.write(`${JSON.stringify(initialize)}\n`);
  await once(child.stdout, 'data');
  end(child);
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  expect(JSON.parse(output)).toMatchObject({ id: 1, result: { serverInfo: { name: 'landfall' } } });
});

function start() {
  const child = spawn(process.execPath, ['dist/mcp.js'], {
    env: { ...childEnv(), LANDFALL_DATA_DIR: ':memory:' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

test('settings that can’t be used stop it, without a word on stdout', async () => {
  const child = spawn(process.execPath, ['dist/mcp.js'], {
    env: { ...childEnv(), ANALYTICS_BASE_URL: 'not an address' },
  });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (data: Buffer) => {
    output += data;
  });
  child.stderr.on('data', (data: Buffer) => {
    errors += data;
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(2);
  expect(output).toBe('');
  expect(errors).toContain('ANALYTICS_BASE_URL');
});
