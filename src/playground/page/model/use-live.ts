import { type Dispatch, useEffect } from 'react';
import type { LiveEvent } from '../../page-api/page-api.ts';
import { api } from './api.ts';
import type { Action } from './page-model.ts';

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 8000;

/**
 * Keeps the model in step with the server for one user: WebSocket first, then the state, then what came
 * in between, so that nothing is missed. A lost connection is opened again, and the state read anew.
 */
export function useLive(
  userId: string | undefined,
  wantedChannel: string | undefined,
  dispatch: Dispatch<Action>,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the wanted channel matters at the start only.
  useEffect(() => {
    const gone = new AbortController();
    void follow({ userId, wantedChannel, dispatch, signal: gone.signal });
    return () => gone.abort();
  }, [userId, dispatch]);
}

interface Following {
  userId: string | undefined;
  wantedChannel: string | undefined;
  dispatch: Dispatch<Action>;
  signal: AbortSignal;
}

async function follow(following: Following): Promise<void> {
  const { dispatch, signal } = following;
  let retryMs = FIRST_RETRY_MS;
  while (!signal.aborted) {
    dispatch({ type: 'connecting' });
    const wasLive = await connectOnce(following).catch(() => false);
    if (signal.aborted) return;
    dispatch({ type: 'lost' });
    retryMs = wasLive ? FIRST_RETRY_MS : Math.min(retryMs * 2, LONGEST_RETRY_MS);
    await pause(retryMs, signal);
  }
}

/** One connection, from opening to its end. Says whether it was ever live. */
async function connectOnce({ userId, wantedChannel, dispatch, signal }: Following): Promise<boolean> {
  // An address may name nobody, or somebody of another world.
  const id = ((await api.state(userId)) ?? (await api.state()))?.me.id;
  if (!id || signal.aborted) return false;
  const socket = new WebSocket(api.liveUrl(id));
  const close = () => socket.close();
  signal.addEventListener('abort', close);
  const waiting: LiveEvent[] = [];
  let live = false;
  const ended = new Promise<void>((resolve) => socket.addEventListener('close', () => resolve()));
  socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
    const event = JSON.parse(data) as LiveEvent; // The same server as the state: page-api.ts.
    if (live) dispatch({ type: 'live', event });
    else waiting.push(event);
  });
  try {
    const opened = new Promise<boolean>((resolve) => socket.addEventListener('open', () => resolve(true)));
    if (!(await Promise.race([opened, ended.then(() => false)]))) return false;
    const state = await api.state(id);
    if (signal.aborted || !state) return false;
    dispatch({ type: 'loaded', state, ...(wantedChannel && { channelId: wantedChannel }) });
    for (const event of waiting) dispatch({ type: 'live', event });
    live = true;
    await ended;
    return true;
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
