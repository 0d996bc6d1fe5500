import type { TextObject } from '@slack/types';

/** A text object's words: Slack's three escapes undone. */
export const plainText = (text: TextObject): string =>
  text.text.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');
