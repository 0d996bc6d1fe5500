import type { Piece } from '../../../messages/message.ts';

/** The part of a card that shows the predictions. */
export interface CardBody {
  /** Escaped. */
  text: string;
  /** Draws the verdict with the card's marker, such as `🟠 `, and the lines about its state below it, in mrkdwn. */
  draw(marker: string, lines: readonly string[]): Piece[];
  /** Something in it needs a look. */
  isToCheck: boolean;
  /** Small print, escaped. */
  notes: readonly string[];
  /** The command line of the whole answer. */
  showAll?: { label: string; line: string };
}
