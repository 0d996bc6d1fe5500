import type { PageUser } from '../../src/page-api/page-api.ts';

const COLOURS = 6;

/** A user's picture: initials on a colour, or a ship for the bot. Decorative, since the name is next to it. */
export function Avatar({ user, size = 36 }: { user: PageUser | undefined; size?: 20 | 24 | 36 }) {
  return (
    <svg className={`avatar avatar-${size}`} viewBox="0 0 36 36" aria-hidden="true" focusable="false">
      <rect width="36" height="36" rx="8" className={user?.isBot ? 'avatar-bot' : `avatar-${colour(user)}`} />
      {user?.isBot ? <Ship /> : <Initials user={user} />}
    </svg>
  );
}

function Ship() {
  return (
    <>
      <path d="M7 21h22l-3 6a2 2 0 0 1-2 1H12a2 2 0 0 1-2-1z" fill="#fff" />
      <path d="M12 15h5v4h-5zM19 15h5v4h-5zM15 9h6v4h-6z" fill="#f2c14e" />
    </>
  );
}

function Initials({ user }: { user: PageUser | undefined }) {
  const words = (user?.realName || user?.name || '?').split(/\s+/);
  const initials = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => word?.at(0) ?? '');
  return (
    <text x="18" y="18.5" className="avatar-text">
      {initials.join('').toUpperCase()}
    </text>
  );
}

const colour = (user: PageUser | undefined): number =>
  user ? [...user.id].reduce((sum, character) => sum * 31 + (character.codePointAt(0) ?? 0), 7) % COLOURS : 0;
