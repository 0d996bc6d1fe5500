import { afterEach, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { createPlayground, type Playground } from '../../src/index.ts';
import { bearer, call, FREIGHT, INES, install, MAYA, NORDERNEY, oauthOptions } from '../support/oauth.ts';

const options = oauthOptions();
const declared = parse(options.manifest) as { features: object }; // The test's own manifest.
const prompts = [{ title: 'Next port', message: 'Next port of DS CYPRESS?' }];
const features = { ...declared.features, agent_view: { suggested_prompts: prompts } };
const manifest = stringify({ ...declared, features });

let slack: Playground;
afterEach(() => slack.close());

const [MAYAS_DM, INES_DM] = [`D${MAYA.slice(1)}`, `D${INES.slice(1)}`];
const scope = 'chat:write,assistant:write';
const other = [{ title: 'Usage', message: 'usage' }];

test('each workspace has its own prompts and statuses, until the app is uninstalled there', async () => {
  slack = await createPlayground({ ...options, manifest });
  expect(slack.prompts(MAYAS_DM)).toBeUndefined();
  const freight = await install(slack, { placeId: FREIGHT, userId: MAYA }, { scope });
  await install(slack, { placeId: NORDERNEY, userId: INES }, { scope });
  const set = await call(
    slack,
    'assistant.threads.setSuggestedPrompts',
    { channel_id: MAYAS_DM, prompts: JSON.stringify(other) },
    bearer(freight.token),
  );
  expect(set).toMatchObject({ ok: true });
  expect(slack.prompts(MAYAS_DM)).toEqual({ prompts: other });
  expect(slack.prompts(INES_DM)).toEqual({ prompts });
  const elsewhere = { channel_id: INES_DM, prompts: JSON.stringify(other) };
  expect(
    await call(slack, 'assistant.threads.setSuggestedPrompts', elsewhere, bearer(freight.token)),
  ).toMatchObject({ ok: false, error: 'channel_not_found' });

  const said = await slack.say({ userId: MAYA, channelId: MAYAS_DM, text: 'hello' });
  const thread_ts = (said.ok && said.ts) || '';
  const status = { channel_id: MAYAS_DM, thread_ts, status: 'is thinking …' };
  await call(slack, 'assistant.threads.setStatus', status, bearer(freight.token));
  expect(slack.state(MAYA)?.agent.statuses).toHaveLength(1);
  expect(slack.state(INES)?.agent).toEqual({ description: '', prompts: { prompts }, statuses: [] });

  await slack.controls.uninstall(FREIGHT);
  expect(slack.state(MAYA)?.agent).toEqual({ statuses: [] });
  await install(slack, { placeId: FREIGHT, userId: MAYA }, { scope });
  expect(slack.state(MAYA)?.agent).toEqual({ description: '', prompts: { prompts }, statuses: [] });
});

test('without the scope, an installed agent has the prompts of its manifest only', async () => {
  slack = await createPlayground({ ...options, manifest });
  const { token } = await install(slack, { placeId: FREIGHT, userId: MAYA }, { scope: 'chat:write' });
  const args = { channel_id: MAYAS_DM, prompts: JSON.stringify(other) };
  expect(await call(slack, 'assistant.threads.setSuggestedPrompts', args, bearer(token))).toMatchObject({
    error: 'missing_scope',
    needed: 'assistant:write',
  });
  expect(slack.prompts(MAYAS_DM)).toEqual({ prompts });
});
