import type { KnownBlock } from '@slack/types';
import { actionIds, pressOption } from '../../../messages/action-ids.ts';
import { actions, context, overflow, sections } from '../../../messages/blocks.ts';
import { zonedTime } from '../../../messages/formatting/times.ts';
import { lineButtons } from '../../../messages/frame/answer-actions.ts';
import { pageLine } from '../../../messages/frame/paging.ts';
import { pauseInWords } from '../../../messages/frame/pause-words.ts';
import { clip, joinWithin, limits, paged } from '../../../messages/limits.ts';
import type { Message, Reader } from '../../../messages/message.ts';
import { channelMention, escaped, personMention } from '../../../messages/mrkdwn.ts';
import { digestActionIds } from '../action-ids.ts';
import type { Digest, Missed } from '../digest.ts';
import { editDigestOption, planDigestButton } from './digest-buttons.ts';

/** A digest with its schedule in words. */
export interface ShownDigest {
  digest: Digest;
  /** `weekdays 08:00 Europe/Berlin`. */
  when: string;
}

/** The digests of a channel, those that a person has, or those and all of the person's channels. */
export interface DigestsAnswer {
  kind: 'digests';
  line: string;
  scope: 'channel' | 'mine' | 'all';
  digests: readonly ShownDigest[];
  page: number;
  pageSize: number;
  total: number;
}

const example = 'digest add weekdays 08:00: portcalls NLRTM next 3 days; usage';

export function digestsView(
  { digests, scope, page, pageSize, total, line }: DigestsAnswer,
  reader: Reader,
): Message {
  if (total === 0) return planDigestView(none[scope]);
  const heading = `${count(total)}${places[scope]}`;
  const after = paged(Array.from({ length: total }), page, pageSize).after;
  const said = digests.map(
    ({ digest }) =>
      `${scope === 'channel' ? `${digest.number} ` : ''}${escaped(digest.title)}, ${nextOf(digest, reader.now)}`,
  );
  return {
    text: joinWithin([`${heading}: ${said[0] ?? ''}`, ...said.slice(1)], '; ', limits.messageText),
    blocks: [
      ...sections([`*${heading}*`]),
      ...digests.flatMap((shown) => digestRow(shown, scope, reader)),
      ...actions(
        lineButtons([
          ...(after > 0
            ? [{ label: `Next ${Math.min(after, pageSize)}`, line: pageLine(line, page + 1) }]
            : []),
          ...(page > 1 ? [{ label: 'Back', line: pageLine(line, page - 1) }] : []),
        ]).concat(planDigestButton()),
      ),
    ],
  };
}

const places: Record<DigestsAnswer['scope'], string> = {
  channel: '',
  mine: ' of yours',
  all: ' of yours and of your channels',
};

const none: Record<DigestsAnswer['scope'], string> = {
  channel: 'No digests in this channel yet',
  mine: 'You have no digests yet',
  all: 'You and your channels have no digests yet',
};

/** One digest with its menu. */
function digestRow(
  { digest, when }: ShownDigest,
  scope: DigestsAnswer['scope'],
  reader: Reader,
): KnownBlock[] {
  const { id, number, status } = digest;
  const { run, pause, resume } = digestActionIds;
  // By the id, as in a posted digest; Show and Remove are lines, since what they answer has a way back.
  const isHere = scope === 'channel';
  const menu = overflow(actionIds.more, [
    ...(isHere ? [{ label: 'Show', value: `digest show ${number}` }] : []),
    pressOption('Run now', run, id),
    editDigestOption(id),
    status === 'active' ? pressOption('Pause', pause, id) : pressOption('Resume', resume, id),
    ...(isHere ? [{ label: 'Remove', value: `digest remove ${number}` }] : []),
  ]);
  const [title = '', ...lines] = digestLines({ digest, when }, reader, 500);
  const [section, ...rest] = sections([`${title}${isHere ? '' : ` · ${placeOf(digest)}`}`, ...lines]);
  return section ? [{ ...section, accessory: menu }, ...rest] : [];
}

/** Where it is sent. */
export const placeOf = ({ channelId, destination }: Pick<Digest, 'channelId' | 'destination'>): string =>
  destination === 'direct-message' ? 'only to you' : `in ${channelMention(channelId)}`;

/** What a digest is, in three lines; `maxCharacters` of its own lines. */
export function digestLines(
  { digest, when }: ShownDigest,
  { now, audience }: Reader,
  maxCharacters: number,
): string[] {
  const { number, title, lines, onlyNews, ownerId, destination } = digest;
  // A mention in a channel would call the owner each time.
  const owner = audience === 'private' && destination === 'channel' ? ` · by ${personMention(ownerId)}` : '';
  const shownLines = lines.map((line) => `\`${escaped(clip(line, 120))}\``);
  return [
    `*${number > 0 ? `${number} ` : ''}${escaped(title)}* · ${escaped(when)}${onlyNews ? ' · only with news' : ''}${owner}`,
    joinWithin(shownLines, ' · ', maxCharacters),
    [`${digest.status === 'active' ? '' : '⚠ '}${nextOf(digest, now)}`, ...troublesOf(digest, now)].join(
      ' · ',
    ),
  ];
}

/** What its readers have not got: what was missed is said in the next message too. */
function troublesOf({ missed, isUndelivered, zone }: Digest, now: Date): string[] {
  return [
    ...(missed ? [`⚠ missed: ${missedInWords(missed, { zone, now })}`] : []),
    ...(isUndelivered ? ['⚠ its message is waiting: Slack has not accepted it yet'] : []),
  ];
}

/** `Fri 20 Nov 08:00`; of several how many, from when to when. */
function missedInWords({ count, first, last }: Missed, { zone, now }: { zone: string; now: Date }): string {
  const at = (time: Date) => zonedTime(time, zone, now);
  return count === 1 ? at(first) : `${count} runs from ${at(first)} to ${at(last)}`;
}

export function nextOf({ status, pauseReason, nextRunAt, zone }: Digest, now: Date): string {
  if (status === 'active') return `next ${zonedTime(nextRunAt, zone, now)}`;
  return pauseReason === null ? 'paused' : `paused: ${pauseInWords(pauseReason).what}`;
}

const count = (total: number): string => `${total} ${total === 1 ? 'digest' : 'digests'}`;

/** Where there are none, and where somebody has said nothing of what it is to hold. */
export function planDigestView(heading: string): Message {
  return {
    text: `${heading}${heading.endsWith('?') ? '' : '.'} For example: /${example}`,
    blocks: [
      ...sections([
        `*${heading}*`,
        'Fill in a form, or type it in one line, for example:',
        `\`/${example}\``,
      ]),
      ...actions([planDigestButton()]),
      context('_A digest answers its lines at set times, with what is new on top_'),
    ],
  };
}
