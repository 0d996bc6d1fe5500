/**
 * THE escape: text made by people or by the service, fit to be in mrkdwn. `&`, `<` and `>` become entities,
 * so that no mention or link comes through; formatting marks become look-alikes, so that none opens.
 */
export function escaped(text: string): string {
  return (
    oneLine(text)
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('*', '∗')
      .replaceAll('~', '∼')
      .replaceAll('`', 'ˋ')
      // Inside a word an underscore formats nothing, and names such as NORTH_EUROPE keep theirs.
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '‗')
  );
}

/** The same for plain text (buttons, table cells), which has no formatting but may be read as an entity. */
export function plain(text: string): string {
  return oneLine(text).replaceAll('<', '‹').replaceAll('>', '›');
}

/** A time in the reader's own zone, as Slack shows it; `fallback` is what other programs show. */
export function dateToken(time: Date, fallback: string): string {
  return `<!date^${Math.floor(time.getTime() / 1000)}^{date_short_pretty} {time}|${escaped(fallback)}>`;
}

/**
 * Slack shows the channel's name, to those who may see it; a direct message has none. The shape of the id is
 * checked because it becomes markup.
 */
export function channelMention(channelId: string): string {
  if (/^[DUW]/.test(channelId)) return 'a direct message';
  return /^[CG][A-Z0-9]+$/.test(channelId) ? `<#${channelId}>` : 'a channel';
}

/**
 * Slack shows the person's name, and notifies them where the message is in a channel: for private answers only. The
 * shape of the id is checked here too.
 */
export function personMention(userId: string): string {
  return /^[UW][A-Z0-9]+$/.test(userId) ? `<@${userId}>` : 'somebody';
}

/** To a message of the workspace; only what Slack itself gave as its address becomes a link. */
export function link(url: string, label: string): string {
  return /^https?:\/\/[\w.:-]+\/[\w./?=&-]*$/.test(url)
    ? `<${url.replaceAll('&', '&amp;')}|${escaped(label)}>`
    : escaped(label);
}

/** Lines to be copied as they are. */
export const codeBlock = (lines: readonly string[]): string => `\`\`\`${lines.join('\n')}\`\`\``;

/** One line for a block of code: nothing in it is markup, and nothing closes the block. */
export function codeLine(text: string): string {
  return oneLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('`', 'ˋ');
}

/** Line breaks and control characters would let a name draw a block of its own. */
function oneLine(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      // Marks that turn the direction of the text round.
      .replace(/[\u202A-\u202E\u2066-\u2069]/g, '')
  );
}
