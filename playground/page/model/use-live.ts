import { type Dispatch, useEffect } from 'react';
import type { LiveEvent, PageMessage, PageState } from '../../src/page-api/page-api.ts';
import { api } from './api.ts';
import type { Action } from './page-model.ts';

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 8000;

/**
 * Keeps the model in sync with the server for one user. Opens the WebSocket first, then reads the state and all
 * messages, and then applies the events that arrived in between, so none is missed. Reconnects after a lost connection.
 */
export function useLive(
  userId: string | undefined,
  wantedChannel: string | undefined,
  dispatch: Dispatch<Action>,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the wanted channel matters only at the start.
  useEffect(() => {
    const controller = new AbortController();
    void subscribe({ userId, wantedChannel, dispatch, signal: controller.signal });
    return () => controller.abort();
  }, [userId, dispatch]);
}

interface Subscription {
  userId: string | undefined;
  wantedChannel: string | undefined;
  dispatch: Dispatch<Action>;
  signal: AbortSignal;
}

async function subscribe(subscription: Subscription): Promise<void> {
  const { dispatch, signal } = subscription;
  let retryMs = FIRST_RETRY_MS;
  while (!signal.aborted) {
    dispatch({ type: 'connecting' });
    const wasLive = await connectOnce(subscription).catch(() => false);
    if (signal.aborted) return;
    dispatch({ type: 'lost' });
    retryMs = wasLive ? FIRST_RETRY_MS : Math.min(retryMs * 2, MAX_RETRY_MS);
    await pause(retryMs, signal);
  }
}

/** One connection, from opening to its end. Resolves with whether it was ever live. */
async function connectOnce({ userId, wantedChannel, dispatch, signal }: Subscription): Promise<boolean> {
  // The URL may name no user, or an unknown one.
  const id = ((await api.state(userId)) ?? (await api.state()))?.me.id;
  if (!id || signal.aborted) return false;
  const socket = new WebSocket(api.liveUrl(id));
  const close = () => socket.close();
  signal.addEventListener('abort', close);
  const buffered: LiveEvent[] = [];
  let live = false;
  const ended = new Promise<void>((resolve) => socket.addEventListener('close', () => resolve()));
  socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
    receive(JSON.parse(data) as LiveEvent); // Page and server share these types.
  });
  function receive(event: LiveEvent): void {
    if (!live) buffered.push(event);
    else if (event.type === 'app_changed') load().catch(close);
    else dispatch({ type: 'live', event });
  }
  /** Reads the state and all messages, then applies the events that arrived meanwhile. Resolves with whether it could. */
  async function load(): Promise<boolean> {
    live = false;
    const state = await api.state(id);
    if (signal.aborted || !state) return false;
    const messages = await allMessages(state);
    if (signal.aborted) return false;
    dispatch({
      type: 'loaded',
      state: { ...state, messages },
      ...(wantedChannel && { channelId: wantedChannel }),
    });
    live = true;
    for (const event of buffered.splice(0)) receive(event);
    return true;
  }
  try {
    const opened = new Promise<boolean>((resolve) => socket.addEventListener('open', () => resolve(true)));
    if (!(await Promise.race([opened, ended.then(() => false)]))) return false;
    // After the socket is open, so that no call is missed. On failure the inspector shows only what follows.
    const wire = api.wire().catch(() => []);
    if (!(await load())) return false;
    dispatch({ type: 'wire_loaded', wire: await wire });
    await ended;
    return true;
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}

async function allMessages({ me, ...newest }: PageState): Promise<PageMessage[]> {
  const pages = [newest.messages];
  for (let { before } = newest; before !== undefined; ) {
    const page = await api.olderMessages(me.id, before);
    pages.unshift(page.messages);
    before = page.before;
  }
  return pages.flat();
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
