import type { TextObject } from '@slack/types';

/** Decodes the three characters that Slack escapes. */
export const decodeEscapes = (text: string): string =>
  text.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');

export const plainText = ({ text }: TextObject): string => decodeEscapes(text);
