import { isLoopback } from '../../src/blocks/loopback.ts';

/** Where the page gets an image: like Slack, from the server that has downloaded it. Others can't be shown. */
export const imageSource = (url: string): string =>
  isLoopback(url) ? `/playground/image?url=${encodeURIComponent(url)}` : url;
