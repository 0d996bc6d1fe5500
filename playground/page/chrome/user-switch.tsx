import type { PageUser } from '../../src/page-api/page-api.ts';
import { Menu } from '../message/menu.tsx';
import { isSlackbot } from '../model/is-slackbot.ts';
import { usePage } from '../model/page-context.ts';
import { clockTime } from '../model/time.ts';
import { useMinute } from '../model/world-time.ts';
import { Avatar } from './avatar.tsx';
import { Icon } from './icons.tsx';

/** Shows the current user and switches to another one. */
export function UserSwitch({ onUser }: { onUser: (userId: string) => void }) {
  const { world } = usePage();
  const now = useMinute();
  const people = world.users.filter((user) => !user.isBot && !isSlackbot(user));
  return (
    <Menu
      className="user-switch"
      label="Switch user"
      isNamed
      button={
        <>
          <Avatar user={world.me} />
          <span className="user-switch-who">
            <span className="user-switch-name">
              <span className="hidden">You are </span>
              {world.me.realName}
            </span>
            <span className="user-switch-detail">{describe(world.me, now)}</span>
            <span className="hidden">Switch user</span>
          </span>
          <Icon name="caret" />
        </>
      }
      items={people.map((user) => ({
        key: user.id,
        checked: user.id === world.me.id,
        content: (
          <span className="user-row">
            <Avatar user={user} size={24} />
            <span>
              <span className="user-row-name">{user.realName}</span>
              <span className="user-row-detail">{describe(user, now)}</span>
            </span>
          </span>
        ),
      }))}
      onChoose={onUser}
    />
  );
}

function describe(user: PageUser, now: number): string {
  const place = user.zone.split('/').at(-1)?.replaceAll('_', ' ') ?? user.zone;
  return `${roleOf(user)}${place} ${clockTime(now, user.zone)}`;
}

function roleOf({ isOutside, isAdmin, isGuest }: PageUser): string {
  if (isOutside) return 'other organisation · ';
  return isAdmin ? 'admin · ' : isGuest ? 'guest · ' : '';
}
