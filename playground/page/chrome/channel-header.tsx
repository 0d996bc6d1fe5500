import { useId } from 'react';
import type { PageChannel, PageUser } from '../../src/page-api/page-api.ts';
import { channelName } from '../model/channel-title.ts';
import { usePage } from '../model/page-context.ts';
import { Avatar } from './avatar.tsx';
import { ChannelMenu } from './channel-menu.tsx';
import { Icon } from './icons.tsx';

/** Name, topic and members of the open channel. */
export function ChannelHeader({ channel, onMenu }: { channel: PageChannel; onMenu: () => void }) {
  const { world } = usePage();
  const members = world.users.filter((user) => channel.memberIds.includes(user.id));
  const other = members.find((user) => user.id !== world.me.id);
  const isShared = members.some((user) => user.isOutside);
  return (
    <header className="channel-header">
      <button type="button" className="icon-button only-narrow" aria-label="Show channels" onClick={onMenu}>
        <Icon name="menu" />
      </button>
      <h2 className="channel-name">
        {channel.kind === 'dm' ? (
          <Avatar user={other} size={24} />
        ) : (
          <Icon name={channel.kind === 'private' ? 'lock' : 'hash'} />
        )}
        <span>{channelName(channel, world)}</span>
        {other?.isBot && channel.kind === 'dm' && <span className="app-badge">App</span>}
      </h2>
      <p className="channel-topic" title={channel.topic}>
        {isShared && <span className="outside-badge">Shared with another organisation</span>}
        {channel.topic}
      </p>
      {channel.kind !== 'dm' && (
        <>
          <Members members={members} />
          <ChannelMenu channel={channel} />
        </>
      )}
    </header>
  );
}

function Members({ members }: { members: PageUser[] }) {
  const id = useId();
  return (
    <>
      <button type="button" className="members" popoverTarget={id} aria-label={`${members.length} members`}>
        <Icon name="people" />
        {members.length}
      </button>
      <ul id={id} popover="auto" className="members-list" aria-label="Members">
        {members.map((user) => (
          <li key={user.id} className="user-row">
            <Avatar user={user} size={24} />
            <span>
              <span className="user-row-name">{user.realName || user.name}</span>
              {user.isBot && <span className="user-row-detail">app</span>}
              {user.isOutside && <span className="user-row-detail">other organisation</span>}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
