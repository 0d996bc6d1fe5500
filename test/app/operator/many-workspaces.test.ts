import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { operateWorkspaces } from '../../../src/app/operator/operate-workspaces.ts';
import { createConfig } from '../../../src/config/config.ts';
import { silentLogger } from '../../../src/log.ts';
import { freight, norderney, startManyBot } from '../../support/many-workspaces.ts';

test('with many workspaces, a pause and a removal end only one; a removed one can be installed again', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'landfall-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const env = { ACCOUNTS: 'shared', LANDFALL_DATA_DIR: dataDir };
  const bot = await startManyBot({ env });
  onTestFinished(async () => void (await bot.stop()));
  const operate = async (...words: string[]) => {
    const outcome = await operateWorkspaces(words, {
      readConfig: () => createConfig({ PLAYGROUND_WORKSPACES: '2', ...env }),
      ask: async () => undefined,
      now: new Date(),
      logger: silentLogger,
    });
    // The bot notices within a second.
    bot.advance(1_001);
    return outcome.text;
  };
  const ask = ({ admin, ops }: typeof freight) => bot.say(admin, ops, '/nextport 9461477');
  for (const workspace of [freight, norderney]) {
    await bot.install(workspace);
    await bot.say(workspace.admin, workspace.ops, '/watch add 9461477');
  }

  expect(await operate('pause', freight.teamId)).toContain('Harbour Freight (T0FREIGHT1) is paused');
  expect((await ask(freight)).text).toContain('Landfall is paused in this workspace');
  expect((await ask(norderney)).text).toMatch(/^DS CYPRESS [→·] /);
  const listed: { id: string; state: string; account: unknown }[] = JSON.parse(
    await operate('list', '--json'),
  );
  const account = { kind: 'operators', isRefused: false };
  expect(listed).toMatchObject([
    { id: freight.teamId, state: 'paused', watches: 1, account },
    { id: norderney.teamId, state: 'active', watches: 1, account },
  ]);
  await operate('resume', freight.teamId);
  expect((await ask(freight)).text).toMatch(/^DS CYPRESS [→·] /);

  expect(await operate('remove', freight.teamId)).toContain('Nothing was removed');
  expect((await ask(freight)).text).toMatch(/^DS CYPRESS [→·] /);
  expect(await operate('remove', freight.teamId, '--yes')).toContain('is removed, with all its data');
  expect((await ask(freight)).text).toContain("Landfall isn't installed in this workspace any more");
  expect((await ask(norderney)).text).toMatch(/^DS CYPRESS [→·] /);
  await bot.install(freight);
  expect((await bot.say(freight.admin, freight.ops, '/watch list')).text).toMatch(/^No watches/);
});
