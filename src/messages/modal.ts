import type { KnownBlock } from '@slack/types';

/** What a form's view gives back; slack/ makes a modal of it. Titles in plain text. */
export interface Modal {
  /** At most 24 characters. */
  title: string;
  blocks: KnownBlock[];
  /** The words of the button that submits; left out where there is nothing to submit. */
  submit?: string;
}
