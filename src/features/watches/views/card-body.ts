import { limits } from '../../../messages/limits.ts';
import type { Piece } from '../../../messages/message.ts';
import type { Imo } from '../../../reference/imo.ts';

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

/** Leaves room in the card's `text` for the watch's state and the mark of invented data. */
export const maxCardText = limits.messageText - 1_000;

/** How many vessels a card lists. */
export const maxRows = 30;

export const moreNote = (all: number, shown: number, label: string): string[] =>
  all > shown ? [`the ${shown} with the nearest ETA; ${label} (⋯) shows ${all - shown} more`] : [];

interface WithEta {
  imo: Imo;
  eta: Date | null | undefined;
}

/** Earliest ETA first; vessels without an ETA last. */
export const byEta = (one: WithEta, other: WithEta): number =>
  etaMs(one) - etaMs(other) || one.imo - other.imo;

const etaMs = ({ eta }: WithEta): number => eta?.getTime() ?? Number.MAX_SAFE_INTEGER;
