import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { ada } from '../support/bot.ts';
import { headOf } from './head-of.ts';
import type { Entry } from './scene.ts';
import { type Stage, startStage } from './stage.ts';
import { steady } from './steady.ts';

const result = z.object({
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
});

/** What an assistant gets over HTTP: the tools, and the answer of each call in tools.txt. */
export async function callTools(): Promise<Entry[]> {
  const stage = await startStage({ isPlain: false });
  const client = await connect(stage);
  const entries: Entry[] = [{ heading: 'instructions', text: client.getInstructions() ?? '' }];
  const { tools } = await client.listTools();
  for (const { name, ...tool } of tools)
    entries.push({ heading: `the tool ${name}`, text: steady(schemaLines(tool)) });
  for (const call of readFileSync(new URL('tools.txt', import.meta.url), 'utf8').split('\n')) {
    const [, name, fields] = /^(\w+) (\{.*\})$/.exec(call) ?? [];
    if (!name || !fields) continue;
    const answer = result.parse(await client.callTool({ name, arguments: JSON.parse(fields) }));
    const { content, structuredContent = {}, isError } = answer;
    const text = [
      ...(isError ? ['(an error)'] : []),
      ...content.map((part) => part.text),
      linesOf(structuredContent),
    ];
    entries.push({ heading: call, text: steady(text.join('\n')) });
    // A card of a new watch, and its first poll.
    await stage.work();
  }
  await client.close();
  await stage.bot.stop();
  return entries;
}

/** An admin makes a token in Slack. */
async function connect({ bot, does }: Stage): Promise<Client> {
  await does('ada: /landfall assistants');
  await does('ada presses New token …');
  await does('ada fills in What is it for?: "The corpus"');
  await does('ada fills in What may the assistant do?: "write"');
  await does('ada submits');
  const [token] = /lf_[\w-]+/.exec(JSON.stringify(bot.playground.views(ada))) ?? [];
  if (!token) throw new Error('the window shows no token');
  const client = new Client({ name: 'corpus', version: '1' });
  const headers = { authorization: `Bearer ${token}` };
  const url = new URL('/mcp', bot.playground.url);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return client;
}

/** A line for each field of what a tool takes and gives. */
function schemaLines(tool: Record<string, unknown>): string {
  return Object.entries(tool)
    .map(([key, value]) => `${key}: ${JSON.stringify(value).replaceAll(/(?<=[{,])"\w+":\{"/g, '\n    $&')}`)
    .join('\n');
}

/** A line for each key; of a list, a line for each item. */
function linesOf(data: Record<string, unknown>): string {
  const lines = Object.entries(data).map(([key, value]) =>
    Array.isArray(value) && value.length > 0
      ? `${key}:\n${headOf(value.map((item) => `  - ${JSON.stringify(item)}`).join('\n'))}`
      : `${key}: ${JSON.stringify(value)}`,
  );
  return lines.join('\n');
}
