import type { KnownBlock } from '@slack/types';
import { actionIds } from '../../../messages/action-ids.ts';
import { actions, context, overflow, sections } from '../../../messages/blocks.ts';
import { zonedTime } from '../../../messages/formatting/times.ts';
import { capitalised, counted } from '../../../messages/formatting/words.ts';
import { lineButtons } from '../../../messages/frame/answer-actions.ts';
import { pageButtons, shownNote } from '../../../messages/frame/paging.ts';
import { pauseInWords } from '../../../messages/frame/pause-words.ts';
import { smallPrint } from '../../../messages/frame/small-print.ts';
import { clip, joinWithin, limits, type PageNumbers } from '../../../messages/limits.ts';
import type { Message, Reader } from '../../../messages/message.ts';
import { channelMention, escaped, personMention } from '../../../messages/mrkdwn.ts';
import type { Scope } from '../../owned/scope.ts';
import { type Digest, isPersonalDigest, type Missed } from '../digest.ts';
import { formatSchedule } from '../schedule-words.ts';
import { exampleLine } from '../words.ts';
import { addDigestButton, digestOption, editDigestOption, pauseOrResumeOption } from './digest-buttons.ts';

export interface DigestsAnswer extends PageNumbers {
  kind: 'digests';
  line: string;
  scope: Scope;
  digests: readonly Digest[];
}

export const digestsPerPage = 10;

const headings: Record<Scope, { some: string; none: string }> = {
  channel: { some: '', none: 'No digests in this channel yet' },
  mine: { some: ' of yours', none: 'You have no digests yet' },
  all: { some: ' of yours and of your channels', none: 'You and your channels have no digests yet' },
};

export function digestsView(answer: DigestsAnswer, reader: Reader): Message {
  const { digests, scope, total, line } = answer;
  if (total === 0) return addDigestView(headings[scope].none);
  const heading = `${counted(total, 'digest')}${headings[scope].some}`;
  const note = shownNote(answer, digestsPerPage);
  const inWords = digests.map(
    (digest) =>
      `${scope === 'channel' ? `${digest.number} ` : ''}${escaped(digest.title)}, ${nextInWords(digest, reader.now)}`,
  );
  return {
    text: joinWithin([`${heading}: ${inWords[0] ?? ''}`, ...inWords.slice(1)], '; ', limits.messageText),
    blocks: [
      ...sections([`*${heading}*`]),
      ...digests.flatMap((digest) => digestRow(digest, scope, reader)),
      ...smallPrint(note),
      ...actions([...lineButtons(pageButtons(line, answer, digestsPerPage)), addDigestButton()]),
    ],
  };
}

function digestRow(digest: Digest, scope: Scope, reader: Reader): KnownBlock[] {
  const { id, number } = digest;
  // Show and Remove run lines, whose answers have buttons. A line names a digest by its number in this channel.
  const isHere = scope === 'channel';
  const menu = overflow(actionIds.more, [
    ...(isHere ? [{ label: 'Show', value: `digest show ${number}` }] : []),
    digestOption('run', id),
    editDigestOption(id),
    pauseOrResumeOption(digest),
    ...(isHere ? [{ label: 'Remove', value: `digest remove ${number}` }] : []),
  ]);
  const [title = '', ...lines] = digestLines(digest, reader, 500);
  const [section, ...rest] = sections([`${title}${isHere ? '' : ` · ${placeOf(digest)}`}`, ...lines]);
  return section ? [{ ...section, accessory: menu }, ...rest] : [];
}

export const placeOf = (digest: Pick<Digest, 'channelId' | 'destination'>): string =>
  isPersonalDigest(digest) ? 'only to you' : `in ${channelMention(digest.channelId)}`;

/** A digest in mrkdwn: title and schedule; its lines, in at most `maxCharacters`; its state. Number 0 is not shown. */
export function digestLines(digest: Digest, { now, audience }: Reader, maxCharacters: number): string[] {
  const { number, title, lines, onlyNews, ownerId, status } = digest;
  // In a channel, a mention would notify the owner each time.
  const showsOwner = audience === 'private' && !isPersonalDigest(digest);
  const heading = [
    `*${number > 0 ? `${number} ` : ''}${escaped(title)}*`,
    escaped(formatSchedule(digest)),
    ...(onlyNews ? ['only with news'] : []),
    ...(showsOwner ? [`by ${personMention(ownerId)}`] : []),
  ];
  const shownLines = lines.map((line) => `\`${escaped(clip(line, 120))}\``);
  const state = [
    `${status === 'active' ? '' : '🟠 '}${capitalised(nextInWords(digest, now))}`,
    ...warningsOf(digest, now),
  ];
  return [heading.join(' · '), joinWithin(shownLines, ' · ', maxCharacters), state.join(' · ')];
}

function warningsOf({ missed, isUndelivered, zone }: Digest, now: Date): string[] {
  return [
    ...(missed
      ? [
          `🟠 missed${missed.isRestored ? ' or sent before a restore' : ''}: ${missedInWords(missed, { zone, now })}`,
        ]
      : []),
    ...(isUndelivered ? ['🟠 its message is waiting: Slack has not accepted it yet'] : []),
  ];
}

/** `Fri 20 Nov 08:00`, or `3 runs from … to …`. */
function missedInWords({ count, first, last }: Missed, { zone, now }: { zone: string; now: Date }): string {
  const at = (time: Date) => zonedTime(time, zone, now);
  return count === 1 ? at(first) : `${count} runs from ${at(first)} to ${at(last)}`;
}

export function nextInWords({ status, pauseReason, nextRunAt, zone }: Digest, now: Date): string {
  if (status === 'active') return `next ${zonedTime(nextRunAt, zone, now)}`;
  return pauseReason === null ? 'paused' : `paused: ${pauseInWords(pauseReason).what}`;
}

export function addDigestView(heading: string): Message {
  return {
    text: `${heading}${heading.endsWith('?') ? '' : '.'} For example: /${exampleLine}`,
    blocks: [
      ...sections([
        `*${heading}*`,
        'Fill in a form, or type it in one line, for example:',
        `\`/${exampleLine}\``,
      ]),
      ...actions([addDigestButton()]),
      context('_A digest answers its lines at set times, with what is new on top_'),
    ],
  };
}
