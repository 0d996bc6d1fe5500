import { actions, button, sections } from '../../../messages/blocks.ts';
import { pauseInWords } from '../../../messages/frame/pause-words.ts';
import { clip } from '../../../messages/limits.ts';
import type { Message } from '../../../messages/message.ts';
import { channelMention, escaped } from '../../../messages/mrkdwn.ts';
import { watchActionIds } from '../action-ids.ts';

const titlesShown = 20;

/** To the owner of several watches and digests of one channel, once: nothing can be posted there. */
export function channelNoticeView(notice: {
  /** Titles. */
  watches: readonly string[];
  digests: readonly string[];
  channelId: string;
  /** Slack's code. */
  reason: string;
}): Message {
  const { watches, digests, channelId, reason } = notice;
  const { what, advice } = pauseInWords(reason);
  const yours = [
    ...counted(watches.length, 'watch', 'watches'),
    ...counted(digests.length, 'digest', 'digests'),
  ];
  const heading = `Your ${yours.join(' and ')} in ${channelMention(channelId)} are paused: ${what}`;
  const waiting = 'Their messages wait until then, and they make no API calls meanwhile.';
  // What is advised for one watch goes for all of them, up to its button's name.
  const all = advice.replace(/press Resume.*$/, 'press Resume all');
  const then = `${all}. ${watches.length > 0 ? waiting : 'Then they run again at their next time.'}`;
  return {
    text: `${heading}. ${then}`,
    blocks: [
      ...sections([`*${heading}*`, ...titles('Watches', watches), ...titles('Digests', digests), then]),
      ...actions([button({ id: watchActionIds.resumeAll, label: 'Resume all', value: channelId })]),
    ],
  };
}

const counted = (count: number, one: string, several: string): string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : several}`];

function titles(what: string, all: readonly string[]): string[] {
  if (all.length === 0) return [];
  const shown = all.slice(0, titlesShown).map((title) => escaped(clip(title, 60)));
  const more = all.length > shown.length ? [`${all.length - shown.length} more (\`/watch list mine\`)`] : [];
  return [`${what}: ${[...shown, ...more].join(' · ')}`];
}
