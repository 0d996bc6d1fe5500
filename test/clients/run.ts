// `npm run test:clients`: tries the MCP server with clients that nobody here wrote, from a folder of their own: the
// inspector's CLI and the runner of the protocol's conformance tests. The bot is the bundle, with an embedded Slack and
// service; a proxy signs the requests on their way, as Slack does for Slackbot.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createPlayground } from 'bolt-playground';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { signatureOf } from '../support/sign.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));
const runFile = promisify(execFile);
const env = { ...process.env, NO_COLOR: '1' };

/** Those that need no tools, prompts or resources made for them. */
const scenarios = ['server-initialize', 'ping', 'tools-list', 'resources-list', 'dns-rebinding-protection'];

const playground = await createPlayground({ mode: 'http' });
const sandbox = await createSandbox();
const { bot, url } = await startBot();
const slackbot = await signAs('U0ADA0001', `${url}/mcp`);
let failures = 0;
try {
  const over = ['--transport', 'http', '--server-url'];
  await inspect('tools, with strict schemas', [...over, slackbot.url, '--method', 'tools/list', '--strict']);
  const call = ['--method', 'tools/call', '--tool-name'];
  await inspect('an answer', [...over, slackbot.url, ...call, 'nextport', '--tool-arg', 'vessel=9461477'], {
    shows: ['DS CYPRESS', 'predicted, not reported', '"source": "service"'],
  });
  await inspect('a wrong IMO', [...over, slackbot.url, ...call, 'nextport', '--tool-arg', 'vessel=9461478'], {
    code: 5,
    shows: ["isn't a valid IMO number"],
  });
  await inspect('the resources', [...over, slackbot.url, '--method', 'resources/list'], {
    shows: ['landfall://carriers'],
  });
  await inspect(
    'a port',
    [...over, slackbot.url, '--method', 'resources/read', '--uri', 'landfall://ports/NLRTM'],
    {
      shows: ['Rotterdam'],
    },
  );
  await inspect('nobody without a token', [...over, `${url}/mcp`, '--method', 'tools/list'], { code: 3 });
  const stdio = [process.execPath, `${root}dist/mcp.js`];
  await inspect('tools over stdio', [...stdio, '--method', 'tools/list', '--strict']);
  await inspect('an answer over stdio', [...stdio, ...call, 'portcalls', '--tool-arg', 'port=Rotterdam'], {
    shows: ['"NLRTM"', 'predicted, not reported'],
  });
  for (const scenario of scenarios) await conform(scenario);
} finally {
  slackbot.server.close();
  bot.kill('SIGTERM');
  await playground.close();
  await sandbox.close();
}
process.stdout.write(failures === 0 ? 'All clients are content.\n' : `${failures} failed.\n`);
process.exitCode = failures === 0 ? 0 : 1;

async function startBot(): Promise<{ bot: ChildProcess; url: string }> {
  const { apiKey, userId, password } = sandbox.credentials;
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      LANDFALL_DATA_DIR: ':memory:',
      SLACK_BOT_TOKEN: playground.botToken,
      SLACK_SIGNING_SECRET: playground.signingSecret,
      SLACK_API_URL: playground.apiUrl,
      ANALYTICS_BASE_URL: sandbox.url,
      ANALYTICS_API_KEY: apiKey,
      ANALYTICS_USER_ID: userId,
      ANALYTICS_PASSWORD: password,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const chunk of child.stdout ?? []) {
    output += chunk;
    const [, found] = /Health: (http:\S+)\/readyz/.exec(output) ?? [];
    if (found) {
      child.stdout?.resume();
      return { bot: child, url: found };
    }
  }
  throw new Error(`The bot did not start:\n${output}`);
}

/** A proxy that names the person in each message and signs it. Other headers, such as Host, pass as they are. */
async function signAs(userId: string, target: string): Promise<{ server: Server; url: string }> {
  const server = createServer(async (incoming, response) => {
    const text = (await buffer(incoming)).toString();
    const body = incoming.method === 'POST' ? named(text, userId) : text;
    const headers = {
      ...incoming.headers,
      'content-length': String(Buffer.byteLength(body)),
      ...signatureOf(body, playground.signingSecret),
    };
    const outgoing = request(target, { method: incoming.method ?? 'GET', headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    outgoing.end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // listens on TCP
  return { server, url: `http://127.0.0.1:${port}/mcp` };
}

function named(text: string, userId: string): string {
  const message = JSON.parse(text);
  const slack = { user_id: userId, team_id: playground.world.team.id };
  const params = { ...message.params, _meta: { ...message.params?._meta, slack } };
  return JSON.stringify(message.id === undefined ? message : { ...message, params });
}

async function inspect(
  title: string,
  args: string[],
  { code = 0, shows = [] }: { code?: number; shows?: string[] } = {},
): Promise<void> {
  const result = await run('mcp-inspector', ['--cli', ...args]);
  const missing = shows.filter((text) => !result.output.includes(text));
  const isFine = result.code === code && missing.length === 0;
  report(
    `inspector: ${title}`,
    isFine,
    `status ${result.code}, lacks ${missing.join(', ')}\n${result.output}`,
  );
}

async function conform(scenario: string): Promise<void> {
  const { code, output } = await run('conformance', [
    'server',
    '--url',
    slackbot.url,
    '--scenario',
    scenario,
  ]);
  report(`conformance: ${scenario}`, code === 0, output);
}

async function run(name: string, args: string[]): Promise<{ code: unknown; output: string }> {
  const command = `${here}node_modules/.bin/${name}`;
  try {
    const { stdout, stderr } = await runFile(process.execPath, [command, ...args], {
      env,
      cwd: here,
      timeout: 60_000,
    });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    // execFile adds these to its error.
    const { code, stdout, stderr } = error as { code: unknown; stdout: string; stderr: string };
    return { code, output: `${stdout}${stderr}` };
  }
}

function report(title: string, isFine: boolean, details: string): void {
  process.stdout.write(`${isFine ? '✓' : '✗'} ${title}\n`);
  if (isFine) return;
  failures += 1;
  process.stdout.write(`${details.slice(0, 3_000)}\n`);
}
