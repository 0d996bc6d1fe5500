import { useCallback, useEffect, useMemo, useReducer, useState } from 'react';
import { AgentContext } from './agent/agent-context.ts';
import { Banner } from './chrome/banner.tsx';
import { ChannelView } from './chrome/channel-view.tsx';
import { FaultLine, FaultsPanel } from './chrome/faults.tsx';
import type { AppTab } from './chrome/home-tabs.tsx';
import { InstallsDialog } from './chrome/installs-dialog.tsx';
import { Sidebar } from './chrome/sidebar.tsx';
import { ThreadPane } from './chrome/thread-pane.tsx';
import { PreviewsContext } from './composer/previews.tsx';
import { Inspector } from './inspector/inspector.tsx';
import { formatAddress, parseAddress } from './model/address.ts';
import { appUser } from './model/app-user.ts';
import { channelTitle } from './model/channel-title.ts';
import { PageContext } from './model/page-context.ts';
import { emptyModel, lastReadOf, type PageModel, reduce, unreadCount } from './model/page-model.ts';
import { savedReadMarks, saveReadMarks } from './model/read-marks.ts';
import { rememberedUser, rememberUser } from './model/remembered-user.ts';
import { channelMessages, threadMessages } from './model/shown-messages.ts';
import { threadSummaries } from './model/threads.ts';
import { useLive } from './model/use-live.ts';
import { usePageActions, useSeen, useTitle } from './model/use-page.ts';
import { WorldTimeContext, worldTimeFrom } from './model/world-time.ts';
import { ModalStack } from './views/modal-stack.tsx';

/** The whole page: sidebar, channel, thread and inspector. */
export function App() {
  const [start] = useState(() => parseAddress(location.hash));
  const [userId, setUserId] = useState(start.userId ?? (start.message && rememberedUser()));
  const [model, dispatch] = useReducer(reduce, emptyModel, (empty) => ({ ...empty, ...savedReadMarks() }));
  const [sidebarOpen, setSidebarOpen] = useState(false);
  const [tab, setTab] = useState<AppTab>('messages');
  const [inspectorOpen, setInspectorOpen] = useState(false);
  const [installsOpen, setInstallsOpen] = useState(false);
  useLive(userId, start.channelId, dispatch);
  const time = useMemo(() => worldTimeFrom(model.clock, Date.now()), [model.clock]);
  const page = usePageActions(model.world, time, dispatch);
  const { world, channelId, threadTs, openedAt, lastRead } = model;
  const channel = world?.channels.find(({ id }) => id === channelId);
  useTitle(
    world &&
      channel &&
      `${channelTitle(channel, world)} · ${appUser(world)?.realName ?? world.app?.name ?? ''}`,
    world?.channels.reduce((sum, { id }) => sum + unreadCount(model, id), 0) ?? 0,
  );
  const { opened, thread } = useOpenMessages(model);
  useSeen(`${opened.messages.at(-1)?.ts}:${threadTs && thread.messages.at(-1)?.ts}`, dispatch);
  const agent = useMemo(() => ({ ...model.agent, openThreadTs: threadTs }), [model.agent, threadTs]);
  const isLoaded = world !== undefined;
  useEffect(() => {
    if (isLoaded && start.message) dispatch({ type: 'open_message', place: start.message });
  }, [isLoaded, start]);
  useEffect(() => saveReadMarks({ openedAt, lastRead }), [openedAt, lastRead]);
  const closeNotice = useCallback((id: number) => dispatch({ type: 'notice_closed', id }), []);
  useEffect(() => {
    if (!world) return;
    history.replaceState(null, '', formatAddress({ userId: world.me.id, channelId }));
    rememberUser(world.me.id);
  }, [world, channelId]);

  if (!page || !channel) return <Starting lost={model.connection === 'lost'} />;
  const viewKey = `${page.world.me.id}:${channel.id}`;
  return (
    <PageContext value={page}>
      <WorldTimeContext value={time}>
        <AgentContext value={agent}>
          <PreviewsContext value={model.previews}>
            <div
              className="app"
              data-sidebar={sidebarOpen}
              data-thread={threadTs !== undefined}
              data-rail={page.world.workspaces !== undefined}
            >
              <div className="app-top">
                <Banner
                  connected={model.connection === 'live'}
                  appConnected={model.appConnected}
                  clock={model.clock}
                  texts={page.world.texts}
                />
                <FaultLine faults={model.faults} />
              </div>
              <FaultsPanel faults={model.faults} />
              <Sidebar
                model={model}
                onUser={setUserId}
                onWorkspace={(workspace) => {
                  setUserId(model.lastPlaces[workspace.id]?.userId ?? workspace.userId);
                  setSidebarOpen(false);
                }}
                onClose={() => setSidebarOpen(false)}
                inspectorOpen={inspectorOpen}
                onInspector={() => setInspectorOpen(!inspectorOpen)}
                onInstalls={() => setInstallsOpen(true)}
              />
              <ChannelView
                key={viewKey}
                channel={channel}
                {...opened}
                newSince={model.newSince}
                linked={model.linked}
                sent={model.sent?.threadTs === undefined ? model.sent : undefined}
                onCloseNotice={closeNotice}
                onMenu={() => setSidebarOpen(true)}
                tab={tab}
                onTab={setTab}
                home={model.home}
              />
              {threadTs !== undefined && (
                <ThreadPane
                  key={`${viewKey}:${threadTs}`}
                  channel={channel}
                  threadTs={threadTs}
                  {...thread}
                  newSince={model.threadNewSince}
                  linked={model.linked}
                  sent={model.sent?.threadTs === threadTs ? model.sent : undefined}
                  onCloseNotice={closeNotice}
                />
              )}
              {inspectorOpen && (
                <Inspector
                  entries={model.wire}
                  onClear={() => dispatch({ type: 'wire_cleared' })}
                  onClose={() => setInspectorOpen(false)}
                />
              )}
              {installsOpen && page.world.app && (
                <InstallsDialog app={page.world.app} onClose={() => setInstallsOpen(false)} />
              )}
              <ModalStack views={model.views} />
            </div>
          </PreviewsContext>
        </AgentContext>
      </WorldTimeContext>
    </PageContext>
  );
}

/** The messages and notices of the open channel and thread: the same arrays, as long as these don't change. */
function useOpenMessages(model: PageModel) {
  const { messages, dismissed, notices, world, channelId = '', threadTs, openedAt, lastRead } = model;
  const me = world?.me.id;
  return useMemo(() => {
    const own = notices.filter((notice) => notice.userId === me && notice.channelId === channelId);
    const shown = { messages, dismissed };
    return {
      opened: {
        messages: channelMessages(shown, channelId),
        notices: own.filter((notice) => notice.threadTs === undefined),
        threads: threadSummaries(
          messages.filter((message) => message.channelId === channelId),
          { me, lastReadOf: (ts) => lastReadOf({ world, lastRead, openedAt }, channelId, ts) },
        ),
      },
      thread: {
        messages: threadTs === undefined ? [] : threadMessages(shown, channelId, threadTs),
        notices: own.filter((notice) => notice.threadTs !== undefined && notice.threadTs === threadTs),
      },
    };
  }, [messages, dismissed, notices, world, me, channelId, threadTs, openedAt, lastRead]);
}

function Starting({ lost }: { lost: boolean }) {
  return (
    <main className="starting">
      <output>{lost ? "The playground isn't responding. Retrying …" : 'Opening the playground …'}</output>
    </main>
  );
}
