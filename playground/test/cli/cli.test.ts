import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { PageState } from '../../src/index.ts';
import { freePort } from '../support/free-port.ts';
import { type Packed, packAndInstall, type Run } from './packed.ts';

const ada = 'U0ADA0001';
const ops = 'C0OPS00001';
const address = /The local Slack is at (http\S+)/;

let packed: Packed;
let running: Run | undefined;
beforeAll(() => {
  packed = packAndInstall();
});
afterAll(() => packed.remove());
afterEach(async () => {
  running?.kill('SIGTERM');
  await running?.ended;
  running = undefined;
});

const run = (...args: string[]) => {
  running = packed.run(args);
  return running;
};

/** The page's API of the local Slack that has been started. */
function slackAt(url: string) {
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}/playground/${path}`, {
      ...{ method: 'POST', headers, body: JSON.stringify(body) },
    });
    // The answers are checked field by field.
    return (await response.json()) as Record<string, unknown>;
  };
  const state = async (userId = ada): Promise<PageState> => {
    const response = await fetch(`${url}/playground/state?user=${userId}`);
    return (await response.json()) as PageState; // As the page reads it.
  };
  return {
    url,
    post,
    state,
    say: (text: string) => post('say', { userId: ada, channelId: ops, text }),
    messages: async (userId?: string) => (await state(userId)).messages,
    texts: async (userId?: string) => (await state(userId)).messages.map(({ text }) => text),
  };
}

describe('an app that knows nothing of a local Slack', () => {
  test('runs in Socket Mode: command, button, modal, message shortcut, Home, events and files', async () => {
    const { printed, kill, ended } = run('--port', '0', '--', 'node', 'app.js');
    const slack = slackAt(await printed(address));
    await printed(/app │ Greeter is running/);

    expect(await slack.say('/hello world')).toMatchObject({ ok: true });
    await expect.poll(() => slack.texts()).toEqual(['Hello world']);
    const [hello] = await slack.messages();
    const inOps = { userId: ada, channelId: ops };
    expect(await slack.post('click', { ...inOps, messageTs: hello?.ts, actionId: 'again' })).toMatchObject({
      ok: true,
    });
    await expect.poll(() => slack.texts()).toContain('Hello again world');

    await slack.post('shortcut', { ...inOps, callbackId: 'greet' });
    await expect.poll(async () => (await slack.state()).views.length).toBe(1);
    const [view] = (await slack.state()).views;
    const values = { who: { name: 'Ben' } };
    expect(await slack.post('view/submit', { userId: ada, viewId: view?.id, values })).toEqual({ ok: true });
    await expect.poll(() => slack.texts()).toContain('You greet Ben');

    await slack.post('shortcut', { ...inOps, callbackId: 'thank', messageTs: hello?.ts });
    await expect.poll(() => slack.texts()).toContain('Thanks');
    await slack.post('open', { userId: ada, tab: 'home' });
    await expect.poll(async () => JSON.stringify((await slack.state()).home)).toContain(`Welcome <@${ada}>`);
    await slack.say('hi');
    await expect.poll(() => slack.texts()).toContain(`Hi <@${ada}>`);

    const upload = await fetch(`${slack.url}/playground/upload?userId=${ada}&name=a.txt`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body: 'some words' },
    });
    const { fileId } = (await upload.json()) as { fileId: string };
    await slack.post('say', { ...inOps, text: 'a file', fileIds: [fileId] });
    await expect.poll(() => slack.texts()).toContain('A copy');

    kill('SIGINT');
    expect(await ended).toBe(0);
    await expect(slack.state()).rejects.toThrow();
  });

  test('is installed by OAuth into one of two workspaces, over HTTP', async () => {
    const port = await freePort();
    const options = ['--port', '0', '--app-port', String(port), '--workspaces', '2'];
    const { printed } = run(...options, '--', 'node', 'app.js');
    const slack = slackAt(await printed(address));
    await printed(/Requests go to (\S+)/);

    const page = await fetch(`http://localhost:${port}/slack/install`);
    const cookie = page.headers.get('set-cookie')?.split(';')[0] ?? '';
    const [, link = ''] = /href="(http[^"]*oauth[^"]*)"/.exec(await page.text()) ?? [];
    const consent = new URL(link.replaceAll('&amp;', '&'));
    expect(consent.origin).toBe(slack.url);
    const query = Object.fromEntries(
      [...consent.searchParams].filter(([name]) => ['client_id', 'scope', 'state'].includes(name)),
    );
    const by = { placeId: 'T0FREIGHT1', userId: 'U0HFMAYA', declined: [] };
    const { url } = await slack.post('oauth/allow', { query, ...by });
    const success = await fetch(String(url), { headers: { cookie } });
    expect(await success.text()).toContain(`${slack.url}/app_redirect?team=T0FREIGHT1`);

    const inFreight = { userId: 'U0HFMAYA', channelId: 'C0HFOPS' };
    expect(await slack.post('say', { ...inFreight, text: '/hello Omar' })).toMatchObject({ ok: true });
    await expect.poll(() => slack.texts('U0HFMAYA')).toEqual(['Hello Omar']);
  });

  test('ends the local Slack when it ends, with its status', async () => {
    const { ended, output } = run('--port', '0', '--', 'node', '-e', 'console.error("oh"); process.exit(3)');
    expect(await ended).toBe(3);
    expect(output()).toContain('app │ oh');
    expect(output()).toContain('The app has ended with status 3.');
  });
});

test('requests to Slack are redirected, whichever client sends them, and no others', async () => {
  const seen: (string | undefined)[] = [];
  const server = createServer(({ url, headers }, response) => {
    seen.push(`${url} ${headers.host}`);
    response.end('local');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const local = server.address();
  const host = `127.0.0.1:${typeof local === 'object' ? local?.port : ''}`;
  const preload = join(packed.appDir, 'node_modules/bolt-playground/dist/cli/preload.js');
  const code = `
    import https, { get } from 'node:https';
    const read = (send) => new Promise((done) => send((response) => response.resume().on('end', done)));
    await fetch('https://slack.com/api/a?x=1');
    await fetch(new Request('https://files.slack.com/b', { method: 'POST', body: 'x' }));
    await read((done) => https.request({ hostname: 'slack.com', path: '/api/c', agent: new https.Agent() }, done).end());
    await read((done) => get('https://slack.com/api/d', { headers: { Host: 'slack.com' } }, done));
    await fetch('http://${host}/e');
    https.get('https://127.0.0.1:9/', () => {}).on('error', ({ code }) => process.stdout.write(code));`;
  const child = spawn(process.execPath, ['--import', preload, '--input-type=module', '-e', code], {
    env: { ...process.env, BOLT_PLAYGROUND_URL: `http://${host}` },
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await new Promise((resolve) => child.once('close', resolve));
  server.close();
  expect(seen).toEqual(['/api/a?x=1', '/b', '/api/c', '/api/d', '/e'].map((path) => `${path} ${host}`));
  expect(output).toBe('ECONNREFUSED');
});

test('without a command, it prints the environment for an app that somebody else starts', async () => {
  const { printed, output } = run('--port', '0', '--mode', 'http');
  await printed(/Ctrl-C stops/);
  for (const name of ['SLACK_API_URL', 'SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET', 'PORT', 'NODE_OPTIONS'])
    expect(output()).toMatch(new RegExp(`^export ${name}='.+'$`, 'm'));
  expect(output()).not.toContain('SLACK_CLIENT_ID');
});

test('the app gets no token of another workspace from the shell', async () => {
  const env = { SLACK_CLIENT_ID: 'real', SLACK_BOT_TOKEN: 'real', OTHER: 'kept' };
  const print = 'const e = process.env; console.log(e.OTHER, e.SLACK_CLIENT_ID, e.SLACK_BOT_TOKEN)';
  running = packed.run(['--port', '0', '--', 'node', '-e', print], { env });
  await running.printed(/app │ kept undefined xoxb-playground-/);
});

test('says what its manifest asks for in vain', async () => {
  const manifest = {
    features: { assistant_view: { assistant_description: 'Helps' } },
    oauth_config: { scopes: { bot: ['chat:write'], user: ['chat:write'] } },
    settings: { event_subscriptions: { bot_events: ['app_mention', 'reaction_added'] } },
  };
  writeFileSync(join(packed.appDir, 'more.json'), JSON.stringify(manifest));
  const { printed, output } = run('--port', '0', '--manifest', 'more.json');
  await printed(/Ctrl-C stops/);
  expect(output().match(/^! .*$/gm)).toEqual([
    '! These events never come: reaction_added.',
    '! There are no user tokens: the scopes of users are ignored.',
    '! There are no assistant threads (assistant_view); an agent (agent_view) works.',
  ]);
});

test.each([
  [['--manifest', 'none.yml'], 'There is no file none.yml.'],
  [['--manifest', 'app.js'], "app.js isn't a Slack app manifest:"],
  [['--port', '0', '--', 'no-such-command'], 'There is no command “no-such-command”.'],
  [['--port', '99999'], "--port isn't a port: 99999"],
  [['--mode', 'rtm'], '--mode is socket or http, not rtm.'],
  [['--workspaces', '2', '--mode', 'socket'], '--workspaces 2 needs --mode http'],
  [['--wrong'], "Unknown option '--wrong'"],
])('refuses %j', async (args, message) => {
  const { ended, output } = run(...args);
  expect(await ended).toBe(2);
  expect(output()).toContain(message);
});

test('refuses a port in use, and a folder without a manifest', async () => {
  const server = createServer();
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const busy = run('--port', String(port));
  expect(await busy.ended).toBe(2);
  expect(busy.output()).toBe(`Port ${port} is in use. Choose another one with --port.\n`);
  server.close();
  running = packed.run([], { cwd: join(packed.appDir, 'node_modules') });
  expect(await running.ended).toBe(2);
  expect(running.output()).toMatch(/^There is no manifest\.json, manifest\.yml, manifest\.yaml here\./);
});
