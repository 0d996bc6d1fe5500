import type { PageChannel, PageWorkspace } from '../../src/page-api/page-api.ts';
import { channelName, otherMember } from '../model/channel-title.ts';
import { usePage } from '../model/page-context.ts';
import { callCount, type PageModel, unreadCount } from '../model/page-model.ts';
import { Avatar } from './avatar.tsx';
import { FAULTS_PANEL } from './faults.tsx';
import { Icon } from './icons.tsx';
import { AddApp } from './not-installed.tsx';
import { UserSwitch } from './user-switch.tsx';
import { WorkspaceRail } from './workspace-rail.tsx';

interface Props {
  model: PageModel;
  onUser: (userId: string) => void;
  onWorkspace: (workspace: PageWorkspace) => void;
  onClose: () => void;
  inspectorOpen: boolean;
  onInspector: () => void;
  onInstalls: () => void;
}

/** The workspace: channels, direct messages, the inspector and the current user. */
export function Sidebar(props: Props) {
  const { model, onUser, onWorkspace, onClose, inspectorOpen, onInspector, onInstalls } = props;
  const { world, openChannel } = usePage();
  const channels = world.channels.filter((channel) => channel.kind !== 'dm');
  const direct = world.channels.filter((channel) => channel.kind === 'dm');
  const item = (channel: PageChannel) => (
    <ChannelItem
      key={channel.id}
      channel={channel}
      open={channel.id === model.channelId}
      unread={channel.id === model.channelId ? 0 : unreadCount(model, channel.id)}
      calls={callCount(model, channel)}
      onOpen={() => {
        openChannel(channel.id);
        onClose();
      }}
    />
  );
  return (
    <>
      <button type="button" className="sidebar-backdrop" aria-label="Close the sidebar" onClick={onClose} />
      <nav className="sidebar" aria-label="Workspace">
        {world.workspaces && <WorkspaceRail unreadTeams={model.unreadTeams} onSwitch={onWorkspace} />}
        <h1 className="workspace">{world.teamName}</h1>
        <div className="sidebar-scroll">
          <h2>Channels</h2>
          <ul>{channels.map(item)}</ul>
          <h2>{world.app ? 'Apps' : 'Direct messages'}</h2>
          <ul>
            {direct.map(item)}
            {world.app && !world.app.install && (
              <li>
                <AddApp className="sidebar-item" />
              </li>
            )}
          </ul>
          <h2>Playground</h2>
          <ul>
            <li>
              <button
                type="button"
                className="sidebar-item"
                aria-expanded={inspectorOpen}
                onClick={() => {
                  onInspector();
                  onClose();
                }}
              >
                <Icon name="wire" />
                <span className="sidebar-name">Inspector</span>
              </button>
            </li>
            <li>
              <button type="button" className="sidebar-item" popoverTarget={FAULTS_PANEL} onClick={onClose}>
                <Icon name="warn" />
                <span className="sidebar-name">Faults</span>
              </button>
            </li>
            {world.app && (
              <li>
                <button
                  type="button"
                  className="sidebar-item"
                  aria-haspopup="dialog"
                  onClick={() => {
                    onInstalls();
                    onClose();
                  }}
                >
                  <Icon name="key" />
                  <span className="sidebar-name">Installation</span>
                </button>
              </li>
            )}
          </ul>
        </div>
        <UserSwitch onUser={onUser} />
      </nav>
    </>
  );
}

interface ItemProps {
  channel: PageChannel;
  open: boolean;
  unread: number;
  /** Unread messages that call for the reader. */
  calls: number;
  onOpen: () => void;
}

function ChannelItem({ channel, open, unread, calls, onOpen }: ItemProps) {
  const { world } = usePage();
  return (
    <li>
      <button
        type="button"
        className={`sidebar-item${unread ? ' sidebar-unread' : ''}`}
        aria-current={open ? 'page' : undefined}
        onClick={onOpen}
      >
        {channel.kind === 'dm' ? (
          <Avatar user={otherMember(channel, world)} size={20} />
        ) : (
          <Icon name={channel.kind === 'private' ? 'lock' : 'hash'} />
        )}
        <span className="sidebar-name">{channelName(channel, world)}</span>
        {channel.kind === 'private' && <span className="hidden">, private</span>}
        {unread > 0 && <span className="hidden">{unread} unread</span>}
        {unread > 0 && calls > 0 && (
          <span className="sidebar-badge" aria-hidden="true">
            {calls}
          </span>
        )}
      </button>
    </li>
  );
}
