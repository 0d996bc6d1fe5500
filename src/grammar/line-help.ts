/** What a parser needs in order to answer a wrong word with right command lines. */
export interface LineHelp {
  /** The whole command line with what is being read put right: `(fixed) => \`portcalls ${fixed} min 30%\``. */
  line: (fixed: string) => string;
  /** A whole command line to copy. */
  example: string;
  /** What words after the subject, which nothing could read, were most probably meant as. */
  nearestEnding?: (words: string) => readonly string[];
}

/** Typed words as a message shows them: in quotes, and shortened with … where they are long. */
export function quote(typed: string): string {
  const letters = [...typed];
  return `“${letters.length > 60 ? `${letters.slice(0, 59).join('')}…` : typed}”`;
}
