import type { KnownBlock } from '@slack/types';

/** The result of a form's view; slack/ makes a modal of it. Titles are plain text. */
export interface Modal {
  /** At most 24 characters. */
  title: string;
  blocks: KnownBlock[];
  /** The label of the submit button; left out if there is nothing to submit. */
  submit?: string;
}
