import { isDeepStrictEqual } from 'node:util';
import type { PageMessage } from 'bolt-playground';
import { expect, test } from 'vitest';
import { buttonsOf, dmOf } from '../../support/bot.ts';
import { sharedDatabase } from '../../support/bot-database.ts';
import { driveForms } from '../../support/form-driver.ts';
import { freight, norderney, startManyBot, type TestWorkspace } from '../../support/many-workspaces.ts';
import { direct } from '../../support/statements/direct.ts';
import { useStarted } from '../../support/use-started.ts';
import { waitUntil } from '../../support/wait-until.ts';

const bot = useStarted(startManyBot, { perTest: true });

const welcomesOf = ({ admin }: TestWorkspace) =>
  bot.playground.messages(dmOf(admin)).filter(({ text }) => text.startsWith('Landfall is installed in'));

/** Clicks the button of a message, and fills in the form, which names the account of the sandbox. */
async function connect({ admin }: TestWorkspace, { channelId, ts: messageTs }: PageMessage): Promise<void> {
  await bot.playground.click({ userId: admin, channelId, messageTs, actionId: 'form:account' });
  const form = driveForms(bot, admin);
  const { apiKey, userId, password } = bot.sandbox.credentials;
  await form.see(`API key \`${apiKey}\`, user id \`${userId}\`, password \`${password}\``);
  for (const [field, value] of Object.entries({ apiKey, userId, password })) await form.fill(field, value);
  await form.submit();
  await form.see('Connected to the sandbox, invented data');
}

test('the installer gets one message, connects the account there, and only that workspace is served', async () => {
  await bot.install(freight);
  await bot.install(norderney);
  await bot.runDue();
  await bot.runDue();
  const [welcome, ...others] = welcomesOf(freight);
  expect(others).toEqual([]);
  if (!welcome) return expect.unreachable();
  expect(welcome.text).toContain('Landfall is installed in Harbour Freight. Connect your account');
  expect(buttonsOf(welcome).map(({ text }) => text?.text)).toEqual(['Connect your account']);
  await connect(freight, welcome);

  expect((await bot.say(freight.member, freight.ops, '/nextport 9461477')).text).toMatch(/^DS CYPRESS [→·] /);
  const forOther = await bot.say(norderney.member, norderney.ops, '/nextport 9461477');
  expect(forOther.text).toContain("Landfall isn't connected to the analytics service yet.");
  expect(forOther.text).toContain(`<@${norderney.admin}> installed Landfall here.`);
});

test('who installs again gets no second message, and who installs after an uninstall gets another', async () => {
  await bot.install(freight);
  await bot.runDue();
  await bot.install(freight);
  await bot.runDue();
  expect(welcomesOf(freight)).toHaveLength(1);
  await bot.playground.controls.uninstall(freight.teamId);
  await bot.install(freight);
  await bot.runDue();
  expect(welcomesOf(freight)).toHaveLength(2);
});

test('an uninstall deletes the account, and its login with the last workspace that uses it', async () => {
  for (const workspace of [freight, norderney]) {
    await bot.install(workspace);
    await connect(workspace, await bot.say(workspace.admin, workspace.ops, '/landfall account'));
  }
  const db = direct(await sharedDatabase());
  const rows = async () => {
    const accounts = await db.selectFrom('accounts').select('workspace_id').orderBy('workspace_id').execute();
    const logins = await db.selectFrom('logins').select('id').execute();
    return { accounts: accounts.map((row) => row.workspace_id), logins: logins.length };
  };
  const becomes = (expected: object) =>
    waitUntil(`the rows are ${JSON.stringify(expected)}`, async () =>
      isDeepStrictEqual(await rows(), expected),
    );
  await becomes({ accounts: [freight.teamId, norderney.teamId], logins: 1 });
  await bot.playground.controls.uninstall(freight.teamId);
  await becomes({ accounts: [norderney.teamId], logins: 1 });
  await bot.playground.controls.uninstall(norderney.teamId);
  await becomes({ accounts: [], logins: 0 });
});
