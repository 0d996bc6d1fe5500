import { type Dispatch, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { PageReply } from '../../page-api/page-api.ts';
import { api } from './api.ts';
import { createDrafts } from './drafts.ts';
import type { Page } from './page-context.ts';
import type { Action, Notice, PageWorld } from './page-model.ts';

/** The reader's actions. Failures appear in the message list. */
export function usePageActions(world: PageWorld | undefined, dispatch: Dispatch<Action>): Page | undefined {
  const theme = useTheme();
  const [drafts] = useState(createDrafts);
  return useMemo(() => {
    if (!world) return undefined;
    const userId = world.me.id;
    const showFailure = async (place: Pick<Notice, 'channelId' | 'threadTs'>, reply: Promise<PageReply>) => {
      const text = await failureOf(reply);
      if (text === undefined) return;
      dispatch({ type: 'notice', notice: { ...place, id: nextId(), userId, text, at: Date.now() } });
    };
    return {
      world,
      theme,
      drafts,
      say: (line) => showFailure(line, api.say({ ...line, userId })),
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
    };
  }, [world, theme, drafts, dispatch]);
}

/** The error message; undefined on success. */
const failureOf = (request: Promise<PageReply>): Promise<string | undefined> =>
  request.then((reply) => (reply.ok ? undefined : reply.error), messageOf);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const nextId = (): number => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;

/** Sets the window's title: the open channel, and the number of unread messages in the others. */
export function useTitle(title: string | undefined, unread: number): void {
  useEffect(() => {
    document.title = `${unread > 0 ? `(${unread}) ` : ''}${title ? `${title} · ` : ''}Landfall playground`;
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
