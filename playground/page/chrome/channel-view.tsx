import { memo, useEffect } from 'react';
import type { PageChannel, PageMessage, PageView } from '../../src/page-api/page-api.ts';
import { SuggestedPrompts } from '../agent/suggested-prompts.tsx';
import { Composer } from '../composer/composer.tsx';
import { MessageList } from '../message/message-list.tsx';
import { api } from '../model/api.ts';
import { channelTitle, otherMember } from '../model/channel-title.ts';
import type { ListPlace, Notice } from '../model/notice.ts';
import { usePage } from '../model/page-context.ts';
import type { MessagePlace } from '../model/permalink.ts';
import type { ThreadSummary } from '../model/threads.ts';
import { HomeView } from '../views/home-view.tsx';
import { ChannelHeader } from './channel-header.tsx';
import { ChannelIntro } from './channel-intro.tsx';
import { type AppTab, HomeTabs } from './home-tabs.tsx';
import { NotInstalled } from './not-installed.tsx';

interface Props {
  channel: PageChannel;
  messages: PageMessage[];
  notices: Notice[];
  newSince: string | undefined;
  linked: MessagePlace | undefined;
  sent: ListPlace | undefined;
  threads: ReadonlyMap<string, ThreadSummary>;
  onCloseNotice: (id: number) => void;
  onMenu: () => void;
  /** The open tab of the app's direct message. */
  tab: AppTab;
  onTab: (tab: AppTab) => void;
  home: PageView | undefined;
}

/** The open channel: header, messages and composer. The app's direct message also has a Home tab. */
export function ChannelView({ channel, tab, onTab, home, onMenu, ...rest }: Props) {
  const { world } = usePage();
  const userId = world.me.id;
  const other = channel.kind === 'dm' ? otherMember(channel, world) : undefined;
  const isApp = other?.isBot === true;
  const openTab = isApp && world.homeEnabled ? tab : 'messages';
  useEffect(() => {
    // If this fails, the next opening of the tab sends it again.
    if (isApp) api.openHome(userId, openTab).catch(() => {});
  }, [isApp, openTab, userId]);
  return (
    <main className="channel" aria-label={channelTitle(channel, world)}>
      <ChannelHeader channel={channel} onMenu={onMenu} />
      <NotInstalled />
      {isApp && world.homeEnabled && <HomeTabs tab={openTab} onTab={onTab} />}
      {openTab === 'home' ? (
        <HomeView key={userId} view={home} appName={other?.realName ?? 'The app'} />
      ) : (
        <Conversation channel={channel} {...rest} />
      )}
    </main>
  );
}

type ConversationProps = Omit<Props, 'onMenu' | 'tab' | 'onTab' | 'home'>;

const Conversation = memo(function Conversation(props: ConversationProps) {
  const { channel, messages, notices, newSince, linked, sent, threads, onCloseNotice } = props;
  const { world } = usePage();
  const title = channelTitle(channel, world);
  const isMember = channel.memberIds.includes(world.me.id);
  return (
    <>
      <MessageList
        label={`Messages in ${title}`}
        messages={messages}
        notices={notices}
        newSince={newSince}
        linked={linked}
        sent={sent}
        threads={threads}
        onCloseNotice={onCloseNotice}
        intro={<ChannelIntro channel={channel} hideExamples={messages.length > 0 || !isMember} />}
      />
      {isMember && !channel.isArchived ? (
        <>
          <SuggestedPrompts channel={channel} />
          <Composer channel={channel} placeholder={`Message ${title}`} />
        </>
      ) : (
        <p className="no-composer">
          {channel.isArchived
            ? `${title} is archived, so nobody can post in it.`
            : `You can read ${title}, but only its members can post in it.`}
        </p>
      )}
    </>
  );
});
