export type Encoding = 'utf-8' | 'utf-16' | 'windows-1252';

/**
 * Decodes a file of unknown encoding: UTF-16 by its byte order mark, else UTF-8 if it is valid, else Windows-1252, as
 * old spreadsheets write it. Undefined for a file that isn't text, such as a picture.
 */
export function decodeTable(bytes: Uint8Array): { text: string; encoding: Encoding } | undefined {
  const [first, second] = bytes;
  const isLittle = first === 0xff && second === 0xfe;
  const isBig = first === 0xfe && second === 0xff;
  if (isLittle || isBig) {
    const text = decode(bytes, isLittle ? 'utf-16le' : 'utf-16be');
    return text === undefined ? undefined : { text, encoding: 'utf-16' };
  }
  if (bytes.includes(0)) return undefined;
  const text = decode(bytes, 'utf-8');
  if (text !== undefined) return { text, encoding: 'utf-8' };
  const guessed = new TextDecoder('windows-1252').decode(bytes);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they tell a picture from a text.
  return /[\u0001-\u0008\u000e-\u001f]/.test(guessed)
    ? undefined
    : { text: guessed, encoding: 'windows-1252' };
}

function decode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
