/** What a parser needs to offer corrected command lines for a wrong word. */
export interface LineHelp {
  /** The whole command line with the wrong words corrected: `(fixed) => \`portcalls ${fixed} min 30%\``. */
  line: (fixed: string) => string;
  /** A whole command line to copy. */
  example: string;
  /** Corrections of the words after the subject that no parser understood. */
  nearestEnding?: (words: string) => readonly string[];
}

/** Typed words as a message shows them: in quotes, and shortened with … if long. */
export function quote(typed: string): string {
  const letters = [...typed];
  return `“${letters.length > 60 ? `${letters.slice(0, 59).join('')}…` : typed}”`;
}
