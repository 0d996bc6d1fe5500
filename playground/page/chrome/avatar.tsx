import type { PageUser } from '../../src/page-api/page-api.ts';

const COLOURS = 6;

/** A user's picture: initials on a colour, or the app's icon. Decorative, since the name is next to it. */
export function Avatar({ user, size = 36 }: { user: PageUser | undefined; size?: 20 | 24 | 36 }) {
  return (
    <svg className={`avatar avatar-${size}`} viewBox="0 0 36 36" aria-hidden="true" focusable="false">
      {user?.isBot ? (
        <image href="/playground/icon.svg" width="36" height="36" />
      ) : (
        <>
          <rect width="36" height="36" rx="8" className={`avatar-${colour(user)}`} />
          <Initials user={user} />
        </>
      )}
    </svg>
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
