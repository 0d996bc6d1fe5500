import { actions, context, sections } from '../../../messages/blocks.ts';
import { percent } from '../../../messages/formatting/probability.ts';
import { duration, portTime, zonedTime } from '../../../messages/formatting/times.ts';
import { vesselShort } from '../../../messages/formatting/vessel-label.ts';
import { capitalised, counted } from '../../../messages/formatting/words.ts';
import { inventedSuffix } from '../../../messages/frame/answer-message.ts';
import { pauseInWords } from '../../../messages/frame/pause-words.ts';
import { inventedNotes } from '../../../messages/frame/small-print.ts';
import { charactersIn, clip, joinText, limits, linesWithin } from '../../../messages/limits.ts';
import type { Message, Reader } from '../../../messages/message.ts';
import { channelMention, escaped } from '../../../messages/mrkdwn.ts';
import type { Imo } from '../../../reference/imo.ts';
import { portLabel, portOf } from '../../../reference/ports.ts';
import type { Prospect } from '../../../reference/stored-values.ts';
import { isPersonalDigest } from '../digest.ts';
import type { DigestMessage, DigestNotice, LineReport, News } from '../digest-message.ts';
import { digestButton, editDigestButton } from './digest-buttons.ts';

/** What the view needs besides the message. */
export interface DigestFrame {
  ownerName?: string;
  nameOf: (imo: Imo) => string | undefined;
}

const maxNewsShown = 12;
/** Characters reserved for the verdict, the count of further news, and the note of a preview. */
const reservedCharacters = 500;
/** A digest that is sent later than this says so. */
const maxDelayMinutes = 20;

/** First what is new, then each line's answer in brief, then the owner and the next run. */
export function digestView(digest: DigestMessage, frame: DigestFrame, reader: Reader): Message {
  const { text, blocks } = bodyOf(digest, frame, reader);
  const { digestId, nextRunAt } = digest;
  const pauseOrResume = digestButton(nextRunAt ? 'pause' : 'resume', digestId);
  return {
    text,
    blocks: [
      ...blocks,
      ...actions([digestButton('run', digestId), editDigestButton(digestId), pauseOrResume]),
    ],
  };
}

/** A digest that may not be saved yet, so it has no buttons. */
export function previewView(digest: DigestMessage, frame: DigestFrame, reader: Reader): Message {
  const { text, blocks } = bodyOf(digest, frame, reader);
  const note = 'Nothing is saved or posted yet. Close this to return to the form.';
  return { text: `${text} (${note})`, blocks: [context(`_${note}_`), ...blocks] };
}

function bodyOf(digest: DigestMessage, frame: DigestFrame, reader: Reader): Message {
  const { now } = reader;
  const title = escaped(digest.title);
  const heading = `*${title}* · ${zonedTime(digest.scheduledFor ?? digest.ranAt, digest.zone, now)}`;
  const verdict = verdictOf(digest, now);
  const news = digest.news.map((item) => newsLine(item, frame, now));
  const warnings = warningsOf(digest, now);
  const answers = digest.reports.map(reportLines);
  const footer = `_${footerOf(digest, frame, reader).join(' · ')}_`;
  const room =
    limits.blockTextInAll -
    reservedCharacters -
    charactersIn([heading, ...warnings, ...answers.flat(), footer]);
  const parts = [`${title}: ${verdict}`, ...news.map((line) => line.replaceAll('*', ''))];
  return {
    text: `${joinText(parts)}${inventedSuffix(reader)}`,
    blocks: [
      ...sections([
        heading,
        digest.since ? `*${capitalised(verdict)}*` : `_This is ${verdict}_`,
        ...newsWithin(news, room),
        ...warnings,
      ]),
      ...answers.flatMap(sections),
      context(footer),
    ],
  };
}

/** Tells the owner why the digest is paused, and how to resume it. */
export function digestNoticeView(notice: DigestNotice): Message {
  const { title, number, channelId, reason } = notice;
  const isPersonal = isPersonalDigest(notice);
  const where = isPersonal ? '' : ` in ${channelMention(channelId)}`;
  const heading = `Your digest ${escaped(title)}${where} is paused: ${pauseInWords(reason).what}`;
  const invite =
    reason === 'not_in_channel' || reason === 'channel_not_found' ? ' `/invite @Landfall`, then' : '';
  const advice = `Once that is fixed, type${invite} \`/digest resume ${number}\`${isPersonal ? '' : ' there'}.`;
  return { text: `${heading}. ${advice}`, blocks: sections([`*${heading}*`, advice]) };
}

/** Mentions failed lines, because their answers might have been news. */
function verdictOf({ news, reports, since, zone }: DigestMessage, now: Date): string {
  const failed = reports.filter(({ kind }) => kind === 'failed').length;
  const allFailed = failed === reports.length;
  const unanswered = allFailed
    ? 'nothing could be answered'
    : `${counted(failed, 'line')} could not be answered`;
  if (!since) {
    const first = 'the first run of this digest; from the next one on it starts with what is new';
    return failed === 0 ? first : `${first}; ${unanswered}`;
  }
  const when = `since ${zonedTime(since, zone, now)}`;
  if (news.length > 0) return `${countsOf(news)} ${when}${failed === 0 ? '' : `; ${unanswered}`}`;
  if (failed === 0) return `nothing new ${when}`;
  return allFailed ? unanswered : `${unanswered}; nothing new in the rest ${when}`;
}

const newsWords: Record<News['kind'], [one: string, several: string]> = {
  'next-port-changed': ['next port changed', 'next ports changed'],
  'eta-moved': ['ETA moved', 'ETAs moved'],
  'new-arrival': ['vessel newly expected', 'vessels newly expected'],
  'now-within': ['vessel now within the period', 'vessels now within the period'],
  'no-longer-expected': ['vessel no longer expected', 'vessels no longer expected'],
};

/** `2 next ports changed, 1 ETA moved`. */
function countsOf(news: readonly News[]): string {
  return Object.entries(newsWords)
    .map(([kind, words]) => ({ count: news.filter((item) => item.kind === kind).length, words }))
    .filter(({ count }) => count > 0)
    .map(({ count, words: [one, several] }) => counted(count, one, several))
    .join(', ');
}

/** As many lines as fit, and how many are left out. */
function newsWithin(news: readonly string[], room: number): string[] {
  const shown = linesWithin(
    news.slice(0, maxNewsShown).map((line) => `• ${line}`),
    room,
  );
  const more = news.length - shown.length;
  return more > 0 ? [...shown, `• and ${more} more, in the answers below and in the thread`] : shown;
}

function newsLine(news: News, { nameOf }: DigestFrame, now: Date): string {
  const name = nameOf(news.imo);
  const vessel = escaped(vesselShort({ imo: news.imo, ...(name !== undefined && { name }) }));
  return `*${vessel}*: ${newsInWords(news, now)}`;
}

function newsInWords(news: News, now: Date): string {
  switch (news.kind) {
    case 'next-port-changed': {
      const { was, now: current } = news;
      if (!current) return `no longer predicted${was ? `; was ${portInWords(was)}` : ''}`;
      const before = was ? `was ${portInWords(was)}` : 'there was no prediction';
      return `next port now ${callInWords(current, now)}; ${before}`;
    }
    case 'eta-moved':
      return `ETA at ${escaped(portLabel(news.now.port))} ${movedBy(news, now)}`;
    case 'new-arrival':
      return `newly expected at ${callInWords(news.now, now)}`;
    case 'now-within':
      return `now within ${escaped(news.period)} at ${callInWords(news.now, now)}; already expected before`;
    case 'no-longer-expected': {
      const { port, probability, eta } = news.was;
      const at = eta ? `, ${localTime(port, eta, now)}` : '';
      return `no longer expected at ${escaped(portLabel(port))}; was ${percent(probability)}${at}`;
    }
  }
}

const portInWords = ({ port, probability }: Prospect): string =>
  `${escaped(portLabel(port))} ${percent(probability)}`;

const callInWords = (prospect: Prospect, now: Date): string =>
  `${portInWords(prospect)}, ${prospect.eta ? localTime(prospect.port, prospect.eta, now) : 'ETA not given'}`;

const localTime = (port: Prospect['port'], time: Date, now: Date): string =>
  portTime(time, portOf(port)?.zone, now);

/** `moved 11 h earlier, to Tue 8 Dec 23:43 LT (22:43 UTC); was …`. */
function movedBy({ was, now: current, beyond }: Extract<News, { kind: 'eta-moved' }>, now: Date): string {
  if (!was.eta || !current.eta) return 'moved';
  const minutes = Math.round((current.eta.getTime() - was.eta.getTime()) / 60_000);
  const moved = `${duration(Math.abs(minutes))} ${minutes > 0 ? 'later' : 'earlier'}`;
  const out = beyond === undefined ? '' : `, beyond ${escaped(beyond)}`;
  return `moved ${moved}, to ${localTime(current.port, current.eta, now)}${out}; was ${localTime(was.port, was.eta, now)}`;
}

function warningsOf({ missed, scheduledFor, ranAt, zone }: DigestMessage, now: Date): string[] {
  const at = (time: Date) => zonedTime(time, zone, now);
  const warnings: string[] = [];
  if (missed) {
    const { count, first, last } = missed;
    const span = count === 1 ? at(first) : `from ${at(first)} to ${at(last)}`;
    warnings.push(`⚠ ${counted(count, 'digest was', 'digests were')} missed: ${span}`);
  }
  const delay = scheduledFor ? Math.round((ranAt.getTime() - scheduledFor.getTime()) / 60_000) : 0;
  if (delay > maxDelayMinutes) warnings.push(`⚠ Sent ${duration(delay)} late, with data as of ${at(ranAt)}`);
  return warnings;
}

function reportLines(report: LineReport): string[] {
  if (report.kind === 'answered')
    return [...report.brief, ...(report.hasDetail ? ['_… more in the thread_'] : [])];
  const [line, reason] = [escaped(clip(report.line, 80)), escaped(clip(report.reason, 120))];
  return [`⚠ \`/${line}\` could not be answered: ${reason} (ref ${escaped(report.ref)})`];
}

function footerOf(
  { number, nextRunAt, zone, scheduledFor }: DigestMessage,
  { ownerName }: DigestFrame,
  { audience, source, now }: Reader,
): string[] {
  // People of other organisations don't see who owns a digest.
  const by = ownerName === undefined || audience === 'outside' ? '' : ` by ${escaped(ownerName)}`;
  return [
    // In a preview, a new digest has no number yet.
    `${number > 0 ? `digest ${number}` : 'a digest'}${by}`,
    ...(scheduledFor ? [] : ['run manually']),
    nextRunAt ? `next ${zonedTime(nextRunAt, zone, now)} ${escaped(zone)}` : 'paused',
    'Predicted, not reported',
    ...inventedNotes({ source }),
  ];
}
