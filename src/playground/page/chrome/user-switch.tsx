import type { PageUser } from '../../page-api/page-api.ts';
import { Menu } from '../message/menu.tsx';
import { isSomebody } from '../model/is-somebody.ts';
import { usePage } from '../model/page-context.ts';
import { clockTime } from '../model/time.ts';
import { Avatar } from './avatar.tsx';
import { Icon } from './icons.tsx';

/** Who one is in the playground; a click lets one be somebody else. */
export function UserSwitch({ onUser }: { onUser: (userId: string) => void }) {
  const { world } = usePage();
  const people = world.users.filter((user) => !user.isBot && isSomebody(user));
  return (
    <Menu
      className="user-switch"
      label={`You are ${world.me.realName}. Switch user`}
      button={
        <>
          <Avatar user={world.me} />
          <span className="user-switch-who">
            <span className="user-switch-name">{world.me.realName}</span>
            <span className="user-switch-more">{about(world.me)}</span>
          </span>
          <Icon name="caret" />
        </>
      }
      items={people.map((user) => ({
        key: user.id,
        checked: user.id === world.me.id,
        content: (
          <span className="user-choice">
            <Avatar user={user} size={24} />
            <span>
              <span className="user-choice-name">{user.realName}</span>
              <span className="user-choice-more">{about(user)}</span>
            </span>
          </span>
        ),
      }))}
      onChoose={onUser}
    />
  );
}

function about(user: PageUser): string {
  const place = user.zone.split('/').at(-1)?.replaceAll('_', ' ') ?? user.zone;
  return `${roleOf(user)}${place} ${clockTime(Date.now(), user.zone)}`;
}

function roleOf({ isOutside, isAdmin, isGuest }: PageUser): string {
  if (isOutside) return 'other organisation · ';
  return isAdmin ? 'admin · ' : isGuest ? 'guest · ' : '';
}
