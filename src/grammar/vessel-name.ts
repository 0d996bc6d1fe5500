export const maxNameLength = 60;

/** Why a text isn't a valid vessel name, as a short clause; undefined for a valid one. */
export function nameFault(name: string): string | undefined {
  if (name.trim() === '') return 'no name';
  if (name.length > maxNameLength) return `a name has at most ${maxNameLength} characters`;
  if (!/\p{L}/u.test(name)) return 'a name has at least one letter';
  return /^(?:(?:ship)?list|fleet|port)\s*:/i.test(name) || /[\p{Cc}<>,;]/u.test(name)
    ? "a name has no commas, semicolons, angle brackets or line breaks, and doesn't begin with list: or fleet:"
    : undefined;
}
