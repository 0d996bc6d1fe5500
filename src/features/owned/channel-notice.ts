import { z } from 'zod';
import type { Answer } from '../../answers/answer.ts';
import { capitalised, counted } from '../../answers/formatting/words.ts';
import { clip } from '../../answers/message.ts';
import { pauseInWords } from '../../answers/slack/notices.ts';
import { joined, type Text } from '../../answers/text.ts';
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

type ThingsOfKind = Pick<Pausable, 'noun' | 'lists' | 'effectOfPause'> & { titles: readonly string[] };

export function channelNoticeAnswer(notice: {
  things: readonly ThingsOfKind[];
  channelId: string;
  reason: string;
}): Answer {
  const { channelId: channel, reason } = notice;
  const things = notice.things.filter(({ titles }) => titles.length > 0);
  const { what, advice } = pauseInWords(reason, resumeAllLabel);
  return {
    isOwn: true,
    verdict: {
      strong: [`Your ${things.map(countInWords).join(' and ')} in `, { channel }, ` are paused: ${what}`],
      // If several kinds of things are paused, the notice has only the first kind's sentence, to stay short.
      lines: [...things.map(listTitles), [advice, `. ${things[0]?.effectOfPause ?? ''}`]],
    },
    actions: { runs: [{ label: resumeAllLabel, press: resumeAllId, value: channel }] },
  };
}

const resumeAllLabel = 'Resume all';

const countInWords = ({ noun: { singular, plural }, titles: { length } }: ThingsOfKind): string =>
  counted(length, singular, plural);

function listTitles({ noun: { plural }, lists, titles }: ThingsOfKind): Text {
  const shown = titles.slice(0, maxTitles).map((title) => clip(title, 60));
  const rest = titles.length - shown.length;
  const more = rest > 0 ? [[`${rest} more (`, { code: `/${lists.mine}` }, ')']] : [];
  return [`${capitalised(plural)}: `, joined([...shown, ...more])];
}

export const resumedAllAnswer = (channel: string, count: number): Answer => ({
  isOwn: true,
  verdict: {
    strong: '',
    rest:
      count === 0
        ? ['Nothing of yours is paused in ', { channel }, ' any more.']
        : [`Resumed: ${count} of yours in `, { channel }, ', and what was held back is posted there now.'],
  },
});
