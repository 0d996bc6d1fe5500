import fc from 'fast-check';

/** Any code point but halves of surrogate pairs. fast-check's `binary` first lists all of them, in more than a second. */
export const anyCharacter = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));
