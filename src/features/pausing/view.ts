import { actions, button, sections } from '../../messages/blocks.ts';
import { pauseInWords } from '../../messages/frame/pause-words.ts';
import { clip } from '../../messages/limits.ts';
import type { Message } from '../../messages/message.ts';
import { channelMention, escaped } from '../../messages/mrkdwn.ts';
import type { Pausable } from '../pausable.ts';

/** Its value is the channel's id: one's own things there. It is in messages, so it keeps its old name. */
export const resumeAllId = 'watch:resume-all';

const titlesShown = 20;

type Listed = Pick<Pausable, 'words' | 'meanwhile'> & { titles: readonly string[] };

/** To the owner of several things of one channel, once: nothing can be posted there. */
export function channelNoticeView(notice: {
  things: readonly Listed[];
  channelId: string;
  /** Slack's code. */
  reason: string;
}): Message {
  const { channelId, reason } = notice;
  const things = notice.things.filter(({ titles }) => titles.length > 0);
  const { what, advice } = pauseInWords(reason);
  const heading = `Your ${things.map(counted).join(' and ')} in ${channelMention(channelId)} are paused: ${what}`;
  // What is advised for one of them goes for all, up to its button's name.
  const all = advice.replace(/press Resume.*$/, 'press Resume all');
  const then = `${all}. ${things[0]?.meanwhile ?? ''}`;
  return {
    text: `${heading}. ${then}`,
    blocks: [
      ...sections([`*${heading}*`, ...things.map(list), then]),
      ...actions([button({ id: resumeAllId, label: 'Resume all', value: channelId })]),
    ],
  };
}

const counted = ({ words: { one, several }, titles: { length } }: Listed): string =>
  `${length} ${length === 1 ? one : several}`;

function list({ words: { one, several }, titles }: Listed): string {
  const shown = titles.slice(0, titlesShown).map((title) => escaped(clip(title, 60)));
  const rest = titles.length - shown.length;
  const more = rest > 0 ? [`${rest} more (\`/${one} list mine\`)`] : [];
  return `${several.charAt(0).toUpperCase()}${several.slice(1)}: ${[...shown, ...more].join(' · ')}`;
}

export function resumedAllNotice(channelId: string, count: number): Message {
  const where = channelMention(channelId);
  const text =
    count === 0
      ? `Nothing of yours is paused in ${where} any more.`
      : `Resumed: ${count} of yours in ${where}, and what was held back is posted there now.`;
  return { text, blocks: sections([text]) };
}
