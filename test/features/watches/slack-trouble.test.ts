import { WebClient } from '@slack/web-api';
import { createPlayground, type Playground } from 'bolt-playground';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { watchMessages } from '../../../src/features/cards/outgoing.ts';
import type { renderPost } from '../../../src/features/cards/render-post.ts';
import type { Imo } from '../../../src/reference/codes.ts';
import { createPoster } from '../../../src/slack/posting/messenger.ts';
import { pauseWatches } from '../../support/pausing.ts';
import { quietLogger } from '../../support/quiet-logger.ts';
import { useWatches } from '../../support/use-watches.ts';
import { boundTo } from '../../support/watch-slack.ts';
import { cypress, diana, vessel } from '../../support/watch-story.ts';

// The outbox and the poster against the local Slack: what Slack holds in the end, whatever it went through.

const ops = 'C0OPS00001';
const ada = 'U0ADA0001';

const { fixture, useOutbox, send, divert, workspace, db } = useWatches();
let slack: Playground;
/** Of our real clock. */
let slackAheadMs: number;
beforeEach(async () => {
  slackAheadMs = 0;
  slack = await createPlayground({
    mode: 'http',
    rateLimit: false,
    now: () => fixture.clock.realMs + slackAheadMs,
  });
  const client = new WebClient(slack.botToken, {
    slackApiUrl: slack.apiUrl,
    logger: quietLogger,
    timeout: 300,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
  });
  const post: typeof renderPost = async ({ message, watch }) => {
    const ports =
      message.kind === 'reply'
        ? message.events.map((event) => ('next' in event ? event.next.port : event.kind))
        : [];
    return { text: [message.kind, watch?.title ?? '', ...ports].join(' '), blocks: [] };
  };
  const pause: Parameters<typeof watchMessages>[0]['pause'] = (transaction, refusal, ids) =>
    pauseWatches(transaction, refusal, ids);
  const outgoing = boundTo(workspace(), watchMessages({ draw: post, pause }));
  useOutbox({ poster: createPoster(client), outgoing });
});
afterEach(() => slack.close());

const said = (channel = ops) => slack.messages(channel).map(({ text }) => text);
const replies = () => said().filter((text) => text.startsWith('reply'));

/** The real clock goes on until nothing waits any more; at most a day. */
async function sendAll(): Promise<void> {
  for (let minute = 0; minute < 24 * 60; minute += 1) {
    await send();
    const rows = await db()
      .selectFrom('outbox')
      .select('id')
      .where('status', 'in', ['pending', 'sending'])
      .execute();
    if (rows.length === 0) return;
    fixture.clock.realMs += 60_000;
  }
  throw new Error('something waits for ever');
}

/** A watch of these vessels whose card stands in the channel. */
async function watchOf(imos: readonly Imo[], title = 'DS CYPRESS'): Promise<string> {
  for (const imo of imos) fixture.vessels.set(imo, { NLRTM: [0.9, 500] });
  const { id } = await fixture.watch(
    imos.map((imo) => vessel(imo)),
    { channelId: ops, title },
  );
  await fixture.store.change(id, { ownerId: ada }, fixture.by());
  await fixture.at(fixture.clock.hours);
  await sendAll();
  return id;
}

async function change(port: string, imo = cypress): Promise<void> {
  await divert(fixture.clock.hours + 7, port, imo);
}

describe('passing trouble', () => {
  it.each([
    ['a rate limit', { rateLimitedSeconds: 90 }],
    ['503', { status: 503 }],
    ['500 from behind', { error: 'internal_error' }],
    ['an answer that is cut', { cut: true as const }],
    ['a timeout', { until: new Promise(() => {}) }],
  ])('%s: each alert stands there once, in order', async (_name, fault) => {
    await watchOf([cypress]);
    await change('DEHAM');
    await change('BEANR');
    slack.faults.next('chat.postMessage', fault, 3);
    await sendAll();
    expect(replies()).toEqual(['reply DS CYPRESS DEHAM', 'reply DS CYPRESS BEANR']);
  });

  it('the look-up fails too: it is looked for again, and stands there once', async () => {
    await watchOf([cypress]);
    await change('DEHAM');
    slack.faults.next('chat.postMessage', { cut: true });
    slack.faults.next('conversations.replies', { status: 502 }, 2);
    slack.faults.next('conversations.replies', { rateLimitedSeconds: 60 });
    await sendAll();
    expect(replies()).toEqual(['reply DS CYPRESS DEHAM']);
  });

  it('a clock that is set back by an hour after the first try: it stands there once', async () => {
    slackAheadMs = -3_600_000;
    await watchOf([cypress]);
    await change('DEHAM');
    slack.faults.next('chat.postMessage', { cut: true });
    await send();
    fixture.clock.realMs -= 3_600_000;
    slackAheadMs = 0;
    await sendAll();
    expect(replies()).toEqual(['reply DS CYPRESS DEHAM']);
  });
});

describe('lasting trouble: the owner is notified once, the watch paused, and resumed where it stopped', () => {
  it('the channel is archived', async () => {
    const channel = slack.world.channels.find(({ id }) => id === ops) ?? {};
    const id = await watchOf([cypress, diana]);
    Object.assign(channel, { isArchived: true });
    await change('DEHAM');
    await change('DEHAM', diana);
    await sendAll();
    await change('BEANR');
    await sendAll();
    expect(said(`D${ada.slice(1)}`)).toEqual(['notice DS CYPRESS']);
    expect(await fixture.find(id)).toMatchObject({ status: 'paused' });
    expect(replies()).toEqual([]);
    Object.assign(channel, { isArchived: false });
    await fixture.store.resume(id, fixture.by());
    await fixture.at(fixture.clock.hours + 0.1);
    await sendAll();
    expect(replies()).toEqual(['reply DS CYPRESS DEHAM', 'reply DS CYPRESS DEHAM', 'reply DS CYPRESS BEANR']);
    expect(said(`D${ada.slice(1)}`)).toEqual(['notice DS CYPRESS']);
    expect(await fixture.find(id)).toMatchObject({ status: 'active', pauseReason: null });
  });

  it('a message that Slack refuses again and again does not hold up the watch unseen', async () => {
    const id = await watchOf([cypress]);
    slack.faults.next('chat.postMessage', { error: 'msg_too_long' }, 20);
    await change('DEHAM');
    await change('BEANR');
    await sendAll();
    expect(said(`D${ada.slice(1)}`)).toEqual(['notice DS CYPRESS']);
    expect(await fixture.find(id)).toMatchObject({ status: 'paused', pauseReason: 'msg_too_long' });
    await fixture.store.resume(id, fixture.by());
    await sendAll();
    expect(replies()).toEqual(['reply DS CYPRESS DEHAM', 'reply DS CYPRESS BEANR']);
  });

  it('the token is revoked, and there is a new one a day later', async () => {
    const id = await watchOf([cypress]);
    slack.faults.next('*', { error: 'token_revoked' }, 10_000);
    await change('DEHAM');
    for (let hours = 0; hours < 24; hours += 1) await send(3_600_000);
    slack.faults.clear();
    await sendAll();
    expect(said(`D${ada.slice(1)}`)).toEqual(['notice DS CYPRESS']);
    await fixture.store.resume(id, fixture.by());
    await sendAll();
    expect(replies()).toEqual(['reply DS CYPRESS DEHAM']);
  });
});
