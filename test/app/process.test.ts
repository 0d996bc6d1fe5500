import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createPlayground } from 'bolt-playground';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ask as askInTerminal } from '../../src/ask.ts';
import { createConfig } from '../../src/config/config.ts';
import { connectDatabase, connectTool } from '../../src/database/connect.ts';
import { silentLogger } from '../../src/log.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { forgetWorkspace } from '../../src/workspaces/workspaces.ts';
import { ada, ops } from '../support/bot.ts';
import { accountSettings } from '../support/doctor.ts';
import { contentOf, fillEveryTable } from '../support/every-table.ts';
import { failAfter } from '../support/fail-after.ts';
import { runScript } from '../support/run-script.ts';
import { useApp } from '../support/use-app.ts';
import { useDirectory } from '../support/use-directory.ts';
import { untilTestEnds } from '../support/use-started.ts';

const main = (env: Record<string, string> = {}) => runScript('main', [], env);

/** In this process, which is much quicker than another one. */
async function ask(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number; output: string }> {
  let output = '';
  const stream = {
    write: (text: string) => {
      output += text;
    },
  };
  const config = createConfig({ LANDFALL_DATA_DIR: ':memory:', ...env });
  const code = await askInTerminal(args, { config, zone: 'UTC', stdout: stream, stderr: stream });
  return { code, output };
}

describe('npm start', () => {
  test('without settings it starts everything, says where, warns of a .env that others can read, and stops on SIGTERM with status 0', async () => {
    const directory = await useDirectory();
    await writeFile(join(directory, '.env'), '');
    await chmod(join(directory, '.env'), 0o644);
    const bot = runScript('main', [], {}, directory);
    const output = await bot.printed('Landfall is ready');
    expect(output).toContain('Other users of this machine can read .env (mode 644). Run: chmod 600 .env');
    const url = /Open (http:\S+) and type \/nextport 9461477/.exec(output)?.[1];
    expect(output).toContain('All data is invented.');
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    bot.child.kill('SIGTERM');
    expect((await bot.ended).code).toBe(0);
  });

  test('SIGTERM lets work in flight finish, with or without half-open connections', async () => {
    const playground = untilTestEnds(await createPlayground({ mode: 'http' }));
    const sandbox = untilTestEnds(await createSandbox());
    const bot = main({
      SLACK_BOT_TOKEN: playground.botToken,
      SLACK_SIGNING_SECRET: playground.signingSecret,
      SLACK_API_URL: playground.apiUrl,
      ...accountSettings(sandbox),
    });
    const output = await bot.printed('Landfall is ready');
    const url = new URL(/Health: (http:\S+)\/readyz/.exec(output)?.[1] ?? '');
    playground.setRequestUrl(`${url.origin}/slack/events`);

    const hold = sandbox.faults.hold();
    const asked = await playground.say({ userId: ada, channelId: ops, text: '/nextport 9461477' });
    expect(asked.ok).toBe(true);
    for (const beginning of [
      'POST /slack',
      'POST /slack/events HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1',
    ]) {
      const socket = connect(Number(url.port), url.hostname).on('error', () => {});
      onTestFinished(() => void socket.destroy());
      await once(socket, 'connect');
      socket.write(beginning);
    }
    bot.child.kill('SIGTERM');
    await bot.printed('stopping');
    // npm passes on a Ctrl-C that the process has already received.
    bot.child.kill('SIGTERM');
    hold.remove();
    await playground.waitForMessage(({ text }) => /^(DS CYPRESS|IMO 9461477)/.test(text));
    expect((await bot.ended).code).toBe(0);
  });

  test('wrong settings stop it with one message, without the value of a secret', async () => {
    const { code, output } = await main({ SLACK_BOT_TOKEN: 'hunter2', PORT: 'many' }).ended;
    expect(code).toBe(2);
    expect(output).toContain("Landfall can't start with these settings:");
    expect(output).toContain('SLACK_BOT_TOKEN should be');
    expect(output).toContain('PORT should be');
    expect(output).not.toContain('hunter2');
    expect(output).not.toContain('    at ');
  });

  test('an uninstall that was cut off is finished, though Slack refuses the token from then on', async () => {
    const home = await useDirectory();
    const location = { dataDir: join(home, 'sandbox'), logger: silentLogger };
    const stored = await connectDatabase(location);
    await fillEveryTable(stored, { workspaceId: 'T1' });
    const cutOff = forgetWorkspace(stored.db.withPlugin(failAfter(6)), 'T1', new Date());
    await expect(cutOff).rejects.toThrow();
    await stored.close();

    const playground = untilTestEnds(await createPlayground({ mode: 'http' }));
    const app = useApp({
      LANDFALL_DATA_DIR: home,
      SLACK_BOT_TOKEN: 'xoxb-revoked',
      SLACK_SIGNING_SECRET: 'some-secret',
      SLACK_API_URL: playground.apiUrl,
      ANALYTICS_BASE_URL: 'sandbox',
    });
    await expect(app.start()).rejects.toThrow(/^Slack refuses SLACK_BOT_TOKEN \(invalid_auth\)(?!.*xoxb)/s);
    await app.stop(1_000);
    const { db, close } = await connectTool(location);
    // A state belongs to no workspace.
    const { used_install_states: _, ...content } = await contentOf(db);
    for (const [table, rows] of Object.entries(content)) expect([table, rows]).toEqual([table, []]);
    await close();
  });
});

describe('npm run ask', () => {
  test('answers in readable text, says that the data is invented, and ends with 0', async () => {
    const { code, output } = await runScript('ask', ['nextport', '9461477']).ended;
    expect(code).toBe(0);
    // The tool runs at the real time, so the ports are those of today: one of them, or two that are alike.
    expect(output).toMatch(/^DS CYPRESS (?:→ [A-Z]|· Undecided: [A-Z])/);
    expect(output).toContain('invented data');
    expect(output).not.toMatch(/[*<>]/);
    expect(output).not.toContain('\u001B');
    expect(output).not.toContain('watch');
  });

  test('prints a value with --json, nothing but the file where one is asked for, and its version', async () => {
    const value = await ask(['--json', 'nextport', '9461477']);
    expect(value.code).toBe(0);
    expect(JSON.parse(value.output)).toMatchObject({
      line: 'nextport 9461477',
      provenance: { source: 'sandbox' },
    });
    expect(await ask(['portcalls', 'Rotterdam', 'as', 'csv'])).toEqual({
      code: 0,
      output: expect.stringMatching(/^port,port_name,[\w,]+\r\n(?:NLRTM,Rotterdam,[^\r\n]*\r\n)+$/),
    });
    expect((await ask(['landfall', 'status'])).output).toMatch(/Landfall: \d+\.\d+\.\d+\n/);
  });

  test.each([[['--help']], [['-h']], [[]], [[' ']]])('%j shows the commands', async (args) => {
    const { code, output } = await ask(args);
    expect(code).toBe(0);
    expect(output).toMatch(/^nextport 9461477$/m);
    expect(output).not.toMatch(/› (?:watch|vessel|digest)/);
  });

  test('a reader that stops early is not an error', async () => {
    const { child, ended } = runScript('ask', ['--json', 'portcalls', 'NLRTM']);
    child.stdout.destroy();
    const { code, output } = await ended;
    expect(output).toBe('');
    expect(code).toBe(0);
  });

  test('wrong input ends with 2', async () => {
    const { code, output } = await ask(['nextport', '9461478']);
    expect(code).toBe(2);
    expect(output).toContain('check digit');
    expect(output).not.toContain('/nextport');
    const json = await ask(['--json', 'nextport', '9461478']);
    expect(json.code).toBe(2);
    expect(JSON.parse(json.output)).toMatchObject({ error: { kind: 'bad-check-digit' } });
    // A line that corrects one fault is offered even if it has another.
    expect((await ask(['lane', 'Portlnd', 'Hamilton'])).output).toContain('lane USPDX to Hamilton');
  });

  test('a bug is shown in full, since the terminal has no log', async () => {
    const breaking = encodeURIComponent(
      "Date.prototype.getUTCDay = () => { throw new TypeError('broken here'); }",
    );
    const { code, output } = await runScript('ask', ['nextport', '9461477'], {
      NODE_OPTIONS: `--import=data:text/javascript,${breaking}`,
    }).ended;
    expect(code).toBe(1);
    expect(output).toContain('Something broke on our side');
    expect(output).toContain('TypeError: broken here');
  });

  test('settings without an account answer help, and say what a question needs', async () => {
    const settings = { ANALYTICS_BASE_URL: 'https://service.example' };
    expect(await ask(['help'], settings)).toMatchObject({ code: 0 });
    expect(await ask(['nextport', '9461477'], settings)).toEqual({
      code: 2,
      output:
        'The settings have no account of the analytics service. Set ANALYTICS_API_KEY, ANALYTICS_USER_ID and ANALYTICS_PASSWORD, or ask in Slack.\n',
    });
  });

  test('service trouble ends with 1', async () => {
    const sandbox = untilTestEnds(await createSandbox());
    const env = { ...accountSettings(sandbox), ANALYTICS_PASSWORD: 'wrong-password' };
    const { code, output } = await ask(['nextport', '9461477'], env);
    expect(code).toBe(1);
    expect(output).toContain("doesn't accept the account");
    expect(output).not.toMatch(/ref |wrong-password/);
  });
});

test('npm run doctor reports by section or as JSON, and ends with 0 if nothing is wrong, with 1 after a failure', async () => {
  // There is no .env.
  const directory = await useDirectory();
  const [report, json] = await Promise.all([
    runScript('doctor', [], {}, directory).ended,
    runScript('doctor', ['--json'], { PORT: 'many' }, directory).ended,
  ]);
  expect(report.code).toBe(0);
  expect(report.output).toMatch(/^Settings\n {2}✓ Settings can be read\n[\s\S]*\nClock\n {2}✓ /);
  expect(report.output).toMatch(/\n\nAll is well: npm start\n$/);
  expect(json.code).toBe(1);
  expect(JSON.parse(json.output)).toMatchObject([{ section: 'Settings', level: 'failure' }]);
});
