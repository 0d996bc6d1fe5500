import { type Dispatch, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { PageReply } from '../../src/page-api/page-api.ts';
import { api } from './api.ts';
import { createDrafts } from './drafts.ts';
import type { ListPlace } from './notice.ts';
import type { Page } from './page-context.ts';
import type { Action, PageWorld } from './page-model.ts';
import { parsePermalink } from './permalink.ts';
import type { WorldTime } from './world-time.ts';

/** The reader's actions. Failures appear in the message list. */
export function usePageActions(
  world: PageWorld | undefined,
  time: WorldTime,
  dispatch: Dispatch<Action>,
): Page | undefined {
  // The clock changes often, and must not change the actions.
  const latestTime = useRef(time);
  useEffect(() => {
    latestTime.current = time;
  }, [time]);
  const theme = useTheme();
  const [drafts] = useState(createDrafts);
  return useMemo(() => {
    if (!world) return undefined;
    const userId = world.me.id;
    const showFailure = async (place: ListPlace, reply: Promise<PageReply>) => {
      const text = await failureOf(reply);
      if (text === undefined) return;
      const times = { at: Date.now(), shownAt: latestTime.current.now() };
      dispatch({ type: 'notice', notice: { ...place, ...times, id: nextId(), userId, text } });
    };
    return {
      world,
      theme,
      drafts,
      say: async (line) => {
        dispatch({ type: 'sending', place: { ...line } });
        const reply = api.say({ ...line, userId });
        await showFailure(line, reply);
        const sent = await reply.catch(() => undefined);
        if (sent?.ok && sent.ts && !line.threadTs)
          dispatch({ type: 'sent', channelId: line.channelId, ts: sent.ts });
      },
      manage: (channelId, action) => showFailure({ channelId }, api.manage({ userId, channelId, action })),
      click: (click, threadTs) =>
        showFailure(
          { channelId: click.channelId, ...(threadTs && { threadTs }) },
          api.click({ ...click, userId }),
        ),
      shortcut: (request, threadTs) =>
        showFailure(
          { channelId: request.channelId, ...(threadTs && { threadTs }) },
          api.shortcut({ ...request, userId }),
        ),
      runStep: (request) =>
        api
          .runStep({ ...request, userId })
          .catch((error: unknown) => ({ ok: false, error: messageOf(error) })),
      actInView: (request) => failureOf(api.actInView({ ...request, userId })),
      submitView: (viewId, values) =>
        api
          .submitView({ userId, viewId, values })
          .catch((error: unknown) => ({ ok: false, error: messageOf(error) })),
      // A view that can't be closed is already closed.
      closeView: async (viewId, all) => void (await failureOf(api.closeView({ userId, viewId, all }))),
      administer: (request) => failureOf(api.administer({ ...request, userId })),
      dismiss: (message) => dispatch({ type: 'dismissed', message }),
      openThread: (ts) => dispatch({ type: 'open_thread', ts }),
      openChannel: (channelId) => dispatch({ type: 'open_channel', channelId }),
      openLink: (link) => {
        const place = parsePermalink(link);
        if (!place || !world.channels.some(({ id }) => id === place.channelId)) return false;
        dispatch({ type: 'open_message', place });
        return true;
      },
    };
  }, [world, theme, drafts, dispatch]);
}

/** The error message; undefined on success. */
const failureOf = (request: Promise<PageReply>): Promise<string | undefined> =>
  request.then((reply) => (reply.ok ? undefined : reply.error), messageOf);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const nextId = (): number => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;

/** A new message in the open channel counts as seen at once, unless the page is hidden: then on return. */
export function useSeen(newest: string | undefined, dispatch: Dispatch<Action>): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `newest` is what there is to see.
  useEffect(() => {
    if (document.visibilityState === 'visible') dispatch({ type: 'seen' });
  }, [newest, dispatch]);
  useEffect(() => {
    const onChange = () => {
      if (document.visibilityState === 'visible') dispatch({ type: 'returned' });
    };
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, [dispatch]);
}

/** Sets the window's title: the open channel and the app, and the number of unread messages. */
export function useTitle(title: string | undefined, unread: number): void {
  useEffect(() => {
    document.title = `${unread > 0 ? `(${unread}) ` : ''}${title ? `${title} ` : ''}playground`;
  }, [title, unread]);
}

const dark = matchMedia('(prefers-color-scheme: dark)');

function subscribeToTheme(onChange: () => void): () => void {
  dark.addEventListener('change', onChange);
  return () => dark.removeEventListener('change', onChange);
}

/** The system's colour scheme, updated when it changes. */
const useTheme = (): 'light' | 'dark' =>
  useSyncExternalStore(subscribeToTheme, () => (dark.matches ? 'dark' : 'light'));
