/** A plain question that a command answers. It changes nothing. */
export interface Question {
  /** As a person types it; for help. */
  example: string;
  /**
   * The ways to ask it: regular expressions for the whole text, in any case, the most specific first. A slot such as
   * `{vessel}` stands for any words; `{period}?` may be left out, with the space before it.
   */
  asked: readonly string[];
  /** The words after the command's name, with the same slots. The command's own parser reads them. */
  words: string;
}
