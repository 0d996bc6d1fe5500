import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createPlayground, type Playground, twoWorkspaces } from '../../src/index.ts';
import {
  bearer,
  call,
  FREIGHT,
  INES,
  install,
  MAYA,
  NORDERNEY,
  OPS,
  oauthOf,
  oauthOptions,
} from '../support/oauth.ts';

const options = oauthOptions();
const dataFile = join(options.dir, 'slack.json');
let slack: Playground | undefined;
afterEach(() => slack?.close());
const open = async () => {
  slack = await createPlayground({ ...options, workspaces: twoWorkspaces(), dataFile });
  return slack;
};

test('installations, settings, the channels of the bot and its messages outlast a restart', async () => {
  const first = await open();
  oauthOf(first).change({ rotation: true });
  const freight = await install(first, { placeId: FREIGHT, userId: MAYA });
  const norderney = await install(first, { placeId: NORDERNEY, userId: INES });
  await first.controls.addMember(OPS);
  const post = (playground: Playground) =>
    call(playground, 'chat.postMessage', { channel: OPS, text: 'hello' }, bearer(freight.token));
  expect(await post(first)).toMatchObject({ ok: true });
  await first.controls.uninstall(NORDERNEY);
  await first.close();

  const second = await open();
  expect(oauthOf(second).settings()).toMatchObject({ rotation: true });
  expect(await post(second)).toMatchObject({ ok: true });
  expect(second.messages(OPS).map(({ text }) => text)).toEqual(['hello', 'hello']);
  expect(await call(second, 'auth.test', {}, bearer(norderney.token))).toMatchObject({
    error: 'account_inactive',
  });
  expect([FREIGHT, NORDERNEY].map(oauthOf(second).isInstalled)).toEqual([true, false]);
  expect(second.state(MAYA)?.app?.install).toMatchObject({ installerName: 'Maya Brandt' });
});

test('a file that says something else about the app is as good as none', async () => {
  writeFileSync(dataFile, JSON.stringify({ messages: 'none', app: { installs: [{ id: 7 }] } }));
  expect(oauthOf(await open()).isInstalled(FREIGHT)).toBe(false);
});

test('several workspaces need HTTP', async () => {
  await expect(createPlayground({ mode: 'socket', workspaces: twoWorkspaces() })).rejects.toThrow(
    'Several workspaces need the mode http.',
  );
});

test('a token of a workspace that no longer exists reaches no other one', async () => {
  const first = await open();
  const { token } = await install(first, { placeId: NORDERNEY, userId: INES });
  await first.close();
  const [freight] = twoWorkspaces();
  slack = await createPlayground({ ...options, workspaces: [freight], dataFile });
  expect(await call(slack, 'auth.test', {}, bearer(token))).toEqual({ ok: false, error: 'account_inactive' });
});
