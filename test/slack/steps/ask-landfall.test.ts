import type { StepOutcome } from 'bolt-playground';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forgetWorkspace } from '../../../src/workspaces/workspaces.ts';
import { ada, type BotOptions, dora, eve, type Mode, startBot, type TestBot } from '../../support/bot.ts';
import { sharedDatabase } from '../../support/bot-database.ts';
import { useBot } from '../../support/use-bot.ts';

let bot: TestBot;
const start = async (mode: Mode = 'socket', options: BotOptions = {}) => {
  bot = await useBot(mode, options);
};

/** A workflow runs the step, with Ada as the person unless another is named. */
async function run(line: string, inputs: Record<string, string> = { person: ada }): Promise<StepOutcome> {
  const reply = await bot.playground.runStep({
    userId: ada,
    callbackId: 'ask_landfall',
    inputs: { line, ...inputs },
  });
  if (!reply.ok) throw new Error(reply.error);
  return reply.outcome;
}
const failed = (error: unknown) => ({ kind: 'failed', error });
const calls = (method: string) => bot.playground.wire().filter(({ label }) => label === method);
const requests = () => bot.sandbox.requests.total;

describe.each<Mode>(['socket', 'http'])('the step Ask Landfall, by %s', (mode) => {
  test('answers in words and with the next port, its ETA and its probability', async () => {
    await start(mode);
    const answer = await run('nextport 9461477');
    expect(answer).toEqual({
      kind: 'completed',
      outputs: {
        text: expect.stringMatching(/^DS CYPRESS → .+, \d+% · .+ LT.* \(invented data\)$/),
        port: expect.any(String),
        locode: expect.stringMatching(/^[A-Z]{2}[A-Z2-9]{3}$/),
        eta: expect.any(Number),
        probability: expect.any(Number),
      },
    });
    const { outputs } = answer as Extract<StepOutcome, { kind: 'completed' }>;
    expect(String(outputs.text)).toContain(
      `${outputs.port}, ${Math.round(Number(outputs.probability) * 100)}%`,
    );
    expect(Number(outputs.eta) * 1000).toBeGreaterThan(bot.realNow().getTime());
    expect(bot.log).toContainEqual(
      expect.objectContaining({ surface: 'step', outcome: 'answered', line: 'nextport 9461477' }),
    );
  });
});

describe('lines', () => {
  beforeAll(async () => {
    bot = await startBot('socket');
  });
  afterAll(() => bot.stop());

  test('one about a single port of the vessel gives that port; others have no fields', async () => {
    const [likeliest, there] = [await run('nextport 9755933'), await run('nextport 9755933 at Le Havre')];
    expect(likeliest).toMatchObject({ kind: 'completed', outputs: { locode: expect.any(String) } });
    expect(there).toMatchObject({ kind: 'completed' });
    for (const line of ['nextport 9461477, 9755933', 'portcalls Rotterdam', 'lane Singapore Xiamen']) {
      const answer = await run(line);
      expect([line, answer]).toEqual([line, { kind: 'completed', outputs: { text: expect.any(String) } }]);
    }
  });

  test.each([
    ['portcalls Roterdam', /^“Roterdam” isn't a known port\. .*You could try: Rotterdam, NL \(NLRTM\)/],
    ['nextport 9461478', /^.*9461478.*check digit/],
    ['', /^The step has no line or question\. For example: \/nextport 9461477$/],
    ['watch 9461477', /^This line changes something, and a workflow can only ask\. Nothing was changed\.$/],
    ['digest add daily 08:00: nextport 9461477', /^This line changes something/],
    ['vessel name 9461477 MINE', /^This line changes something/],
    ['nextport 9461477 public', /^“public” doesn't work in a workflow.* Leave out “public”\./],
    ['nextport 9461477 private', /^“private” doesn't work in a workflow/],
    ['portcalls Rotterdam as csv', /^A workflow can't get a file\. Leave out “as csv”\.$/],
    ['nextport watched', /^The answer depends on the channel in which you ask/],
    ['watch list', /^The answer depends on the channel in which you ask/],
    ['usage', /^This answer is for this workspace only, and a workflow may show it to others\.$/],
    ['landfall audit', /^This answer is for one person only/],
    ['help', /^This answer is for one person only/],
  ])('%s is refused in words, and asks nothing', async (line, error) => {
    const before = requests();
    expect(await run(line)).toEqual(failed(expect.stringMatching(error)));
    expect(requests()).toBe(before);
  });

  test('somebody of another organisation is not answered, a guest is; nobody is refused', async () => {
    expect(await run('nextport 9461477', { person: dora })).toEqual(
      failed(expect.stringContaining('only answers people in the organisation that installed it')),
    );
    expect(await run('nextport 9461477', { person: eve })).toMatchObject({ kind: 'completed' });
    expect(await run('nextport 9461477', {})).toEqual(
      failed(expect.stringMatching(/^The step doesn't say for whom it asks\. Edit the workflow/)),
    );
  });
});

describe('a step always ends', () => {
  test('the service is down: its words, with a reference that is in the log', async () => {
    await start();
    bot.sandbox.faults.status(500);
    const outcome = await run('nextport 9461477');
    expect(outcome).toEqual(
      failed(expect.stringMatching(/^The analytics service does not answer \(since .+\) \(ref \w{6}\)/)),
    );
    const [, ref] = /ref (\w+)/.exec(JSON.stringify(outcome)) ?? [];
    expect(bot.log).toContainEqual(expect.objectContaining({ surface: 'step', outcome: 'failed', ref }));
  });

  test('the service hangs: at the deadline', async () => {
    await start('socket', { timing: { deadlineMs: 100 } });
    const hold = bot.sandbox.faults.hold();
    expect(await run('nextport 9461477')).toEqual(
      failed(expect.stringMatching(/^The analytics service does not answer/)),
    );
    hold.remove();
  });

  test('a workspace that is paused or removed', async () => {
    await start('http');
    const db = await sharedDatabase();
    await db.updateTable('workspaces').set({ paused_at: new Date() }).execute();
    bot.advance(1_001);
    expect(await run('nextport 9461477')).toEqual(failed(expect.stringContaining('Landfall is paused')));
    await forgetWorkspace(db, bot.playground.world.team.id, new Date());
    bot.advance(1_001);
    expect(await run('nextport 9461477')).toEqual(
      failed("Landfall doesn't serve this workspace any more. Ask your workspace admins about it."),
    );
  });

  test('an answer that Slack refuses is sent again, and then the step fails', async () => {
    await start();
    bot.playground.faults.next('functions.completeSuccess', { status: 503 });
    expect(await run('nextport 9461477')).toMatchObject({ kind: 'completed' });
    expect(calls('functions.completeSuccess')).toHaveLength(2);
    bot.playground.faults.next('functions.completeSuccess', { error: 'parameter_validation_failed' }, 2);
    expect(await run('nextport 9461477')).toEqual(
      failed(expect.stringMatching(/^Slack didn't take the answer \(ref \w{6}\)/)),
    );
    expect(bot.log).toContainEqual(expect.objectContaining({ msg: 'Slack refused the result of a step' }));
  });

  test('an answer whose receipt is lost counts once', async () => {
    await start();
    bot.playground.faults.next('functions.completeSuccess', { cut: true });
    expect(await run('nextport 9461477')).toMatchObject({ kind: 'completed' });
    await bot.stop();
    expect(calls('functions.completeSuccess').map(({ error }) => error)).toEqual([
      'cut off',
      'token_revoked',
    ]);
    expect(calls('functions.completeError')).toEqual([]);
    expect(bot.log.filter(({ level }) => level >= 50)).toEqual([]);
    await start();
  });
});
