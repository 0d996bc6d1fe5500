import fc from 'fast-check';

/** Any code point but halves of surrogate pairs. fast-check's `binary` first lists all of them, in more than a second. */
export const anyCharacter = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  // Only what can be mapped back may be a part of `__proto__` and the like, which fast-check tries too.
  .map((code) => String.fromCodePoint(code), codeOf);

/** -1, which is no code, for anything but one character. */
function codeOf(character: unknown): number {
  if (typeof character !== 'string') return -1;
  const [code = -1, ...others] = Array.from(character, (one) => one.codePointAt(0));
  return others.length === 0 ? code : -1;
}
