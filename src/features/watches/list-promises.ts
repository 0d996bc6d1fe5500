import { type Answer, watchesIn } from '../../answers/answer.ts';
import { portTimeInColumn } from '../../answers/formatting/times.ts';
import { counted, type KnownVessel, listed, percent, vesselShort } from '../../answers/formatting/words.ts';
import { eta, field, flag, instant, port, probability, text, vessel } from '../../answers/kinds.ts';
import { type PageNumbers, paged, pageNumbers, type Reader } from '../../answers/message.ts';
import { table } from '../../answers/table.ts';
import { attempt, UserError } from '../../errors.ts';
import { formatPage, joinWords, pageOption, quote, scanOptions, wordsError } from '../../grammar/line.ts';
import { expandPorts, formatPort, parsePortOrGroup, readPort } from '../../grammar/port.ts';
import { formatVessels, parseVessels } from '../../grammar/vessel.ts';
import type { VesselHelp } from '../../grammar/vessel-help.ts';
import { openSince, prospectFor } from '../../predictions/promises.ts';
import { exampleVessels, type Imo, type PortOrGroup } from '../../reference/codes.ts';
import { isKnownPort, portName, portOf, samePort } from '../../reference/ports.ts';
import type { Prospect } from '../../reference/prediction.ts';
import { type VariantLine, variant } from '../command.ts';
import { type AskCtx, knownVessel, type ParseContext, vesselHelp } from '../ctx.ts';
import { unwatchedOf } from '../history/index.ts';
import {
  forecastOf,
  type Memories,
  readMemories,
  readPromises,
  type StoredPromise,
  wasCalledAt,
} from '../promises/index.ts';
import { dueTime, type Standing, standingLine, standingOf } from '../rules/index.ts';
import { filterHere, type ScopeFilter } from '../scope.ts';
import { formatPromise } from '../vessels/index.ts';

const promisesPerPage = 20;

/** A whole number of pages. Each of their vessels costs a request, and the promises are ranked by the answers. */
const rankedAtOnce = 5 * promisesPerPage;

interface Promised {
  promise: StoredPromise;
  vessel: KnownVessel;
  standing: Standing;
  /** The call at its port. */
  call: Prospect | undefined;
  now: Date;
}

const promisesTable = table<Promised>({
  name: 'promises',
  about:
    'A promise, those at risk first: when a vessel has to be at a port, and whether the forecast meets it',
  isOfService: true,
  columns: {
    reference: text(
      'For',
      'the booking or the like that depends on it',
      ({ promise: { due }, vessel }) => due.reference ?? vesselShort(vessel),
      {
        words: ({ promise: { due }, vessel }) =>
          `${due.reference ?? vesselShort(vessel)} at ${portName(due.port)}`,
      },
    ),
    // A phone shows two columns: the answer stands in them.
    due: instant('Due → ETA (LT)', 'the latest time, in UTC', ({ promise }) => promise.due.at, {
      words: dueAndForecast,
    }),
    standing: text('Stands', 'how the forecast meets it', ({ standing }) => standing.words, {
      words: ({ standing: { words, marker } }) => words.slice(marker.length).trim(),
    }),
    probability: probability(null, 'of the call there, from 0 to 1', ({ call }) => call?.probability),
    eta: eta(null, ({ call }) => call),
    port: port(null, 'port', ({ promise }) => promise.due.port),
    vessel: vessel('Vessel', (row) => row.vessel),
    earliest: instant(null, 'the beginning of its window, in UTC', ({ promise }) => promise.due.earliest),
    minimum: field('share', 'the least probability, from 0 to 1', ({ promise }) => promise.due.minimum),
    is_at_risk: flag(null, 'late, early, or its port too unlikely', isAtRisk),
  },
});

/** `🟠 Tue 1 Dec 14:00 → Wed 9 Dec 16:34, 89%`. */
function dueAndForecast({ promise: { due }, standing, call }: Promised, { now }: Reader): string {
  const zone = portOf(due.port)?.zone;
  const promised = due.earliest ? dueTime(due, now).replace(/ LT$/, '') : portTimeInColumn(due.at, zone, now);
  const figures = call && [
    call.eta ? portTimeInColumn(call.eta, portOf(call.port)?.zone, now) : 'ETA not given',
    percent(call.probability),
  ];
  const forecast = figures?.join(', ') ?? (standing.isUnknown ? 'not known' : 'not predicted');
  return `${joinWords(standing.marker, promised)} → ${forecast}`;
}

/** Left out: all. */
interface Subject {
  imos?: readonly Imo[];
  port?: PortOrGroup;
}

interface PromisesValues extends Subject {
  /** Only those at risk. */
  atRisk: boolean;
  page: number;
}

const formatSubject = ({ imos, port }: Subject): string =>
  joinWords(imos && `of ${formatVessels(imos)}`, port && `at ${formatPort(port)}`);

const format = ({ atRisk, page, ...subject }: PromisesValues): string =>
  joinWords('watch promises', atRisk ? 'at risk' : '', formatSubject(subject), formatPage(page));

/** When vessels have to be at their ports, and whether the forecasts meet it. */
export const promises = variant<PromisesValues>({
  format,
  title: (values) => format({ ...values, page: 1 }).replace('watch ', ''),
  ports: ({ port }) => (port === undefined ? [] : [port]),
  cost: () => ({ calls: 1, isOfGroup: true }),
  effect: 'reads',
  privacy: 'internal',
  of: 'place',
  tables: [promisesTable],
  run,
});

/** The words after `watch promises`. Throws UserError. */
export function parsePromises(words: string, context: ParseContext): VariantLine {
  const about = { command: 'watch promises', example: 'watch promises' };
  const { rest, values, help } = scanOptions(words, { page: pageOption }, about);
  const subject = rest.replace(riskWords, ' ').trim();
  const line = (fixed: string) => help.line(joinWords(riskWords.test(rest) ? 'at risk' : '', fixed));
  return promises.of({
    ...parseSubject(subject, { ...help, line, ...vesselHelp(context) }),
    atRisk: riskWords.test(rest),
    page: values.page ?? 1,
  });
}

const riskWords = /(?:^|\s)(?:(?:that are )?at risk)(?=\s|$)/i;

/** `EVER GIVEN`, `for BK-4401`, `at Rotterdam`. Vessels win over a port of the same name. */
function parseSubject(words: string, help: VesselHelp): Subject {
  if (words === '') return {};
  const [, place] = /^(?:at|in|to) (.+)$/i.exec(words) ?? [];
  const groups = help.vessels;
  if (place !== undefined) return { port: parsePortOrGroup(place, { ...help, groups }) };
  const typed = words.replace(/^(?:of|for) /i, '');
  const imos = attempt(() => parseVessels(typed, help));
  if (!(imos instanceof UserError)) return { imos };
  const read = readPort(typed, groups);
  if ('port' in read && isKnownPort(read.port)) return { port: read.port };
  if (imos.choices.length > 0 || imos.code !== 'unknown-vessel') throw imos;
  throw wordsError(
    'unexpected-words',
    `${quote(typed)} isn't a vessel, a reference or a port that I know.`,
    help,
    {
      choices: [{ label: 'All promises', line: 'watch promises' }],
    },
  );
}

async function readWanted(
  { imos, port }: Subject,
  scope: ScopeFilter,
  ctx: AskCtx,
): Promise<StoredPromise[]> {
  const after = openSince(ctx.now());
  const stored = await readPromises(ctx.services.store, { ...(imos && { imos }), after, scope });
  if (port === undefined) return stored;
  const line = (fixed: string) => `watch promises at ${fixed}`;
  const ports = expandPorts([port], { groups: ctx.vessels, example: 'watch promises', line });
  return stored.filter(({ due }) => ports.some((one) => samePort(one, due.port)));
}

async function run({ atRisk, page, ...subject }: PromisesValues, ctx: AskCtx): Promise<Answer> {
  const scope = await filterHere(ctx);
  const stored = await readWanted(subject, scope, ctx);
  const pageOf = (total: number) => pageNumbers(total, atRisk ? 1 : page, promisesPerPage);
  const offsetOf = (numbers: PageNumbers) => (numbers.page - 1) * promisesPerPage;
  const first = Math.floor(offsetOf(pageOf(stored.length)) / rankedAtOnce) * rankedAtOnce;
  const checked = stored.slice(first, first + rankedAtOnce);
  const ranked = await rankByRisk(checked, scope, ctx);
  const total = stored.length - checked.length + ranked.length;
  if (total === 0) return noPromises(subject, ctx);
  const about = { ranked, first, total, now: ctx.now() };
  const answer = async (listed: Listed) => ({
    ...promisesAnswer(listed, about),
    notes: await watchedNotes(listed.shown, scope, ctx),
  });
  if (atRisk) {
    const rows = ranked.filter(isAtRisk);
    const { items, ...numbers } = paged(rows, page, promisesPerPage);
    return answer({ rows, shown: items, page: numbers });
  }
  const numbers = pageOf(total);
  const start = Math.max(0, offsetOf(numbers) - first);
  return answer({ rows: ranked, shown: ranked.slice(start, start + promisesPerPage), page: numbers });
}

/** How many of the vessels nobody is alerted about, as far as may be known here. */
async function watchedNotes(
  shown: readonly Promised[],
  scope: ScopeFilter,
  { services }: AskCtx,
): Promise<string[]> {
  const imos = [...new Set(shown.map(({ promise }) => promise.imo))];
  const { length: count } = await unwatchedOf(imos, scope, services.store);
  if (count === 0) return [];
  if (imos.length === 1) return ['The vessel shown is not watched here'];
  return [
    count === imos.length
      ? `None of the ${count} vessels shown is watched here`
      : `${count} of the ${imos.length} vessels shown ${count === 1 ? 'is' : 'are'} not watched here`,
  ];
}

/** Those at risk first, then the soonest. */
async function rankByRisk(
  promises: readonly StoredPromise[],
  scope: ScopeFilter,
  ctx: AskCtx,
): Promise<Promised[]> {
  const imos = [...new Set(promises.map(({ imo }) => imo))];
  const forecasts = new Map(
    await Promise.all(imos.map(async (imo) => [imo, await forecastOf(imo, ctx)] as const)),
  );
  const called = await readMemories(imos, scope, ctx);
  return promises.map((promise) => promisedRow(promise, { forecasts, called }, ctx)).sort(byRisk);
}

interface Known {
  forecasts: ReadonlyMap<Imo, readonly Prospect[] | undefined>;
  called: Memories;
}

function promisedRow(
  promise: StoredPromise,
  { forecasts, called }: Known,
  { vessels, now: clock }: AskCtx,
): Promised {
  const now = clock();
  const ranked = forecasts.get(promise.imo);
  const wasProbablyCalled = wasCalledAt(promise, called);
  const standing: Standing = ranked
    ? standingOf(promise.due, { ranked, wasProbablyCalled }, now)
    : { words: 'no answer from the service', marker: '', isUnknown: true };
  const call = prospectFor(promise.due, ranked ?? []);
  return { promise, vessel: knownVessel(promise.imo, vessels), standing, call, now };
}

const ranks = ['🔴', '🟠', 'unknown', ''];

const rankOf = ({ standing: { marker, isUnknown } }: Promised): number =>
  ranks.indexOf(isUnknown ? 'unknown' : marker);

/** What isn't known comes before what is in time. */
const byRisk = (one: Promised, other: Promised): number => rankOf(one) - rankOf(other);

function isAtRisk({ standing }: Promised): boolean {
  return standing.marker !== '';
}

const maxRemovals = 5;

interface Listed {
  rows: readonly Promised[];
  /** The page of the rows. */
  shown: readonly Promised[];
  page: PageNumbers;
}

interface Ranked {
  /** Those whose vessels were asked about. */
  ranked: readonly Promised[];
  /** The place of the first of them among all, by date. */
  first: number;
  total: number;
  now: Date;
}

function promisesAnswer({ rows, shown, page }: Listed, { ranked, first, total, now }: Ranked): Answer {
  const [worst] = ranked.filter(isAtRisk);
  return {
    verdict: {
      strong: riskInWords(ranked),
      lines: worst ? [lineOf(worst, now)] : [],
    },
    sections: rows.length > 0 ? [promisesTable.of({ caption: 'Promises', rows, shown })] : [],
    firstNotes:
      ranked.length < total
        ? [
            `by due date, promises ${first + 1}–${first + ranked.length} of ${total} were checked; the full list checks the others on later pages`,
          ]
        : [],
    isForecast: true,
    // A digest that has some at risk isn't without news.
    hasNews: worst !== undefined,
    page: { ...page, size: promisesPerPage },
    actions: {
      more: shown
        .flatMap(({ promise, vessel }) => {
          // A watch's own are in its form.
          const line = promise.watchId === null ? formatPromise('remove', promise, now) : undefined;
          const label = `Remove ${promise.due.reference ?? vesselShort(vessel)} at ${portName(promise.due.port)}`;
          return line === undefined ? [] : [{ label, line }];
        })
        .slice(0, maxRemovals),
    },
  };
}

/** `2 of 5 promises at risk, 1 not known now`. */
function riskInWords(rows: readonly Promised[]): string {
  const shown = counted(rows.length, 'promise');
  const risky = rows.filter(isAtRisk).length;
  const unknown = rows.filter(({ standing }) => standing.isUnknown).length;
  if (unknown === rows.length) return `${shown}, not known now`;
  const rest = unknown === 0 ? '' : `, ${unknown} not known now`;
  if (risky === 0) return `${shown}, none at risk${rest}`;
  return rows.length === 1 ? `${shown}, at risk` : `${risky} of ${shown} at risk${rest}`;
}

const lineOf = ({ promise: { due }, vessel, standing }: Promised, now: Date): string =>
  standingLine(due, standing, {
    name: [due.reference, vesselShort(vessel)].filter(Boolean).join(' · '),
    now,
  });

const exampleImo = exampleVessels[0].imo;
const typedDue = 'due Rotterdam 20 dec 14:00';

function noPromises(subject: Subject, { registry: { lineOf: line }, vessels }: AskCtx): Answer {
  const { imos = [], port } = subject;
  if (imos.length > 0 || port !== undefined) {
    const whose = [
      ...imos.map((imo) => vesselShort(knownVessel(imo, vessels))),
      ...(port ? [portName(port)] : []),
    ];
    return {
      verdict: { strong: 'No promises here', rest: ` of ${listed(whose)}.` },
      sections: [promisesTable.of({ caption: 'Promises', rows: [] })],
      actions: { runs: [{ label: 'All promises', line: format({ atRisk: false, page: 1 }) }] },
    };
  }
  const booking = line({ kind: 'add-reference', imo: exampleImo, reference: 'BK-4401' });
  return {
    verdict: {
      strong: 'No promises here',
      rest: ': nothing says when a vessel has to be at a port.',
      lines: [
        ...(booking === undefined ? [] : [['For a booking: ', { code: `/${booking} ${typedDue}` }]]),
        ['For a watch: ', { code: `/watch ${exampleImo} ${typedDue}` }],
      ],
    },
    sections: [promisesTable.of({ caption: 'Promises', rows: [] })],
    actions: {
      runs: [line(watchesIn({ scope: 'channel' }))].flatMap((list) =>
        list === undefined ? [] : [{ label: 'List the watches', line: list }],
      ),
    },
  };
}
