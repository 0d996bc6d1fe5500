/**
 * Escapes text from people or from the service for mrkdwn. `&`, `<` and `>` become entities, which prevents mentions
 * and links; formatting marks become similar characters.
 */
export function escaped(text: string): string {
  if (!/[&<>`*~_]/.test(text) && !unshowable.test(text)) return text;
  return (
    codeLine(text)
      .replaceAll('*', '∗')
      .replaceAll('~', '∼')
      // An underscore inside a word formats nothing, so NORTH_EUROPE stays as it is.
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '‗')
  );
}

/** Escapes plain text (buttons, table cells): Slack may see mentions and links there too. */
export const plain = (text: string): string => oneLine(text).replaceAll('<', '‹').replaceAll('>', '›');

/** Slack shows the time in the reader's own zone. Programs that can't do that show `fallback`. */
export const dateToken = (time: Date, fallback: string): string =>
  `<!date^${Math.floor(time.getTime() / 1000)}^{date_short_pretty} {time}|${escaped(fallback)}>`;

/** Slack shows the channel's name to people who may see it. The id becomes markup, so its shape is checked. */
export const channelMention = (channelId: string): string =>
  /^[CG][A-Z0-9]+$/.test(channelId) ? `<#${channelId}>` : 'a channel';

/** Slack shows the person's name. For private answers only: in a channel Slack also notifies the person. */
export const personMention = (userId: string): string =>
  /^[UW][A-Z0-9]+$/.test(userId) ? `<@${userId}>` : 'somebody';

/** Whether the URL has the shape of Slack's to a message of the workspace. */
export const isLink = (url: string): boolean => /^https?:\/\/[\w.:-]+\/[\w./?=&-]*$/.test(url);

/** A link to a message of the workspace; just the label if the URL has another shape than Slack's. */
export const link = (url: string, label: string): string =>
  isLink(url) ? `<${url.replaceAll('&', '&amp;')}|${escaped(label)}>` : escaped(label);

export const codeBlock = (lines: readonly string[]): string => `\`\`\`${lines.join('\n')}\`\`\``;

/** Escapes a line for a block of code. */
export function codeLine(text: string): string {
  return oneLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('`', 'ˋ');
}

/** What `oneLine` changes; few texts have any of it. */
const unshowable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u;

/** With line breaks or control characters, a name could look like a separate block. */
function oneLine(text: string): string {
  if (!unshowable.test(text)) return text;
  return (
    text
      .toWellFormed()
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      // Marks that change the direction of the text.
      .replace(/[\u202A-\u202E\u2066-\u2069]/g, '')
  );
}
