import { useMemo } from 'react';
import type { PageChannel, PageMessage } from '../../src/page-api/page-api.ts';
import { ThreadStatus } from '../agent/status.tsx';
import { Composer } from '../composer/composer.tsx';
import { MessageList } from '../message/message-list.tsx';
import { channelTitle } from '../model/channel-title.ts';
import type { ListPlace, Notice } from '../model/notice.ts';
import { usePage } from '../model/page-context.ts';
import type { MessagePlace } from '../model/permalink.ts';
import { Icon } from './icons.tsx';

interface Props {
  channel: PageChannel;
  threadTs: string;
  messages: PageMessage[];
  notices: Notice[];
  newSince: string | undefined;
  linked: MessagePlace | undefined;
  sent: ListPlace | undefined;
  onCloseNotice: (id: number) => void;
}

/** A thread next to its channel. Escape closes it. */
export function ThreadPane({ channel, threadTs, ...list }: Props) {
  const { world, openThread } = usePage();
  const status = useMemo(
    () => <ThreadStatus channelId={channel.id} threadTs={threadTs} />,
    [channel.id, threadTs],
  );
  return (
    <aside
      className="thread"
      aria-label="Thread"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) openThread(undefined);
      }}
    >
      <header className="thread-header">
        <h2>
          Thread <span>{channelTitle(channel, world)}</span>
        </h2>
        <button
          type="button"
          className="icon-button"
          aria-label="Close the thread"
          onClick={() => openThread(undefined)}
        >
          <Icon name="close" />
        </button>
      </header>
      <MessageList label="Messages in the thread" {...list} threadTs={threadTs} outro={status} />
      <Composer channel={channel} threadTs={threadTs} placeholder="Reply …" />
    </aside>
  );
}
