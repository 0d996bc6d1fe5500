import { Icon } from '../chrome/icons.tsx';
import { Menu } from '../message/menu.tsx';
import { usePage } from '../model/page-context.ts';

interface Props {
  channelId: string;
  /** For the shortcuts of this message; without it, the global ones. */
  messageTs?: string;
  threadTs?: string | undefined;
}

/** The app's shortcuts. */
export function ShortcutMenu({ channelId, messageTs, threadTs }: Props) {
  const { world, shortcut } = usePage();
  const type = messageTs ? 'message' : 'global';
  const shortcuts = world.shortcuts.filter((known) => known.type === type);
  if (shortcuts.length === 0) return null;
  return (
    <Menu
      className="tool-menu"
      label={messageTs ? 'More message actions' : 'Shortcuts'}
      button={<Icon name={messageTs ? 'more' : 'bolt'} />}
      items={shortcuts.map(({ callbackId, name, description }) => ({
        key: callbackId,
        content: (
          <span className="menu-text">
            {name}
            <small>{description}</small>
          </span>
        ),
      }))}
      onChoose={(callbackId) =>
        void shortcut({ channelId, callbackId, ...(messageTs && { messageTs }) }, threadTs)
      }
    />
  );
}
