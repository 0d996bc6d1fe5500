import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { createPlayground, type Playground } from '../../src/index.ts';
import type { PageAgent } from '../../src/page-api/agent-api.ts';
import { playgroundClient } from '../support/client.ts';

const ADA = 'U0ADA0001';
const DM = 'D0ADA0001';
const BENS_DM = 'D0BEN0001';
const OPS = 'C0OPS00001';
const PRIVATE = 'C0PRIVATE1';

const prompt = (title: string) => ({ title, message: `${title}, please` });
const declared = [prompt('Next port'), prompt('Port calls')];
const manifestWith = (features: object, bot = ['chat:write', 'im:write', 'files:write']) =>
  stringify({ features, oauth_config: { scopes: { bot } } });
const agent = manifestWith({ agent_view: { agent_description: 'Ships', suggested_prompts: declared } });

let now: number;
let slack: Playground;
let client: ReturnType<typeof playgroundClient>;
async function start(manifest: string | undefined): Promise<void> {
  await slack?.close();
  slack = await createPlayground({ mode: 'socket', now: () => now, ...(manifest && { manifest }) });
  client = playgroundClient(slack);
}
beforeEach(() => {
  now = 1_790_000_000_000;
  return start(agent);
});
afterEach(() => slack.close());

/** A message of Ada's; returns its `ts`. */
async function say(text = 'next port?', channelId = DM): Promise<string> {
  const reply = await slack.say({ userId: ADA, channelId, text });
  return (reply.ok && reply.ts) || '';
}

/** Slack's error; undefined if it accepts the call. Invalid arguments too, which the types forbid. */
const refusal = (method: string, args: object) =>
  client.apiCall(method, { ...args }).then(
    () => undefined,
    (error: { data?: { error?: string; response_metadata?: { messages?: string[] } } }) => {
      const { error: code, response_metadata: { messages = [] } = {} } = error.data ?? {};
      return [code, ...messages].join(' ');
    },
  );

/** What Ada's page gets. */
async function pageAgent(): Promise<PageAgent> {
  const answer = await fetch(`${slack.url}/playground/state?user=${ADA}`);
  // The page's own contract.
  return ((await answer.json()) as { agent: PageAgent }).agent;
}

describe('suggested prompts', () => {
  const set = (args: object) =>
    refusal('assistant.threads.setSuggestedPrompts', { channel_id: DM, prompts: [prompt('Usage')], ...args });

  test("a direct message has the manifest's until the app sets its own, for that one only", async () => {
    expect(slack.prompts(DM)).toEqual({ prompts: declared });
    expect(slack.prompts(OPS)).toBeUndefined();
    await client.assistant.threads.setSuggestedPrompts({
      channel_id: DM,
      title: 'Good morning, Ada',
      prompts: [prompt('Usage')],
    });
    expect(slack.prompts(DM)).toEqual({ title: 'Good morning, Ada', prompts: [prompt('Usage')] });
    expect(slack.prompts(BENS_DM)).toEqual({ prompts: declared });
    expect(await pageAgent()).toEqual({ description: 'Ships', prompts: slack.prompts(DM), statuses: [] });
    expect(await set({ prompts: [prompt('Watch')] })).toBeUndefined();
    expect(slack.prompts(DM)).toEqual({ prompts: [prompt('Watch')] });
  });

  test('for a thread, the call is accepted and ignored', async () => {
    expect(await set({ thread_ts: await say() })).toBeUndefined();
    expect(slack.prompts(DM)).toEqual({ prompts: declared });
  });

  test('refuses what Slack refuses', async () => {
    const fault = (text: string) => `invalid_arguments [ERROR] ${text}`;
    expect(await set({ channel_id: OPS })).toBe('channel_not_found');
    expect(await set({ channel_id: 'D0NOBODY' })).toBe('channel_not_found');
    expect(await set({ channel_id: '' })).toBe(fault('missing required field: channel_id'));
    expect(await set({ prompts: undefined })).toBe(fault('missing required field: prompts'));
    expect(await set({ prompts: 'x' })).toBe(fault('must be a list of prompts [json-pointer:/prompts]'));
    expect(await set({ prompts: [] })).toBe(fault('must be a list of prompts [json-pointer:/prompts]'));
    expect(await set({ prompts: Array(5).fill(prompt('x')) })).toBe(
      fault('no more than 4 items allowed [json-pointer:/prompts]'),
    );
    const incomplete = fault('must have a title and a message [json-pointer:/prompts/1]');
    expect(await set({ prompts: [prompt('x'), { title: 'y', message: '' }] })).toBe(incomplete);
    expect(await set({ prompts: [prompt('x'), { title: '', message: 'y' }] })).toBe(incomplete);
    expect(await set({ prompts: [prompt('x'), 'y'] })).toBe(incomplete);
    expect(slack.prompts(DM)).toEqual({ prompts: declared });
  });

  test("an app that isn't an agent has none", async () => {
    await start(manifestWith({}, ['chat:write', 'assistant:write']));
    expect(await set({})).toBe('not_agent_app');
    expect(await set({ thread_ts: await say() })).toBe('invalid_thread_ts');
    expect(slack.prompts(DM)).toBeUndefined();
    expect(await pageAgent()).toEqual({ statuses: [] });
    await start(manifestWith({}));
    expect(await set({})).toBe('missing_scope');
  });

  test('the manifest has four at most', async () => {
    const agent_view = { suggested_prompts: Array(5).fill(prompt('x')) };
    await expect(
      createPlayground({ mode: 'socket', manifest: manifestWith({ agent_view }) }),
    ).rejects.toThrow('Too big');
  });

  test('about 50 calls a minute are accepted', async () => {
    for (let call = 0; call < 50; call += 1) expect(await set({})).toBeUndefined();
    const refused = client.apiCall('assistant.threads.setSuggestedPrompts', {});
    await expect(refused).rejects.toMatchObject({ code: 'slack_webapi_rate_limited_error' });
  });
});

describe('the status', () => {
  const set = (args: object) =>
    refusal('assistant.threads.setStatus', { channel_id: DM, status: 'is thinking …', ...args });

  test('is shown until the app posts in that thread', async () => {
    const [ts, other] = [await say(), await say('and the other?')];
    await client.assistant.threads.setStatus({ channel_id: DM, thread_ts: ts, status: 'is thinking …' });
    expect(slack.status(DM, ts)).toBe('is thinking …');
    expect(slack.status(DM, other)).toBeUndefined();
    const shown = { statuses: [{ channelId: DM, threadTs: ts, text: 'is thinking …' }] };
    expect(await pageAgent()).toMatchObject(shown);
    await client.chat.postMessage({ channel: DM, text: 'elsewhere' });
    await client.chat.postMessage({ channel: DM, thread_ts: other, text: 'Hamburg' });
    await slack.say({ userId: ADA, channelId: DM, threadTs: ts, text: 'well?' });
    expect(await pageAgent()).toMatchObject(shown);
    await client.chat.postMessage({ channel: DM, thread_ts: ts, text: 'Rotterdam' });
    expect(slack.status(DM, ts)).toBeUndefined();
    expect(await pageAgent()).toMatchObject({ statuses: [] });
  });

  test('ends with a file of the app in the thread, and with the message that began it', async () => {
    const [ts, other] = [await say(), await say()];
    for (const thread_ts of [ts, other]) expect(await set({ thread_ts })).toBeUndefined();
    await client.files.uploadV2({ channel_id: DM, thread_ts: ts, filename: 'a.csv', content: 'imo' });
    expect(slack.status(DM, ts)).toBeUndefined();
    expect(slack.status(DM, other)).toBe('is thinking …');
    slack.clearMessages();
    expect(slack.status(DM, other)).toBeUndefined();
  });

  test('ends when the app clears it, and is replaced by another', async () => {
    const thread_ts = await say();
    await set({ thread_ts });
    await set({ thread_ts, status: 'is asking the service …', loading_messages: ['One …', 'Two …'] });
    expect(slack.status(DM, thread_ts)).toBe('is asking the service …');
    expect(await set({ thread_ts, status: '' })).toBeUndefined();
    expect(slack.status(DM, thread_ts)).toBeUndefined();
  });

  test('ends after two minutes, and the page learns of it', async () => {
    const thread_ts = await say();
    await set({ thread_ts });
    const events = await liveEvents();
    now += 119_000;
    await slack.runDue();
    expect(slack.status(DM, thread_ts)).toBe('is thinking …');
    now += 1000;
    expect(slack.status(DM, thread_ts)).toBeUndefined();
    await slack.runDue();
    await expect
      .poll(() => events)
      .toEqual([
        { type: 'agent', agent: { description: 'Ships', prompts: { prompts: declared }, statuses: [] } },
      ]);
  });

  test('is for any thread and any app; only readers of the conversation see it', async () => {
    await start(manifestWith({}));
    const channelId = OPS;
    const thread_ts = await say('hello', channelId);
    expect(await set({ channel_id: channelId, thread_ts })).toBeUndefined();
    expect(await pageAgent()).toMatchObject({ statuses: [{ channelId, threadTs: thread_ts }] });
    const ben = 'U0BEN0001';
    const said = await slack.say({ userId: ben, channelId: BENS_DM, text: 'hello' });
    expect(await set({ channel_id: BENS_DM, thread_ts: said.ok && said.ts })).toBeUndefined();
    expect((await pageAgent()).statuses).toHaveLength(1);
    expect(slack.state(ben)?.agent.statuses).toHaveLength(2);
  });

  test('refuses what Slack refuses', async () => {
    const thread_ts = await say();
    const fault = (text: string) => `invalid_arguments [ERROR] ${text}`;
    expect(await set({ thread_ts, channel_id: 'C0NOWHERE' })).toBe('channel_not_found');
    expect(await set({ thread_ts, channel_id: PRIVATE })).toBe('channel_not_found');
    expect(await set({ thread_ts: '1.0' })).toBe('invalid_thread_ts');
    const reply = await client.chat.postMessage({ channel: DM, thread_ts, text: 'Rotterdam' });
    expect(await set({ thread_ts: reply.ts })).toBe('invalid_thread_ts');
    expect(await set({})).toBe(fault('missing required field: thread_ts'));
    expect(await set({ thread_ts, status: undefined })).toBe(fault('missing required field: status'));
    expect(await set({ thread_ts, loading_messages: [1] })).toBe(
      fault('must be a list of strings [json-pointer:/loading_messages]'),
    );
    expect(await set({ thread_ts, loading_messages: Array(11).fill('x') })).toBe(
      fault('no more than 10 items allowed [json-pointer:/loading_messages]'),
    );
    expect(slack.status(DM, thread_ts)).toBeUndefined();
    await start(manifestWith({}, ['im:write']));
    expect(await set({ thread_ts })).toBe('missing_scope');
  });
});

/** The events that Ada's page gets from now on, about the agent. */
async function liveEvents(): Promise<unknown[]> {
  const events: unknown[] = [];
  const socket = new WebSocket(`${slack.url.replace('http', 'ws')}/playground/live?user=${ADA}`);
  socket.addEventListener('message', ({ data }) => {
    const event = JSON.parse(String(data)) as { type: string }; // The page's own contract.
    if (event.type === 'agent') events.push(event);
  });
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
  return events;
}
