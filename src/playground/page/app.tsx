import { useEffect, useReducer, useState } from 'react';
import { Banner } from './chrome/banner.tsx';
import { ChannelView } from './chrome/channel-view.tsx';
import type { AppTab } from './chrome/home-tabs.tsx';
import { Inspector } from './chrome/inspector.tsx';
import { InstallsDialog } from './chrome/installs-dialog.tsx';
import { Sidebar } from './chrome/sidebar.tsx';
import { ThreadPane } from './chrome/thread-pane.tsx';
import { formatAddress, parseAddress } from './model/address.ts';
import { api } from './model/api.ts';
import { channelTitle } from './model/channel-title.ts';
import { PageContext } from './model/page-context.ts';
import { channelMessages, emptyModel, reduce, threadMessages, unreadCount } from './model/page-model.ts';
import { rememberUser } from './model/remembered-user.ts';
import { useLive } from './model/use-live.ts';
import { usePageActions, useTitle } from './model/use-page.ts';
import { ModalStack } from './views/modal-stack.tsx';

/** The whole page: sidebar, channel, thread and inspector. */
export function App() {
  const [start] = useState(() => parseAddress(location.hash));
  const [userId, setUserId] = useState(start.userId);
  const [model, dispatch] = useReducer(reduce, emptyModel);
  const [sidebarOpen, setSidebarOpen] = useState(false);
  const [tab, setTab] = useState<AppTab>('messages');
  const [inspectorOpen, setInspectorOpen] = useState(false);
  const [installsOpen, setInstallsOpen] = useState(false);
  useLive(userId, start.channelId, dispatch);
  const page = usePageActions(model.world, dispatch);
  const { world, channelId, threadTs } = model;
  const channel = world?.channels.find(({ id }) => id === channelId);
  const otherChannels = world?.channels.filter(({ id }) => id !== channelId) ?? [];
  useTitle(
    world && channel && channelTitle(channel, world),
    otherChannels.reduce((sum, { id }) => sum + unreadCount(model, id), 0),
  );
  const newest = channelId && channelMessages(model, channelId).at(-1)?.ts;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message in the open channel counts as seen at once.
  useEffect(() => dispatch({ type: 'seen' }), [newest]);
  useEffect(() => {
    // On failure the inspector simply starts empty.
    api.wire().then(
      (wire) => dispatch({ type: 'wire_loaded', wire }),
      () => {},
    );
  }, []);
  useEffect(() => {
    if (!world) return;
    history.replaceState(null, '', formatAddress({ userId: world.me.id, channelId }));
    rememberUser(world.me.id);
  }, [world, channelId]);

  if (!page || !channel) return <Starting lost={model.connection === 'lost'} />;
  const viewKey = `${page.world.me.id}:${channel.id}`;
  const notices = model.notices.filter((n) => n.userId === page.world.me.id && n.channelId === channel.id);
  const closeNotice = (id: number) => dispatch({ type: 'notice_closed', id });
  return (
    <PageContext value={page}>
      <div
        className="app"
        data-sidebar={sidebarOpen}
        data-thread={threadTs !== undefined}
        data-rail={page.world.workspaces !== undefined}
      >
        <Banner
          connected={model.connection === 'live'}
          appConnected={model.appConnected}
          clock={model.clock}
        />
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
          messages={channelMessages(model, channel.id)}
          notices={notices.filter((notice) => notice.threadTs === undefined)}
          newSince={model.newSince}
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
            messages={threadMessages(model, channel.id, threadTs)}
            notices={notices.filter((notice) => notice.threadTs === threadTs)}
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
    </PageContext>
  );
}

function Starting({ lost }: { lost: boolean }) {
  return (
    <main className="starting">
      <output>{lost ? "The playground isn't responding. Retrying …" : 'Opening the playground …'}</output>
    </main>
  );
}
