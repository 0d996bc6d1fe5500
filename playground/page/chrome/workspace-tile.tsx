const COLOURS = 4;

/** A workspace's picture: initials on a colour. Decorative, since the name is next to it or in a label. */
export function WorkspaceTile({ id, name }: { id: string; name: string }) {
  const initials = name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.at(0) ?? '');
  return (
    <span className={`workspace-tile tile-${colourOf(id)}`} aria-hidden="true">
      {initials.join('').toUpperCase()}
    </span>
  );
}

const colourOf = (id: string): number =>
  [...id].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0) % COLOURS;
