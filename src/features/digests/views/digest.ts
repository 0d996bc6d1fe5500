import { actions, context, sections } from '../../../messages/blocks.ts';
import { duration, utcTime, zonedTime } from '../../../messages/formatting/times.ts';
import { capitalised, counted } from '../../../messages/formatting/words.ts';
import { inventedSuffix } from '../../../messages/frame/answer-message.ts';
import { pauseInWords } from '../../../messages/frame/pause-words.ts';
import { inventedNotes } from '../../../messages/frame/small-print.ts';
import { clip, joinText } from '../../../messages/limits.ts';
import { blocksOf, type Message, type Piece, type Reader } from '../../../messages/message.ts';
import { channelMention, escaped } from '../../../messages/mrkdwn.ts';
import { header } from '../../../messages/rich-blocks.ts';
import { isPersonalDigest } from '../digest.ts';
import type { DigestDetail, DigestMessage, DigestNews, DigestNotice, LineReport } from '../digest-message.ts';
import { digestButton, editDigestButton } from './digest-buttons.ts';
import { type NewsVessels, newsByMessage, newsCounts, newsLines, newsTable } from './news-table.ts';

/** What the view needs besides the message. */
export interface DigestFrame {
  ownerName?: string;
  vessels: NewsVessels;
}

/** A digest that is sent later than this says so. */
const maxDelayMinutes = 20;
/** A notification shows the title before what is new, and the first 80 characters must answer. */
const maxTitleInText = 30;

/** First what is new, then each line's verdict, then the owner and the next run. The whole answers follow in its thread. */
export function digestView(digest: DigestMessage, frame: DigestFrame, reader: Reader): Message {
  const { digestId, nextRunAt } = digest;
  const pauseOrResume = digestButton(nextRunAt ? 'pause' : 'resume', digestId);
  const buttons = [digestButton('run', digestId), editDigestButton(digestId), pauseOrResume];
  return {
    text: textOf(digest, frame, reader),
    ...blocksOf([...bodyOf(digest, frame, reader), ...actions(buttons)]),
  };
}

/** A digest that may not be saved yet, so it has no buttons but those in `end`. */
export function previewView(
  digest: DigestMessage,
  frame: DigestFrame,
  reader: Reader,
  { note, end = [] }: { note: string; end?: readonly Piece[] },
): Message {
  return {
    text: `${textOf(digest, frame, reader)} (${note})`,
    ...blocksOf([context(note), ...bodyOf(digest, frame, reader), ...end]),
  };
}

/** A reply in the thread: news that the digest's table has no room for. */
export function moreNewsView(
  { news, ranAt }: Pick<DigestNews, 'news' | 'ranAt'>,
  vessels: NewsVessels,
): Message {
  const verdict = counted(news.length, 'more change');
  return {
    text: joinText([verdict, ...newsLines(news, vessels, ranAt)]),
    ...blocksOf([...sections([`*${verdict}*`]), ...newsTable(news, vessels, ranAt)]),
  };
}

/** Stands for an answer that people of another organisation may not see. */
export function withheldView({ line }: Pick<DigestDetail, 'line'>): Message {
  const text = withheld(line);
  return { text, blocks: sections([text]) };
}

const withheld = (line: string): string =>
  `${codeOf(line)}: not shown where people from another organisation can read it`;

function textOf(digest: DigestMessage, { vessels }: DigestFrame, reader: Reader): string {
  const title = escaped(clip(digest.title, maxTitleInText));
  const { shown } = newsByMessage(digest.news, digest.ranAt);
  const parts = [`${title}: ${verdictOf(digest, reader.now)}`, ...newsLines(shown, vessels, digest.ranAt)];
  return `${joinText(parts)}${inventedSuffix(reader)}`;
}

function bodyOf(digest: DigestMessage, frame: DigestFrame, reader: Reader): Piece[] {
  const { now } = reader;
  const { shown, replies } = newsByMessage(digest.news, digest.ranAt);
  const more = replies.flat().length;
  return [
    header(`${digest.title} · ${zonedTime(digest.scheduledFor ?? digest.ranAt, digest.zone, now)}`),
    ...sections([boldVerdict(digest, now), ...warningsOf(digest, now)]),
    ...newsTable(shown, frame.vessels, digest.ranAt),
    ...(more > 0 ? [context(`${counted(more, 'more change')} in the thread`)] : []),
    ...sections(linesOf(digest, reader)),
    context(footerOf(digest, frame, reader).join(' · ')),
  ];
}

/** Tells the owner why the digest is paused, and how to resume it. */
export function digestNoticeView(notice: DigestNotice): Message {
  const { digestId, title, channelId, reason } = notice;
  const { what, advice } = pauseInWords(reason);
  const where = isPersonalDigest(notice) ? '' : ` in ${channelMention(channelId)}`;
  const heading = `Your digest ${escaped(title)}${where} is paused: ${what}`;
  return {
    text: `${heading}. ${advice}.`,
    blocks: [...sections([`*${heading}*`, `${advice}.`]), ...actions([digestButton('resume', digestId)])],
  };
}

/** The period after the counts is not bold. */
const boldVerdict = (digest: DigestMessage, now: Date): string =>
  capitalised(verdictOf(digest, now)).replace(/^.+?(?= since |;|$)/, '*$&*');

/** Mentions failed lines, because their answers might have been news. */
function verdictOf({ news, reports, since, zone, ranAt }: DigestMessage, now: Date): string {
  const failed = reports.filter(({ kind }) => kind === 'failed').length;
  const allFailed = failed === reports.length;
  const unanswered = allFailed
    ? 'nothing could be answered'
    : `${counted(failed, 'line')} could not be answered`;
  if (!since) {
    const first = 'first run; the next ones say what is new';
    return failed === 0 ? first : `${first}; ${unanswered}`;
  }
  const when = `since ${zonedTime(since, zone, now)}`;
  if (news.length > 0) return `${newsCounts(news, ranAt)} ${when}${failed === 0 ? '' : `; ${unanswered}`}`;
  const own = ownVerdict({ news, reports, since });
  if (own) return `${own.brief[0]}${failed === 0 ? '' : `; ${unanswered}`}`;
  if (failed === 0) return `nothing new ${when}`;
  return allFailed ? unanswered : `${unanswered}; nothing new in the rest ${when}`;
}

/** The line that says itself what has changed, if comparing found nothing: its verdict is then the digest's. */
function ownVerdict({ news, reports, since }: Pick<DigestMessage, 'news' | 'reports' | 'since'>) {
  if (news.length > 0 || !since) return undefined;
  return reports
    .filter((report) => report.kind === 'answered')
    .find(({ hasNews, brief }) => hasNews && brief.length > 0);
}

function warningsOf({ missed, scheduledFor, ranAt, zone }: DigestMessage, now: Date): string[] {
  const at = (time: Date) => zonedTime(time, zone, now);
  const warnings: string[] = [];
  if (missed) {
    const { count, first, last, isRestored = false } = missed;
    const span = count === 1 ? at(first) : `from ${at(first)} to ${at(last)}`;
    const what = isRestored ? 'missed, or sent before Landfall was restored from a backup' : 'missed';
    warnings.push(`🟠 ${counted(count, 'digest was', 'digests were')} ${what}: ${span}`);
  }
  const delay = scheduledFor ? Math.round((ranAt.getTime() - scheduledFor.getTime()) / 60_000) : 0;
  if (delay > maxDelayMinutes) warnings.push(`🟠 Sent ${duration(delay)} late, with data as of ${at(ranAt)}`);
  return warnings;
}

/** The verdict of each line; those of unchanged statistics together. */
function linesOf(digest: DigestMessage, { audience }: Reader): string[] {
  const own = ownVerdict(digest);
  const others = digest.reports.filter((report) => report !== own);
  const lines = others.map((report) => ({ report, text: lineOf(report, audience) }));
  const isUnchanged = (report: LineReport) => report.kind === 'answered' && report.isUnchanged;
  const unchanged = lines.filter(({ report }) => isUnchanged(report));
  return [
    ...lines.filter(({ report }) => !isUnchanged(report)).map(({ text }) => text),
    ...(unchanged.length > 0 ? [`Unchanged: ${unchanged.map(({ text }) => text).join('; ')}`] : []),
  ];
}

function lineOf(report: LineReport, audience: Reader['audience']): string {
  if (report.kind === 'failed') {
    const reason = escaped(clip(report.reason.replace(/[.]$/, ''), 90));
    return `🟠 ${codeOf(report.line)} could not be answered: ${reason} (ref ${escaped(report.ref)})`;
  }
  if (report.isInternal && audience === 'outside') return withheld(report.line);
  return report.brief.length > 0 ? report.brief.join(' · ') : `${codeOf(report.line)}: in the thread`;
}

const codeOf = (line: string): string => `\`/${escaped(clip(line, 60))}\``;

function footerOf(
  { number, nextRunAt, zone, scheduledFor, ranAt, reports }: DigestMessage,
  { ownerName }: DigestFrame,
  { audience, source, now }: Reader,
): string[] {
  // People of other organisations don't see who owns a digest.
  const by = ownerName === undefined || audience === 'outside' ? '' : ` by ${escaped(ownerName)}`;
  const isForecast = reports.some((report) => report.kind === 'answered' && report.isForecast);
  const hasReplies = reports.some((report) => report.kind === 'answered' && report.hasDetail);
  return [
    ...(hasReplies ? ['Full answers in the thread'] : []),
    ...(isForecast ? [`Forecast as of ${utcTime(ranAt, now)}`] : []),
    // In a preview, a new digest has no number yet.
    `${number > 0 ? `Digest ${number}` : 'A digest'}${by}`,
    ...(scheduledFor ? [] : ['run manually']),
    nextRunAt ? `next ${zonedTime(nextRunAt, zone, now)} ${escaped(zone)}` : 'paused',
    ...inventedNotes({ source }),
  ];
}
