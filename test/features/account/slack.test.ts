import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { prediction } from '../../support/analytics-harness.ts';
import { ada, ben, buttonsOf, ops, startBot, type TestBot, wordsOf } from '../../support/bot.ts';
import { sharedDatabase } from '../../support/bot-database.ts';
import { type FakeService, startFakeService } from '../../support/fake-service.ts';
import { closeAll, driveForms } from '../../support/form-driver.ts';
import { driveHome } from '../../support/home-driver.ts';
import { direct } from '../../support/statements/direct.ts';

/** Slack's answers about a person are cached for so long. */
const cachedMs = 3_600_001;
const secrets = { apiKey: 'the-api-key-0123', userId: 'ops@example.test', password: 'hunter2 "wörd"' };

describe('the account of a workspace', () => {
  let bot: TestBot;
  let service: FakeService;
  beforeAll(async () => {
    service = await startFakeService(() => ({ body: { predictions: [prediction()] } }));
    // Only the address: an admin enters the account.
    const env = { ANALYTICS_BASE_URL: service.url };
    bot = await startBot('socket', { env, timing: { workingMs: 1_000 }, logLevel: 'trace' });
  });
  afterAll(async () => {
    await bot.stop();
    await service.close();
    expect(JSON.stringify(bot.log)).not.toMatch(/the-api-key-0123|hunter2|ops@example\.test/);
  });
  beforeEach(() => {
    service.login = (times) => ({ body: { token: `token-${times}` } });
  });
  afterEach(() => closeAll(bot, ada));

  const openForm = async () => {
    const card = await bot.say(ada, ops, '/nextport 9461477');
    const form = driveForms(bot, ada);
    await bot.playground.click({ userId: ada, channelId: ops, messageTs: card.ts, actionId: 'form:account' });
    await form.see('# Connect your account');
    return form;
  };
  const fillIn = async (
    form: Awaited<ReturnType<typeof openForm>>,
    values: Record<string, string> = secrets,
  ) => {
    for (const [field, value] of Object.entries(values)) await form.fill(field, value);
  };
  const stored = async () =>
    direct(await sharedDatabase())
      .selectFrom('accounts')
      .selectAll()
      .execute();

  test('while there is none, an admin gets the button, others are told whom to ask', async () => {
    const forAdmin = await bot.say(ada, ops, '/nextport 9461477');
    expect(forAdmin.text).toBe(
      "Connect your account. Landfall answers with your organisation's account at the analytics service. Until you connect it, questions can't be answered, and watches and digests wait.",
    );
    expect(buttonsOf(forAdmin).map(({ text }) => text?.text)).toEqual(['Connect your account']);
    const forBen = await bot.say(ben, ops, '/nextport 9461477');
    expect(forBen.text).toBe(
      "Landfall isn't connected to the analytics service yet. Ask a workspace admin to type `/landfall account` and connect your organisation's account.",
    );
    expect(buttonsOf(forBen)).toEqual([]);
    // Even after a mention, whose answers are public.
    const mentioned = await bot.say(ada, ops, '@landfall nextport 9461477');
    expect(mentioned.ephemeralTo).toBe(ada);
    for (const line of ['/watch 9461477', '/digest add "Morning" weekdays 08:00: nextport 9461477', '/usage'])
      expect((await bot.say(ben, ops, line)).text).toContain("isn't connected");
    expect((await bot.say(ben, ops, '/landfall help')).text).toContain('Ask me where vessels call next');
  });

  test('the form says what is wrong, at its fields, and saves nothing', async () => {
    const form = await openForm();
    service.login = () => ({ status: 401 });
    await fillIn(form);
    const refused = 'The service refuses this user id and password, or the API key. Nothing was saved.';
    expect(await form.submit()).toMatchObject({ errors: { password: refused } });
    await fillIn(form, { ...secrets, apiKey: 'with spaces' });
    expect(await form.submit()).toMatchObject({
      errors: {
        apiKey: 'An API key has letters, digits and signs, without spaces or accents. Copy it again.',
      },
    });
    await fillIn(form);
    service.login = () => ({ status: 404 });
    await form.submit();
    await form.see(
      `What answers at ${service.url} isn't the analytics service (status 404), so nothing was saved.`,
    );
    await form.close();
    await fillIn(form);
    service.login = () => ({ status: 503 });
    await form.submit();
    await form.see(`The service at ${service.url} does not answer (status 503), so nothing was saved.`);
    await form.close();
    await fillIn(form);
    service.login = () => ({ status: 429, headers: { 'retry-after': '120' } });
    await form.submit();
    await form.see('The service accepts no more logins right now, so nothing was saved.');
    expect(await stored()).toEqual([]);
  });

  test('is tried, saved, and used at once; Home is drawn again', async () => {
    const home = driveHome(bot, ada);
    await home.open();
    await home.see('Connect your account');
    await home.see('Once the account is connected, ask in any channel');
    expect(home.read()).not.toContain('ask at once');
    const form = await openForm();
    const release = Promise.withResolvers<void>();
    service.login = async (times) => {
      await release.promise;
      return { body: { token: `token-${times}` } };
    };
    await fillIn(form);
    expect(await form.submit()).toEqual({ ok: true });
    await form.see('Working on it …');
    release.resolve();
    await form.see('Connected to the analytics service');
    expect(form.read()).not.toMatch(/hunter2|the-api-key|ops@example/);
    const inspector = JSON.stringify(bot.playground.wire());
    expect(inspector).toContain('view_submission');
    expect(inspector).not.toMatch(/hunter2|the-api-key/);
    await home.see(`<@${ada}> connected the account at ${service.url}`);
    expect(home.read()).not.toContain('Connect your account');
    expect(home.read()).toContain('Or ask at once');
    expect((await bot.say(ben, ops, '/nextport 9461477')).text).toContain('Rotterdam');
    expect(await stored()).toMatchObject([{ address: service.url, updated_by: ada }]);
  });

  test('everybody sees who connected it; only admins get buttons', async () => {
    const forBen = await bot.say(ben, ops, '/landfall account');
    expect(forBen.text).toContain(`<@${ada}> connected the account at ${service.url}`);
    expect(buttonsOf(forBen)).toEqual([]);
    expect(wordsOf(forBen)).toContain('Only workspace admins can change this');
    const forAda = await bot.say(ada, ops, '/landfall account');
    expect(buttonsOf(forAda).map(({ text }) => text?.text)).toEqual(['Replace …', 'Disconnect …']);
    expect((await bot.say(ada, ops, '/landfall audit')).text).toContain('connected the account');
    expect((await bot.say(ada, ops, '/landfall account now')).text).toContain(
      'Nothing follows the word account',
    );
  });

  test('a button that somebody else presses changes nothing', async () => {
    const shown = await bot.say(ada, ops, '/landfall account');
    const press = (actionId: string) =>
      bot.playground.click({ userId: ben, channelId: ops, messageTs: shown.ts, actionId });
    await expect(press('account:disconnect')).resolves.toMatchObject({ ok: false });
    expect(await stored()).toHaveLength(1);
  });

  test('an admin who loses that role while the form is open saves nothing', async () => {
    const card = await bot.say(ada, ops, '/landfall account');
    await bot.playground.click({
      userId: ada,
      channelId: ops,
      messageTs: card.ts,
      actionId: 'form:account',
    });
    const form = driveForms(bot, ada);
    await form.see('# Connect your account');
    const person = bot.playground.world.users.find(({ id }) => id === ada);
    if (!person) throw new Error('no Ada');
    person.isAdmin = false;
    const logins = service.logins.length;
    await fillIn(form, { ...secrets, userId: 'another' });
    await form.submit();
    await form.see(
      'Only workspace admins can connect, replace or disconnect the account. Nothing was changed.',
    );
    expect(service.logins).toHaveLength(logins);
    person.isAdmin = true;
    // So long Slack's answer is cached.
    bot.advance(cachedMs);
    await form.close();
  });

  test('can be disconnected: then nothing is polled, no digest runs, and no alert says that the service is silent', async () => {
    await bot.say(ada, ops, '/watch 9461477');
    await bot.say(ada, ops, '/digest add "Morning" weekdays 08:00: nextport 9461477', {
      match: ({ text }) => text.includes('Morning'),
    });
    await bot.runDue();
    const match = ({ text }: { text: string }) => text.includes('connected the account');
    const shown = await bot.say(ada, ops, '/landfall account', { match });
    const after = await bot.click(ada, shown, 'Disconnect …');
    expect(after.text).toContain(
      'The account is disconnected: its API key, user id and password are deleted. Connect your account',
    );
    expect(await stored()).toEqual([]);
    await bot.say(ada, ops, '/digest run', { match: ({ text }) => text.includes('Morning') });
    const before = bot.messages(ops).length;
    const requests = service.requests.length;
    bot.advance(48 * 3_600_000);
    await bot.runDue();
    expect(service.requests).toHaveLength(requests);
    expect(bot.messages(ops)).toHaveLength(before);
    const db = direct(await sharedDatabase());
    expect(await db.selectFrom('subjects').select(['attempts', 'failing_since']).execute()).toEqual([
      { attempts: 0, failing_since: null },
    ]);
  });
});
