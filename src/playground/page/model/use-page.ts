import { type Dispatch, useEffect, useMemo, useState } from 'react';
import type { PageReply } from '../../page-api/page-api.ts';
import { api } from './api.ts';
import { createDrafts } from './drafts.ts';
import type { Page } from './page-context.ts';
import type { Action, Notice, PageWorld } from './page-model.ts';
import { useTheme } from './use-theme.ts';

/** The reader's actions, each of which tells in the message list when it failed. */
export function usePageActions(world: PageWorld | undefined, dispatch: Dispatch<Action>): Page | undefined {
  const theme = useTheme();
  const [drafts] = useState(createDrafts);
  return useMemo(() => {
    if (!world) return undefined;
    const userId = world.me.id;
    const tell = async (place: Pick<Notice, 'channelId' | 'threadTs'>, call: Promise<PageReply>) => {
      const text = await failure(call);
      if (text === undefined) return;
      dispatch({ type: 'notice', notice: { ...place, id: nextId(), userId, text, at: Date.now() } });
    };
    return {
      world,
      theme,
      drafts,
      say: (line) => tell(line, api.say({ ...line, userId })),
      manage: (channelId, action) => tell({ channelId }, api.manage({ userId, channelId, action })),
      click: (click, threadTs) =>
        tell({ channelId: click.channelId, ...(threadTs && { threadTs }) }, api.click({ ...click, userId })),
      shortcut: (request, threadTs) =>
        tell(
          { channelId: request.channelId, ...(threadTs && { threadTs }) },
          api.shortcut({ ...request, userId }),
        ),
      actInView: (request) => failure(api.actInView({ ...request, userId })),
      submitView: (viewId, values) =>
        api
          .submitView({ userId, viewId, values })
          .catch((error: unknown) => ({ ok: false, error: messageOf(error) })),
      // What can't be closed is gone already.
      closeView: async (viewId, all) => void (await failure(api.closeView({ userId, viewId, all }))),
      dismiss: (message) => dispatch({ type: 'dismissed', message }),
      openThread: (ts) => dispatch({ type: 'open_thread', ts }),
      openChannel: (channelId) => dispatch({ type: 'open_channel', channelId }),
    };
  }, [world, theme, drafts, dispatch]);
}

/** In words; undefined where all went well. */
const failure = (call: Promise<PageReply>): Promise<string | undefined> =>
  call.then((reply) => (reply.ok ? undefined : reply.error), messageOf);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const nextId = (): number => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;

/** The window's title says where one is, and how much is unread elsewhere. */
export function useTitle(place: string | undefined, unread: number): void {
  useEffect(() => {
    document.title = `${unread > 0 ? `(${unread}) ` : ''}${place ? `${place} · ` : ''}Landfall playground`;
  }, [place, unread]);
}
