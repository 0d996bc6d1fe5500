import { min } from 'date-fns/min';
import { z } from 'zod';
import type { Answer, LineOf } from '../../answers/answer.ts';
import { utcTime } from '../../answers/formatting/times.ts';
import {
  counted,
  type KnownVessel,
  nextInWords,
  portNames,
  referenceNote,
} from '../../answers/formatting/words.ts';
import { count, eta, field, flag, instant, port, probability, text, vessel } from '../../answers/kinds.ts';
import { clip, type PageNumbers } from '../../answers/message.ts';
import { readPage } from '../../answers/slack/answer-message.ts';
import { pauseInWords } from '../../answers/slack/notices.ts';
import { toTime } from '../../answers/structured.ts';
import { table } from '../../answers/table.ts';
import { forAsker, forMembers, joined, type Text } from '../../answers/text.ts';
import {
  channelOption,
  formatChannel,
  formatPage,
  joinWords,
  pageOption,
  quote,
  scanOptions,
  shortened,
  wordsError,
} from '../../grammar/line.ts';
import { formatVesselGroup } from '../../grammar/vessel.ts';
import type { Prospect } from '../../reference/prediction.ts';
import {
  dueLines,
  expectedInWords,
  expectedVessels,
  isToCheck,
  type ListedVessel,
  listedVessels,
  nextExpected,
  nextOf,
  vesselNotes,
} from '../cards/index.ts';
import { type VariantLine, variant } from '../command.ts';
import { type AskCtx, knownVessel, pageIn } from '../ctx.ts';
import { pageInput } from '../fields.ts';
import { checkScope, formatScope, noWatches, placeOf, privacyOf, scopes } from '../history/index.ts';
import { editButton, offeredToChange, placeInWords, withPausedWork } from '../owned/index.ts';
import {
  type CallPlan,
  callPlanHere,
  findInScope,
  isOfOneVessel,
  isOfPort,
  targetOf,
  timesLessOften,
  titleAtStart,
  vesselSubjects,
  type WatchWithSubjects,
  watchedPort,
  watchStatuses,
} from '../polling/index.ts';
import { etaInWords, rulesInWords, snoozeInWords, type VesselNames, watchRules } from '../rules/index.ts';
import type { Scope } from '../scope.ts';
import { inChannel } from './change-watch.ts';
import { subjectOf } from './named-watches.ts';
import { watchKind } from './watch-store.ts';

interface ListValues {
  scope: Scope;
  page: number;
  /** Undefined for the line's own channel. */
  channelId: string | undefined;
}

const watchesPerPage = 12;

export const formatList = ({ scope, channelId, page }: ListValues): string =>
  joinWords('watch list', formatScope(scope), formatChannel(channelId), formatPage(page));

/** The line that lists the watches of a channel; `channelId` is set for another one than where it is asked. */
export const listLine = ({ channelId }: { channelId?: string | undefined } = {}): string =>
  formatList({ scope: 'channel', page: 1, channelId });

/** A watch, with one of its vessels if it has any. */
interface Watched {
  watch: WatchWithSubjects;
  vessel?: KnownVessel;
  call?: Prospect;
  /** Set if the latest answer no longer has the call. */
  changedSince?: Date | undefined;
  polledAt: Date | undefined;
  now: Date;
}

const watchesTable = table<Watched>({
  name: 'watches',
  about: 'A vessel that a watch follows, or that is expected at its port; without one, the watch',
  isOfService: true,
  columns: {
    watch: text(null, 'what is watched', ({ watch }) => watch.title),
    watched_vessels: field(
      'text',
      'the vessels, fleet or list that are watched, as `watch_stop` takes them; empty for a port',
      ({ watch }) => {
        const subject = subjectOf(watch);
        return subject && subject.kind !== 'port' ? formatVesselGroup(subject) : null;
      },
    ),
    watched_port: field('text', 'UN/LOCODE, if the watch is about a port', ({ watch }) =>
      watchedPort(targetOf(watch)),
    ),
    vessel: vessel(null, ({ vessel }) => vessel),
    port: port(null, 'port', ({ call }) => call?.port),
    probability: probability(null, 'from 0 to 1', ({ call }) => call?.probability),
    eta: eta(null, ({ call }) => call),
    changed_since: instant(
      null,
      'set if the latest answer no longer has this call: the figures are from then',
      ({ changedSince }) => changedSince,
    ),
    polled_at: instant(null, 'when the service was last asked, in UTC', ({ polledAt }) => polledAt),
    rules: field('texts', 'when it notifies, in words', ({ watch, now }) =>
      rulesInWords(watch.rules, { now, isPort: isOfPort(watch) }),
    ),
    status: field('text', '`active`, `paused` or `ended`', ({ watch }) => watch.status, {
      values: watchStatuses,
    }),
    is_snoozed: field('boolean', 'it notifies nobody for a while', ({ watch }) => watch.snooze !== null),
    snoozed: text(
      null,
      'until when, in words',
      ({ watch, now }) => watch.snooze && snoozeInWords(watch.snooze, now),
    ),
    open_alerts: count(
      null,
      'alerts of the watch that nobody has acknowledged',
      ({ watch }) => watch.openAlerts?.count ?? 0,
    ),
    is_in_channel: flag(
      null,
      'it notifies a channel: only there can it be stopped',
      ({ watch }) => watch.destination === 'channel',
    ),
    channel_id: text(null, "Slack's id of the channel", ({ watch }) => watch.channelId),
    owner_id: text(null, "Slack's id of the owner", ({ watch }) => watch.ownerId),
    created_at: instant(null, 'when it was added, in UTC', ({ watch }) => watch.createdAt),
  },
});

export const list = variant<ListValues, { page: number }>({
  tool: {
    name: 'watch_list',
    title: 'My watches',
    description:
      'The watches that the person who asks owns, in all channels, with what was last predicted for each vessel.',
    outcome: {
      oldestForecastAt: z
        .string()
        .meta({ format: 'date-time' })
        .nullable()
        .describe('The oldest forecast that the list shows; null: there is none'),
    },
  },
  input: { page: pageInput },
  settle: ({ page }) => ({ scope: 'mine', page, channelId: undefined }),
  // In a direct message, where assistants ask, the watches there are the person's own.
  fields: ({ scope, channelId, page }) =>
    channelId !== undefined || scope === 'all' ? undefined : page > 1 ? { page } : {},
  format: formatList,
  effect: 'reads',
  privacy: privacyOf,
  of: 'place',
  tables: [watchesTable],
  run,
});

/** The words after `watch list`. Throws UserError. */
export function parseList(words: string): VariantLine {
  const options = { page: pageOption, channel: channelOption };
  const about = { command: 'watch list', example: 'watch list all' };
  const { rest, values, help } = scanOptions(words, options, about);
  const scope = scopes.get(rest.toLowerCase());
  if (scope === undefined) {
    const name = rest.replace(/^of\s+/i, '');
    throw wordsError('unexpected-words', `${quote(rest)} isn't a list of watches.`, help, {
      hint: "To watch one of the provider's lists, write its name after a colon: list:FEEDERS.",
      choices: [
        { label: 'In this channel', line: 'watch list' },
        { label: 'In all my channels', line: 'watch list all' },
        { label: 'My watches', line: 'watch list mine' },
        { label: shortened(`Watch list:${name}`), line: `watch list:${name}` },
      ],
    });
  }
  const asked = { scope, page: values.page ?? 1, channelId: values.channel };
  checkScope(asked, help, formatList);
  return list.of(asked);
}

async function run(values: ListValues, ctx: AskCtx): Promise<Answer> {
  const { scope, channelId, page } = values;
  const there = await inChannel(channelId, ctx);
  const [found, plan, pause] = await Promise.all([
    readPage(...pageIn(there, page, watchesPerPage), (range) =>
      findInScope(scope, there, { ...range, withLatest: true }),
    ),
    callPlanHere(there),
    ctx.services.pauses.at(ctx.now()),
  ]);
  const isElsewhere = there !== ctx;
  const answer = {
    ...found,
    scope,
    ...(isElsewhere && { channelId }),
    vessels: ctx.vessels,
    now: ctx.now(),
    lineOf: ctx.registry.lineOf,
  };
  const listed = listAnswer({
    ...answer,
    // Guests who may only ask see no costs, and in a pause there are none.
    ...(!ctx.actor.asksOnly && !pause && { plan }),
    ...(ctx.audience === 'private' && { offered: await offeredToChange(found.watches, ctx) }),
  });
  return withPausedWork(listed, ctx);
}

interface FoundWatches extends PageNumbers {
  scope: Scope;
  /** Set if the list is of another channel. */
  channelId?: string | undefined;
  watches: readonly WatchWithSubjects[];
  /** Left out for people who see no costs. */
  plan?: CallPlan;
  /** The ids of those with the button that opens their form; left out where others read the answer too. */
  offered?: ReadonlySet<string>;
  vessels: VesselNames;
  now: Date;
  lineOf: LineOf;
}

export function listAnswer(found: FoundWatches): Answer {
  const { scope, total, watches, plan, offered, now } = found;
  const rows = watches.flatMap((watch) => watchedIn(watch, found));
  const data = watchesTable.of({
    caption: 'Watches',
    rows,
    total: rows.length + total - watches.length,
    fetchedAt: ({ changedSince, polledAt }) => changedSince ?? polledAt,
  });
  const polled = watches.flatMap(({ followedSubjects }) =>
    followedSubjects.flatMap(({ polledAt }) => polledAt ?? []),
  );
  const oldest = polled.length > 0 ? min(polled) : undefined;
  const outcome = { oldestForecastAt: oldest ? toTime(oldest) : null };
  if (total === 0)
    return { ...noWatches(found, found), outcome, sections: [{ kind: 'rows', rows: [], data }] };
  const { page, pages, after, beyond } = found;
  const open = watches.reduce((sum, { openAlerts }) => sum + (openAlerts?.count ?? 0), 0);
  return {
    verdict: {
      strong: [`${counted(total, 'watch', 'watches')} `, placeOf(found)],
      // The row of a single watch says it.
      rest: open > 0 && total > 1 ? ` · ${counted(open, 'alert')} not acknowledged` : '',
    },
    sections: [
      {
        kind: 'rows',
        rows: watches.map((watch) => ({
          lines: watchLines(watch, { scope, names: found.vessels, now }),
          ...(offered?.has(watch.id) && { button: editButton(watchKind, watch.id) }),
        })),
        data,
      },
    ],
    isForecast: true,
    outcome,
    notes: [...(oldest ? [`Oldest forecast ${utcTime(oldest, now)}`] : []), ...(plan ? planNotes(plan) : [])],
    page: { page, pages, total, after, ...(beyond !== undefined && { beyond }), size: watchesPerPage },
  };
}

function watchedIn(
  watch: WatchWithSubjects,
  { vessels, now }: Pick<FoundWatches, 'vessels' | 'now'>,
): Watched[] {
  const polled = watch.followedSubjects.flatMap((followed) => followed.polledAt ?? []);
  const common = { watch, polledAt: polled.length > 0 ? min(polled) : undefined, now };
  const called = isOfPort(watch)
    ? expectedVessels(watch).map(({ imo, notifiedAt, ...call }) => ({ imo, call, changedSince: notifiedAt }))
    : listedVessels(watch).map(({ imo, prediction }) => ({
        imo,
        changedSince: prediction?.notifiedAt,
        ...(prediction && { call: prediction }),
      }));
  if (called.length === 0) return [common];
  return called.map(({ imo, ...call }) => ({ ...common, vessel: knownVessel(imo, vessels), ...call }));
}

/** A line with the watch's predictions, and one with its channel, owner and state. Names the channel unless all share it. */
export function watchLines(
  watch: WatchWithSubjects,
  { scope, names, now }: { scope: Scope; names: VesselNames; now: Date },
): Text[] {
  // Of several vessels the card names those that are at risk.
  const due = dueLines(watch, names, now);
  const marker = due.marker === '🔴' ? '🔴 ' : rowMarker(watch, { isLate: due.marker === '🟠', now });
  const place: Text[] = scope === 'channel' ? [] : [placeInWords(watch)];
  const owner: Text = ['by ', { person: watch.ownerId }];
  const state = stateNotes(watch, now);
  const references = referencesOf(watch, names);
  const forOthers = joined([...place, ...state]);
  const withOwner = joined([...place, owner, ...references, ...state]);
  return [
    `${marker}${predictions(watch, names, now)}`,
    ...(isOfOneVessel(watch) ? due.urgent : []),
    forAsker(withOwner, forMembers(joined([...place, ...references, ...state]), forOthers)),
  ];
}

/** The references of the only vessel. */
function referencesOf(watch: WatchWithSubjects, names: VesselNames): string[] {
  const [imo] = isOfOneVessel(watch) ? vesselSubjects(watch.followedSubjects) : [];
  return imo === undefined ? [] : referenceNote(names.referencesOf(imo));
}

/** 🔴 a critical alert that nobody has acknowledged, 🟠 something to check. */
function rowMarker(watch: WatchWithSubjects, { isLate, now }: { isLate: boolean; now: Date }): string {
  const events = watch.openAlerts?.first.events ?? [];
  if (events.some(watchRules.isCritical)) return '🔴 ';
  const isCutOff = watch.status === 'paused' || watch.followedSubjects.some(({ state }) => state?.stale);
  const needsCheck = isLate || isCutOff || listedVessels(watch).some((listed) => isToCheck(listed, now));
  return needsCheck || events.length > 0 ? '🟠 ' : '';
}

/** `DS CYPRESS → Rotterdam 78%, Sat 21 Nov 14:23 LT (13:23 UTC)`; of several vessels the next call. */
function predictions(watch: WatchWithSubjects, names: VesselNames, now: Date): string {
  const title = clip(titleAtStart(watch.title), 100);
  const [first] = watch.followedSubjects.flatMap(({ state }) => state ?? []);
  if (!first) return `${title}: waiting for the first answer`;
  if (first.kind === 'port')
    return [`${title}: ${expectedInWords(watch)}`, nextExpected(watch, names, now) ?? []].flat().join(', ');
  const vessels = listedVessels(watch).filter(({ state }) => state !== undefined);
  const [one, ...others] = vessels;
  if (one && others.length === 0) return predictionInWords(one, title, now);
  return `${title}: ${counted(vessels.length, 'vessel')}${nextCall(vessels, now)}`;
}

function nextCall(vessels: readonly ListedVessel[], now: Date): string {
  const ahead = vessels.filter(({ eta }) => eta && eta > now).sort((a, b) => Number(a.eta) - Number(b.eta));
  const prediction = ahead[0]?.prediction;
  return prediction ? `, next at ${portNames(nextOf(prediction))} ${etaInWords(prediction, now)}` : '';
}

function predictionInWords(listed: ListedVessel, title: string, now: Date): string {
  const { prediction } = listed;
  if (!prediction) return `${title}: no prediction now`;
  return [
    nextInWords(title, nextOf(prediction)),
    etaInWords(prediction, now),
    ...vesselNotes(listed, now),
  ].join(', ');
}

function stateNotes(watch: WatchWithSubjects, now: Date): string[] {
  const { status, pauseReason, snooze, followedSubjects } = watch;
  const [failingSince] = followedSubjects.flatMap(
    ({ state, failingSince }) => (state?.stale && failingSince) || [],
  );
  return [
    ...(status === 'paused' ? [`paused: ${pauseInWords(pauseReason).what}`] : []),
    ...(status === 'ended' ? ['ended: its next port has changed'] : []),
    ...(snooze ? [`snoozed ${snoozeInWords(snooze, now)}`] : []),
    ...(failingSince ? [`service not answering since ${utcTime(failingSince, now)}`] : []),
    ...(watch.openAlerts ? [`${counted(watch.openAlerts.count, 'alert')} not acknowledged`] : []),
  ];
}

/** People of other organisations see no costs; without watches there are none. */
export function planNotes({ plannedCalls, dailyCalls, stretch }: CallPlan): Text[] {
  if (plannedCalls === 0) return [];
  // Not for a month: polls become more frequent as ETAs near.
  const planned = `All watches together use about ${daily(plannedCalls)} API calls a day at present`;
  if (dailyCalls === undefined) return [forMembers(planned)];
  const budget = `${planned}, of a budget of ${daily(dailyCalls)}`;
  if (stretch <= 1) return [forMembers(budget)];
  return [forMembers(`${budget}, so they are polled ${timesLessOften(stretch)}`)];
}

export const daily = (count: number): string => Math.round(count).toLocaleString('en');
