/** A picture of the docs: what happens before it, and what it shows. */
export interface Picture {
  /** The file: docs/images/NAME.webp. */
  name: string;
  /** What it shows, for those who can't see it. Every document that shows it uses these words. */
  alt: string;
  /** Puts it into docs/commands.md, under this command. Pictures without it stand in other documents. */
  command?: string;
  /** With `command`: what stands above it, after `line`. */
  caption?: string;
  line?: string;
  steps: readonly Step[];
  shot: Shot;
}

/** Pictures of one world, in the order in which they are taken: each begins where the one before it ended. */
export interface Scene {
  /** Which vessels and predictions there are. */
  seed?: number;
  workspaces?: 1 | 2;
  /** Landfall is an agent. */
  isAgent?: boolean;
  pictures: readonly Picture[];
}

export type Step =
  /** A line that somebody types in the open channel; then its answer has this text. */
  | { type: string; shows: string }
  /** Advances the world's clock by 6 hours at a time until a message of the bot has this text. Fails after 28 days. */
  | { forwardUntil: string }
  /** A button, a tab or a link of the page by its name; then the page has this text. */
  | { click: string; shows?: string }
  /** The thread below the channel's last message with this text. */
  | { openThread: string }
  /** Adds the app to the workspace, from its landing page, and opens the first message's form. */
  | { install: true };

export type Shot =
  | { of: 'page'; height: number }
  /** The last message of the channel that has this text. */
  | { of: 'message'; with: string }
  /** All messages of the open thread, or the alert at its end. */
  | { of: 'thread' | 'last reply' | 'dialog' }
  /** A part of the page by its name, such as the inspector. */
  | { of: 'region'; name: string };
