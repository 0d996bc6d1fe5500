import { type Answer, lines, type Verdict } from '../../answers/answer.ts';
import {
  duration,
  portTime,
  portTimeInColumn,
  roundedDuration,
  utcTime,
  zonedTime,
} from '../../answers/formatting/times.ts';
import {
  capitalised,
  counted,
  type KnownVessel,
  percent,
  referencesInCell,
  vesselShort,
} from '../../answers/formatting/words.ts';
import * as kinds from '../../answers/kinds.ts';
import { clip, type Reader } from '../../answers/message.ts';
import { pauseInWords } from '../../answers/slack/notices.ts';
import { readStored } from '../../answers/stored.ts';
import { table } from '../../answers/table.ts';
import { forMembers, joined, type Text } from '../../answers/text.ts';
import { hasProbablyCalled } from '../../predictions/next-port.ts';
import type { Imo } from '../../reference/codes.ts';
import { portName, portOf } from '../../reference/ports.ts';
import type { Prospect } from '../../reference/prediction.ts';
import { editButton, isPersonalThing } from '../owned/index.ts';
import { press } from './answer.ts';
import {
  type DigestDetail,
  type DigestMessage,
  type DigestNews,
  type DigestNotice,
  digestKind,
  type LineReport,
  type News,
  type VesselCall,
} from './digest.ts';
import { maxVessels } from './next-calls.ts';

/** The vessels of the news and of the next calls. `url`: the thread of the watch that follows it in the channel. */
export type NewsVessels = ReadonlyMap<Imo, KnownVessel & { url?: string }>;

/** What the message needs besides what is stored of it. */
export interface DigestFrame {
  ownerName?: string;
  vessels: NewsVessels;
}

/** A digest that is sent later than this says so. */
const maxDelayMinutes = 20;
/** A notification shows the title before what is new, and the first 80 characters must answer. */
const maxTitleInText = 30;

/**
 * First what is new, up to ten vessels with port and ETA, then each line's verdict, the owner and the next run. The whole
 * answers follow in its thread.
 */
export function digestAnswer(
  digest: DigestMessage,
  { ownerName, vessels }: DigestFrame,
  { now, audience }: Pick<Reader, 'now' | 'audience'>,
): Answer {
  const { digestId, number, title, zone, scheduledFor, ranAt, nextRunAt, reports, calls } = digest;
  const { shown, replies } = newsByMessage(digest.news, ranAt);
  const shownCalls = calls.first.slice(0, maxVessels - shown.length);
  const unnamed = calls.total - shownCalls.length;
  const own = ownVerdict(digest);
  const others = reports.filter((report) => report !== own?.report);
  const more = replies.flat().length;
  const isAnswered = (has: 'hasDetail' | 'isForecast') =>
    reports.some((report) => report.kind === 'answered' && report[has]);
  return {
    title: {
      text: `${title} · ${zonedTime(scheduledFor ?? ranAt, zone, now)}`,
      brief: clip(title, maxTitleInText),
    },
    verdict: {
      ...verdictOf(digest, own?.verdict, now),
      lines: [...(own?.verdict.lines ?? []), ...warningsOf(digest, now)],
    },
    sections: [
      vesselsOf(shown, shownCalls, { vessels, ranAt }),
      ...lines([
        ...(unnamed > 0 ? [`and ${counted(unnamed, 'more vessel')}`] : []),
        ...linesOf(others, audience),
      ]),
    ],
    notes: [
      ...(more > 0 ? [`${counted(more, 'more change')} in the thread`] : []),
      ...(isAnswered('hasDetail') ? ['Full answers in the thread'] : []),
      ...(isAnswered('isForecast') ? [`Forecast as of ${utcTime(ranAt, now)}`] : []),
      [
        // In a preview, a new digest has no number yet.
        number > 0 ? `Digest ${number}` : 'A digest',
        ownerName === undefined ? '' : forMembers(` by ${ownerName}`),
      ],
      ...(scheduledFor ? [] : ['run manually']),
      nextRunAt ? `next ${zonedTime(nextRunAt, zone, now)} ${zone}` : 'paused',
    ],
    actions: {
      about: digestKind.called(title),
      runs: [
        press('run', digestId),
        editButton(digestKind, digestId),
        press(nextRunAt ? 'pause' : 'resume', digestId),
      ],
    },
  };
}

/** A reply in the thread: news that the digest's table has no room for. */
export const moreNewsAnswer = (
  { news, ranAt }: Pick<DigestNews, 'news' | 'ranAt'>,
  vessels: NewsVessels,
): Answer => ({
  verdict: { strong: counted(news.length, 'more change') },
  sections: [vesselsOf(news, [], { vessels, ranAt })],
});

/** Stands for an answer that people of another organisation may not see. */
export const withheldAnswer = ({ line }: Pick<DigestDetail, 'line'>): Answer => ({
  isOwn: true,
  verdict: { strong: '', rest: withheld(line) },
});

const withheld = (line: string): Text => [
  codeOf(line),
  ': not shown where people from another organisation can read it',
];

/** Says to the owner why the digest is paused, and how to resume it. */
export function noticeAnswer(notice: DigestNotice): Answer {
  const { digestId, title, channelId, reason } = notice;
  const { what, advice } = pauseInWords(reason);
  const where: Text = isPersonalThing(notice) ? '' : [' in ', { channel: channelId }];
  return {
    isOwn: true,
    verdict: {
      strong: [`Your digest ${title}`, where, ` is paused: ${what}`],
      lines: [[advice, '.']],
    },
    actions: { about: digestKind.called(title), runs: [press('resume', digestId)] },
  };
}

/** Mentions failed lines, because their answers might have been news. */
function verdictOf(
  { news, reports, since, zone, ranAt }: DigestMessage,
  own: Verdict | undefined,
  now: Date,
): Pick<Verdict, 'strong' | 'rest'> {
  const failed = reports.filter(({ kind }) => kind === 'failed').length;
  const allFailed = failed === reports.length;
  const unanswered = allFailed
    ? 'nothing could be answered'
    : `${counted(failed, 'line')} could not be answered`;
  const also = failed === 0 ? '' : `; ${unanswered}`;
  if (!since) return { strong: 'First run', rest: `; the next ones say what is new${also}` };
  const when = ` since ${zonedTime(since, zone, now)}`;
  if (news.length > 0) return { strong: newsCounts(news, ranAt), rest: `${when}${also}` };
  if (own) return { strong: own.strong, rest: [own.rest ?? '', also] };
  if (failed === 0) return { strong: 'Nothing new', rest: when };
  return {
    strong: capitalised(unanswered),
    ...(!allFailed && { rest: `; nothing new in the rest${when}` }),
  };
}

/** The line that says itself what has changed, if comparing found nothing: its verdict is then the digest's. */
function ownVerdict({ news, reports, since }: Pick<DigestMessage, 'news' | 'reports' | 'since'>) {
  if (news.length > 0 || !since) return undefined;
  for (const report of reports)
    if (report.kind === 'answered' && report.hasNews && report.brief)
      return { report, verdict: readStored(report.brief).verdict };
  return undefined;
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
function linesOf(reports: readonly LineReport[], audience: Reader['audience']): Text[] {
  const isUnchanged = (report: LineReport) => report.kind === 'answered' && report.isUnchanged;
  const unchanged = reports.filter(isUnchanged).map((report) => lineOf(report, audience));
  return [
    ...reports.filter((report) => !isUnchanged(report)).map((report) => lineOf(report, audience)),
    ...(unchanged.length > 0 ? [['Unchanged: ', joined(unchanged, '; ')]] : []),
  ];
}

function lineOf(report: LineReport, audience: Reader['audience']): Text {
  if (report.kind === 'failed') {
    const reason = clip(report.reason.replace(/[.]$/, ''), 90);
    return ['🟠 ', codeOf(report.line), ` could not be answered: ${reason} (ref ${report.ref})`];
  }
  if (report.isInternal && audience === 'outside') return withheld(report.line);
  if (!report.brief) return [codeOf(report.line), ': in the thread'];
  const { strong, rest = '', lines: others = [] } = readStored(report.brief).verdict;
  return joined([[strong, rest], ...others]);
}

const codeOf = (line: string): Text => ({ code: `/${clip(line, 60)}` });

/** The rows of news in each reply with those that the digest's message has no room for. */
const rowsInReply = 25;

/** The news that the digest's message shows, and those that each further message in its thread shows. */
export function newsByMessage(news: readonly News[], now: Date): { shown: News[]; replies: News[][] } {
  const order = Object.keys(urgencies);
  const all = news.toSorted(
    (one, other) => order.indexOf(inWords(one, now).urgency) - order.indexOf(inWords(other, now).urgency),
  );
  const rest = all.slice(maxVessels);
  const replies = Array.from({ length: Math.ceil(rest.length / rowsInReply) }, (_, index) =>
    rest.slice(index * rowsInReply, (index + 1) * rowsInReply),
  );
  return { shown: all.slice(0, maxVessels), replies };
}

/** In their order. */
const urgencies = {
  diverted: { marker: '🔴', words: 'diverted' },
  moved: { marker: '🟠', words: 'moved' },
  lost: { marker: '🟠', words: 'no longer predicted' },
  gone: { marker: '🟠', words: 'no longer expected' },
  new: { marker: '⚪', words: 'new' },
  within: { marker: '⚪', words: 'now within the period' },
  nextLeg: { marker: '⚪', words: 'on the next leg' },
} as const;

/** `🔴 1 diverted · 🟠 2 moved, 1 no longer expected · ⚪ 3 new`. */
export function newsCounts(news: readonly News[], now: Date): string {
  const counts = Map.groupBy(news, (each) => inWords(each, now).urgency);
  const byMarker = Map.groupBy(
    Object.entries(urgencies).flatMap(([urgency, { marker, words }]) => {
      // The keys of `urgencies`.
      const count = counts.get(urgency as keyof typeof urgencies)?.length ?? 0;
      return count > 0 ? [{ marker, text: `${count} ${words}` }] : [];
    }),
    ({ marker }) => marker,
  );
  return [...byMarker]
    .map(([marker, some]) => `${marker} ${some.map(({ text }) => text).join(', ')}`)
    .join(' · ');
}

/** A change, or a vessel that has none. */
interface VesselRow {
  news?: News;
  call: Prospect | null;
  vessel: KnownVessel & { url?: string };
  /** When the digest ran. */
  ranAt: Date;
}

const vesselsTable = table<VesselRow>({
  name: 'news',
  about: 'A change since the last digest, or the next call of a vessel without one',
  columns: {
    vessel: kinds.shown('Vessel', ({ vessel }) => {
      const label = vesselShort(vessel);
      return { text: vessel.url === undefined ? label : { link: vessel.url, label } };
    }),
    // The first two columns are all that a phone shows.
    what: kinds.shown('{what}', ({ news, call, ranAt }) => {
      const when = call?.eta ? ` · ${portTimeInColumn(call.eta, portOf(call.port)?.zone, ranAt)}` : '';
      if (!news) {
        const port = call ? callOf(call) : '';
        return { text: { inTable: `${port}${when}`, inLine: port } };
      }
      const { urgency, what } = inWords(news, ranAt);
      const { marker } = urgencies[urgency];
      const words = clip(what, 70);
      return { text: { inTable: `${marker} ${capitalised(words)}${when}`, inLine: `${marker} ${words}` } };
    }),
    eta: kinds.shown('ETA (UTC)', ({ call, ranAt }) => {
      if (!call?.eta) return call ? { text: { inTable: 'not given', inLine: 'ETA not given' } } : '';
      // The column before it has the port's time.
      const inTable = zonedTime(call.eta, 'UTC', ranAt);
      return { sort: call.eta.getTime(), text: { inTable, inLine: timeOf(call, ranAt) ?? '' } };
    }),
    was: kinds.shown('Was', ({ news, ranAt }) => {
      const was = news && inWords(news, ranAt).was;
      return { text: was === undefined ? '' : { inTable: was, inLine: `was ${was}` } };
    }),
    references: kinds.shown('Ref', ({ vessel }) => ({ text: referencesInCell(vessel.references) }), {
      membersOnly: true,
    }),
  },
});

/** One table for both, since a message holds one. */
function vesselsOf(
  news: readonly News[],
  calls: readonly VesselCall[],
  { vessels, ranAt }: { vessels: NewsVessels; ranAt: Date },
) {
  const of = (imo: Imo) => ({ vessel: vessels.get(imo) ?? { imo }, ranAt });
  const captions = [
    ...(news.length > 0 ? ['What changed since the last digest'] : []),
    ...(calls.length > 0 ? ['Next calls'] : []),
  ];
  return vesselsTable.of({
    caption: captions.join('; ') || 'Next calls',
    rows: [
      ...news.map((each) => ({ ...of(each.imo), news: each, call: 'now' in each ? each.now : null })),
      ...calls.map((call) => ({ ...of(call.imo), call })),
    ],
    words: { what: news.length > 0 ? 'What, ETA (LT)' : 'Next port, ETA (LT)' },
  });
}

/** `now`: when the digest ran. */
function inWords(
  news: News,
  now: Date,
): { urgency: keyof typeof urgencies; what: string; was?: string | undefined } {
  switch (news.kind) {
    case 'next-port-changed': {
      const isOver = news.was !== null && hasProbablyCalled(news.was.eta, now);
      const urgency = !news.was ? 'new' : isOver ? 'nextLeg' : news.now ? 'diverted' : 'lost';
      const what = news.now ? `${isOver ? 'next leg to' : 'now'} ${callOf(news.now)}` : 'no longer predicted';
      return { urgency, what, was: news.was ? withTime(callOf(news.was), news.was, now) : undefined };
    }
    case 'eta-moved':
      return { urgency: 'moved', what: movedBy(news), was: timeOf(news.was, now) };
    case 'new-arrival':
      return { urgency: 'new', what: `new at ${callOf(news.now)}` };
    case 'now-within':
      return { urgency: 'within', what: `within ${news.period} at ${callOf(news.now)}` };
    case 'no-longer-expected': {
      const was = withTime(percent(news.was.probability), news.was, now);
      return { urgency: 'gone', what: `no longer expected at ${portName(news.was.port)}`, was };
    }
  }
}

const callOf = ({ port, probability }: Prospect): string => `${portName(port)} ${percent(probability)}`;

const timeOf = ({ port, eta }: Prospect, now: Date): string | undefined =>
  eta === null ? undefined : portTime(eta, portOf(port)?.zone, now);

function withTime(words: string, prospect: Prospect, now: Date): string {
  const time = timeOf(prospect, now);
  return time === undefined ? words : `${words}, ${time}`;
}

/** `12 h later at Rotterdam`. */
function movedBy({ was, now: current, beyond }: Extract<News, { kind: 'eta-moved' }>): string {
  const at = `at ${portName(current.port)}${beyond === undefined ? '' : `, beyond ${beyond}`}`;
  if (!was.eta || !current.eta) return `moved ${at}`;
  const minutes = Math.round((current.eta.getTime() - was.eta.getTime()) / 60_000);
  return `${roundedDuration(Math.abs(minutes))} ${minutes > 0 ? 'later' : 'earlier'} ${at}`;
}
