/** Letters that Unicode does not decompose into a letter and an accent. */
const specialLetters = new Map(
  Object.entries({ ø: 'o', đ: 'd', ł: 'l', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ð: 'd' }),
);

/** Folds a name for comparison: lower case, no accents, `st` for `Saint`, single spaces between words. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[øđłıßæœþð]/g, (letter) => specialLetters.get(letter) ?? letter)
    .replace(/['’`´]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/\b(?:saint|sankt|sint|ste)\b/g, 'st')
    .trim();
}

/** Folds a name and removes the spaces: `Hongkong` equals `Hong Kong`. */
export const foldTight = (text: string): string => fold(text).replaceAll(' ', '');
