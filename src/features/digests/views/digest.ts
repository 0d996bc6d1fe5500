import { actions, button, context, sections } from '../../../messages/blocks.ts';
import { percent } from '../../../messages/formatting/probability.ts';
import { duration, portTime, zonedTime } from '../../../messages/formatting/times.ts';
import { vesselShort } from '../../../messages/formatting/vessel-label.ts';
import { inventedSuffix } from '../../../messages/frame/answer-message.ts';
import { pauseInWords } from '../../../messages/frame/pause-words.ts';
import { charactersIn, clip, joinWithin, limits, linesWithin } from '../../../messages/limits.ts';
import type { Message, Reader } from '../../../messages/message.ts';
import { channelMention, escaped } from '../../../messages/mrkdwn.ts';
import type { Imo } from '../../../reference/imo.ts';
import { portLabel, portOf } from '../../../reference/ports.ts';
import { digestActionIds } from '../action-ids.ts';
import type { DigestMessage, DigestNotice, LineReport } from '../digest-message.ts';
import type { News } from '../facts.ts';
import { editDigestButton } from './digest-buttons.ts';

/** What is in a digest beside its own data. */
export interface DigestFrame {
  /** Who made it; left out where people of another organisation read. */
  ownerName?: string;
  nameOf: (imo: Imo) => string | undefined;
}

const newsShown = 12;
/** For the verdict, how many more there are, and the note of a preview. */
const frameRoom = 500;
/** A run that starts later than this after its time says so. */
const lateMinutes = 20;

/** What is new on top, then each line's answer in short, then whose it is and when it runs next. */
export function digestView(digest: DigestMessage, frame: DigestFrame, reader: Reader): Message {
  const { text, blocks } = bodyOf(digest, frame, reader);
  const { digestId: value, nextRunAt } = digest;
  const { run, pause, resume } = digestActionIds;
  return {
    text,
    blocks: [
      ...blocks,
      // By its id: its number may be another digest's when somebody presses.
      ...actions([
        button({ id: run, label: 'Run now', value }),
        editDigestButton(value),
        nextRunAt
          ? button({ id: pause, label: 'Pause', value })
          : button({ id: resume, label: 'Resume', value }),
      ]),
    ],
  };
}

/** The same before it is saved: nothing under it can be pressed. */
export function previewView(digest: DigestMessage, frame: DigestFrame, reader: Reader): Message {
  const { text, blocks } = bodyOf(digest, frame, reader);
  const note = 'Nothing is saved or posted yet. Close this to return to the form.';
  return { text: `${text} (${note})`, blocks: [context(`_${note}_`), ...blocks] };
}

function bodyOf(digest: DigestMessage, frame: DigestFrame, reader: Reader): Message {
  const { title, reports } = digest;
  const heading = `*${escaped(title)}* · ${zonedTime(digest.scheduledFor ?? digest.ranAt, digest.zone, reader.now)}`;
  const news = digest.news.map((one) => newsLine(one, frame, reader.now));
  const said = [
    `${escaped(title)}: ${verdict(digest, reader.now)}`,
    ...news.map((line) => line.replaceAll('*', '')),
  ];
  const missed = missedLines(digest, reader.now);
  const answers = reports.map(reportLines);
  const foot = `_${footer(digest, frame, reader).join(' · ')}_`;
  const room =
    limits.blockTextInAll - frameRoom - charactersIn([heading, ...missed, ...answers.flat(), foot]);
  return {
    text: `${joinWithin(said, '; ', limits.messageText - 200)}${inventedSuffix(reader)}`,
    blocks: [
      ...sections([heading, ...newsLines(digest, news, { now: reader.now, room }), ...missed]),
      ...answers.flatMap(sections),
      context(foot),
    ],
  };
}

/** To its owner alone. */
export function digestNoticeView({ title, number, channelId, destination, reason }: DigestNotice): Message {
  const { what } = pauseInWords(reason);
  const where = destination === 'direct-message' ? '' : ` in ${channelMention(channelId)}`;
  const heading = `Your digest ${escaped(title)}${where} is paused: ${what}`;
  const invite =
    reason === 'not_in_channel' || reason === 'channel_not_found' ? ' `/invite @Landfall`, then' : '';
  const then = `Once that is fixed, type${invite} \`/digest resume ${number}\`${where === '' ? '' : ' there'}.`;
  return { text: `${heading}. ${then}`, blocks: sections([`*${heading}*`, then]) };
}

/** What could not be answered may have been news. */
function verdict({ news, reports, since, zone }: DigestMessage, now: Date): string {
  const failed = reports.filter(({ kind }) => kind === 'failed').length;
  const isAll = failed === reports.length;
  const unanswered = isAll
    ? 'nothing could be answered'
    : `${failed} ${failed === 1 ? 'line' : 'lines'} could not be answered`;
  if (!since) {
    const first = 'the first run of this digest; from the next one on it starts with what is new';
    return failed === 0 ? first : `${first}; ${unanswered}`;
  }
  const when = `since ${zonedTime(since, zone, now)}`;
  if (news.length > 0) return `${countsOf(news)} ${when}${failed === 0 ? '' : `; ${unanswered}`}`;
  if (failed === 0) return `nothing new ${when}`;
  return isAll ? unanswered : `${unanswered}; nothing new in the rest ${when}`;
}

/** `2 next ports changed, 1 ETA moved`. */
function countsOf(news: readonly News[]): string {
  const count = (kind: News['kind']) => news.filter((one) => one.kind === kind).length;
  const plural = (number: number, one: string, several: string) =>
    number === 0 ? [] : [`${number} ${number === 1 ? one : several}`];
  return [
    ...plural(count('next-port-changed'), 'next port changed', 'next ports changed'),
    ...plural(count('eta-moved'), 'ETA moved', 'ETAs moved'),
    ...plural(count('new-arrival'), 'vessel newly expected', 'vessels newly expected'),
    ...plural(count('now-within'), 'vessel now within the period', 'vessels now within the period'),
    ...plural(count('no-longer-expected'), 'vessel no longer expected', 'vessels no longer expected'),
  ].join(', ');
}

/** As many as the answers leave room for. */
function newsLines(
  digest: DigestMessage,
  news: readonly string[],
  { now, room }: { now: Date; room: number },
): string[] {
  const what = verdict(digest, now);
  const lines = news.slice(0, newsShown).map((line) => `• ${line}`);
  const shown = linesWithin(lines, room);
  const more = news.length - shown.length;
  return [
    digest.since ? `*${what.charAt(0).toUpperCase()}${what.slice(1)}*` : `_This is ${what}_`,
    ...shown,
    ...(more > 0 ? [`• and ${more} more, in the answers below and in the thread`] : []),
  ];
}

function newsLine(news: News, { nameOf }: DigestFrame, now: Date): string {
  const name = nameOf(news.imo);
  const vessel = escaped(vesselShort({ imo: news.imo, ...(name !== undefined && { name }) }));
  switch (news.kind) {
    case 'next-port-changed':
      if (!news.now) return `*${vessel}*: no longer predicted${news.was ? `; was ${place(news.was)}` : ''}`;
      return `*${vessel}*: next port now ${call(news.now, now)}; ${news.was ? `was ${place(news.was)}` : 'there was no prediction'}`;
    case 'eta-moved':
      return `*${vessel}*: ETA at ${escaped(portLabel(news.now.port))} ${movedBy(news, now)}`;
    case 'new-arrival':
      return `*${vessel}*: newly expected at ${call(news.now, now)}`;
    case 'now-within':
      return `*${vessel}*: now within ${escaped(news.period)} at ${call(news.now, now)}; already expected before`;
    case 'no-longer-expected':
      return `*${vessel}*: no longer expected at ${escaped(portLabel(news.was.port))}; was ${percent(news.was.probability)}${news.was.eta ? `, ${timeAt(news.was.port, news.was.eta, now)}` : ''}`;
  }
}

type Prospect = Extract<News, { kind: 'eta-moved' }>['now'];

const place = ({ port, probability }: Prospect): string =>
  `${escaped(portLabel(port))} ${percent(probability)}`;

const call = (prospect: Prospect, now: Date): string =>
  `${place(prospect)}, ${prospect.eta ? timeAt(prospect.port, prospect.eta, now) : 'ETA not given'}`;

const timeAt = (port: Prospect['port'], eta: Date, now: Date): string =>
  portTime(eta, portOf(port)?.zone, now);

/** `moved 11 h earlier, to Tue 8 Dec 23:43 LT (22:43 UTC); was …`. */
function movedBy({ was, now: is, beyond }: Extract<News, { kind: 'eta-moved' }>, now: Date): string {
  if (!was.eta || !is.eta) return 'moved';
  const minutes = Math.round((is.eta.getTime() - was.eta.getTime()) / 60_000);
  const moved = `${duration(Math.abs(minutes))} ${minutes > 0 ? 'later' : 'earlier'}`;
  const out = beyond === undefined ? '' : `, beyond ${escaped(beyond)}`;
  return `moved ${moved}, to ${timeAt(is.port, is.eta, now)}${out}; was ${timeAt(was.port, was.eta, now)}`;
}

function missedLines({ missed, scheduledFor, ranAt, zone }: DigestMessage, now: Date): string[] {
  const late = scheduledFor ? Math.round((ranAt.getTime() - scheduledFor.getTime()) / 60_000) : 0;
  const at = (time: Date) => zonedTime(time, zone, now);
  const span =
    missed && (missed.count === 1 ? at(missed.first) : `from ${at(missed.first)} to ${at(missed.last)}`);
  return [
    ...(missed
      ? [`⚠ ${missed.count} ${missed.count === 1 ? 'digest was' : 'digests were'} missed: ${span}`]
      : []),
    ...(late > lateMinutes ? [`⚠ Sent ${duration(late)} late, with data as of ${at(ranAt)}`] : []),
  ];
}

function reportLines(report: LineReport): string[] {
  if (report.kind === 'failed')
    return [
      `⚠ \`/${escaped(clip(report.line, 80))}\` could not be answered: ${escaped(clip(report.reason, 120))} (ref ${escaped(report.ref)})`,
    ];
  return [...report.brief, ...(report.hasDetail ? ['_… more in the thread_'] : [])];
}

function footer(
  { number, nextRunAt, zone, scheduledFor }: DigestMessage,
  frame: DigestFrame,
  reader: Reader,
) {
  const owner = reader.audience === 'outside' ? undefined : frame.ownerName;
  return [
    // One that is not saved yet has no number.
    `${number > 0 ? `digest ${number}` : 'a digest'}${owner === undefined ? '' : ` by ${escaped(owner)}`}`,
    ...(scheduledFor ? [] : ['run manually']),
    nextRunAt ? `next ${zonedTime(nextRunAt, zone, reader.now)} ${escaped(zone)}` : 'paused',
    'Predicted, not reported',
    ...(reader.source === 'sandbox' ? ['invented data'] : []),
  ];
}
