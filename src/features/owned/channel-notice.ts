import { z } from 'zod';
import { capitalised, counted } from '../../answers/formatting/words.ts';
import { clip, type Message } from '../../answers/message.ts';
import { actions, button, channelMention, escaped, sections } from '../../answers/slack/blocks.ts';
import { pauseInWords } from '../../answers/slack/notices.ts';
import type { Pausable } from '../services.ts';

export const channelNoticeKind = 'channel-notice';

/** Notifies an owner that several of their things in a channel are paused. `what` is a Pausable's `noun.singular`. */
export const channelNotice = z.object({
  kind: z.literal(channelNoticeKind),
  channelId: z.string(),
  /** Slack's error code. */
  reason: z.string(),
  things: z.array(z.object({ what: z.string(), id: z.string(), title: z.string() })),
});
export type ChannelNotice = z.infer<typeof channelNotice>;

/** The button's value is the channel's id. Messages that were posted earlier have this id, so it can't change. */
export const resumeAllId = 'watch:resume-all';

const maxTitles = 20;

type ThingsOfKind = Pick<Pausable, 'noun' | 'effectOfPause'> & { titles: readonly string[] };

export function channelNoticeView(notice: {
  things: readonly ThingsOfKind[];
  channelId: string;
  reason: string;
}): Message {
  const { channelId, reason } = notice;
  const things = notice.things.filter(({ titles }) => titles.length > 0);
  const { what, advice } = pauseInWords(reason);
  const heading = `Your ${things.map(countInWords).join(' and ')} in ${channelMention(channelId)} are paused: ${what}`;
  // The advice mentions the button of a single watch. This notice has a button for all things.
  const forAll = advice.replace(/press Resume.*$/, 'press Resume all');
  // If several kinds of things are paused, the notice has only the first kind's sentence, to stay short.
  const nextSteps = `${forAll}. ${things[0]?.effectOfPause ?? ''}`;
  return {
    text: `${heading}. ${nextSteps}`,
    blocks: [
      ...sections([`*${heading}*`, ...things.map(listTitles), nextSteps]),
      ...actions([button({ id: resumeAllId, label: 'Resume all', value: channelId })]),
    ],
  };
}

const countInWords = ({ noun: { singular, plural }, titles: { length } }: ThingsOfKind): string =>
  counted(length, singular, plural);

function listTitles({ noun: { singular, plural }, titles }: ThingsOfKind): string {
  const shown = titles.slice(0, maxTitles).map((title) => escaped(clip(title, 60)));
  const rest = titles.length - shown.length;
  const more = rest > 0 ? [`${rest} more (\`/${singular} list mine\`)`] : [];
  return `${capitalised(plural)}: ${[...shown, ...more].join(' · ')}`;
}

export function resumedAllNotice(channelId: string, count: number): Message {
  const channel = channelMention(channelId);
  const text =
    count === 0
      ? `Nothing of yours is paused in ${channel} any more.`
      : `Resumed: ${count} of yours in ${channel}, and what was held back is posted there now.`;
  return { text, blocks: sections([text]) };
}
