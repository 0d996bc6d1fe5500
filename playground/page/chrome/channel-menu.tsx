import type { ManageRequest, PageChannel } from '../../src/page-api/page-api.ts';
import { Menu } from '../message/menu.tsx';
import { appUser } from '../model/app-user.ts';
import { usePage } from '../model/page-context.ts';
import { Icon } from './icons.tsx';

interface Item {
  key: ManageRequest['action'];
  content: string;
}

/** The channel's menu: members can archive or unarchive the channel, and add or remove the app. */
export function ChannelMenu({ channel }: { channel: PageChannel }) {
  const { world, manage } = usePage();
  const bot = appUser(world);
  if (!channel.memberIds.includes(world.me.id)) return null;
  const name = bot?.realName ?? 'the app';
  const hasBot = bot !== undefined && channel.memberIds.includes(bot.id);
  const membership: Item = hasBot
    ? { key: 'remove_app', content: `Remove ${name} from this channel` }
    : { key: 'add_app', content: `Add ${name} to this channel` };
  const items: Item[] = [
    ...(bot ? [membership] : []),
    channel.isArchived
      ? { key: 'unarchive', content: 'Unarchive this channel' }
      : { key: 'archive', content: 'Archive this channel' },
  ];
  return (
    <Menu
      label="Channel actions"
      className="channel-menu"
      button={<Icon name="more" />}
      items={items}
      onChoose={(key) => {
        const chosen = items.find((item) => item.key === key);
        if (chosen) void manage(channel.id, chosen.key);
      }}
    />
  );
}
