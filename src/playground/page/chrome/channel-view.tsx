import { useEffect } from 'react';
import type { PageChannel, PageMessage, PageView } from '../../page-api/page-api.ts';
import { Composer } from '../composer/composer.tsx';
import { MessageList } from '../message/message-list.tsx';
import { api } from '../model/api.ts';
import { channelTitle, otherMember } from '../model/channel-title.ts';
import { usePage } from '../model/page-context.ts';
import type { Notice } from '../model/page-model.ts';
import { HomeView } from '../views/home-view.tsx';
import { ChannelHeader } from './channel-header.tsx';
import { EmptyChannel } from './empty-channel.tsx';
import { type AppTab, HomeTabs } from './home-tabs.tsx';

interface Props {
  channel: PageChannel;
  messages: PageMessage[];
  notices: Notice[];
  newSince: string | undefined;
  onCloseNotice: (id: number) => void;
  onMenu: () => void;
  /** Of the direct line to the app. */
  tab: AppTab;
  onTab: (tab: AppTab) => void;
  home: PageView | undefined;
}

/** The open channel: its header, its messages, and where one writes; of an app's direct line also its Home. */
export function ChannelView({ channel, tab, onTab, home, onMenu, ...rest }: Props) {
  const { world } = usePage();
  const userId = world.me.id;
  const other = channel.kind === 'dm' ? otherMember(channel, world) : undefined;
  const isApp = other?.isBot === true;
  const shown = isApp && world.homeEnabled ? tab : 'messages';
  useEffect(() => {
    // What could not be told is told again when the tab is next opened.
    if (isApp) api.openHome(userId, shown).catch(() => {});
  }, [isApp, shown, userId]);
  return (
    <main className="channel" aria-label={channelTitle(channel, world)}>
      <ChannelHeader channel={channel} onMenu={onMenu} />
      {isApp && world.homeEnabled && <HomeTabs tab={shown} onTab={onTab} />}
      {shown === 'home' ? (
        <HomeView key={userId} view={home} appName={other?.realName ?? 'The app'} />
      ) : (
        <Conversation channel={channel} {...rest} />
      )}
    </main>
  );
}

type ConversationProps = Omit<Props, 'onMenu' | 'tab' | 'onTab' | 'home'>;

function Conversation({ channel, messages, notices, newSince, onCloseNotice }: ConversationProps) {
  const { world } = usePage();
  const title = channelTitle(channel, world);
  const member = channel.memberIds.includes(world.me.id);
  return (
    <>
      <MessageList
        label={`Messages in ${title}`}
        messages={messages}
        notices={notices}
        newSince={newSince}
        onCloseNotice={onCloseNotice}
        opening={<EmptyChannel channel={channel} plain={messages.length > 0 || !member} />}
      />
      {member && !channel.isArchived ? (
        <Composer channel={channel} placeholder={`Message ${title}`} />
      ) : (
        <p className="no-composer">
          {channel.isArchived
            ? `${title} is archived: nobody can write in it.`
            : `You can read ${title}, but you are not a member of it.`}
        </p>
      )}
    </>
  );
}
