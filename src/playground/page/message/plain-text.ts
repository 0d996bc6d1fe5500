import type { TextObject } from '@slack/types';

/** The text of a text object, with Slack's three escapes decoded. */
export const plainText = (text: TextObject): string =>
  text.text.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');
