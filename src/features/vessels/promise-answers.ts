import { type Answer, allPromises } from '../../answers/answer.ts';
import { capitalised, vesselShort } from '../../answers/formatting/words.ts';
import { joinWithin } from '../../answers/message.ts';
import type { Text } from '../../answers/text.ts';
import { joinWords } from '../../grammar/line.ts';
import type { Due } from '../../predictions/promises.ts';
import type { Imo } from '../../reference/codes.ts';
import { portName } from '../../reference/ports.ts';
import type { Prospect } from '../../reference/prediction.ts';
import { type AskCtx, actorIn, knownVessel } from '../ctx.ts';
import { selectFollowed, toColumns } from '../history/index.ts';
import { forecastOf } from '../promises/index.ts';
import { dueInWords, standingInWords, standingLine, standingOf } from '../rules/index.ts';
import { filterByScope, matchesScope } from '../scope.ts';
import { undoButton, vesselButtons } from './name-answers.ts';
import { readDirectory } from './vessel-names.ts';
import { formatPromise, type ReferencesChange } from './words.ts';

/** What a line has changed. Those that are removed have no others. */
interface PromisesDone {
  /** As typed, whether or not they were promised before. */
  promised?: readonly Due[];
  added?: readonly Due[];
  /** With another date for the same port. */
  replaced?: readonly Due[];
  dropped?: readonly Due[];
}

/** What was promised, or no longer is, and whether the forecast meets it. */
export async function promisedAnswer(
  { imo }: Pick<ReferencesChange, 'imo'>,
  { promised = [], added = [], replaced = [], dropped = [] }: PromisesDone,
  ctx: AskCtx,
): Promise<Answer> {
  const vessel = vesselShort(knownVessel(imo, await readDirectory(ctx)));
  const now = ctx.now();
  const isRemoved = dropped.length > 0;
  const [ranked, isWatched] = await Promise.all([forecastOf(imo, ctx), isWatchedHere(imo, ctx)]);
  const verb = isRemoved ? 'no longer promised' : added.length > 0 ? 'promised' : 'already promised';
  return {
    membersOnly: 'A list of references',
    isOwn: true,
    verdict: {
      strong: `${vessel}: ${promisesInWords(isRemoved ? dropped : promised, verb, now)}`,
      lines: [
        ...standingsOf(promised, ranked, now),
        ...replaced.map((due) => `Instead of ${promisesInWords([due], '', now)}`),
      ],
    },
    notes: isRemoved ? [] : advice(vessel, isWatched, ctx),
    actions: {
      runs: [...undoButton(undoLine(imo, { added, replaced, dropped }, now)), ...vesselButtons(imo)],
    },
  };
}

/** `BK-4401, BK-4402 promised at Rotterdam by Sun 20 Dec 14:00 LT` */
function promisesInWords(dates: readonly Due[], verb: string, now: Date): string {
  const names = [...new Set(dates.flatMap(({ reference }) => reference ?? []))];
  const calls = [...new Set(dates.map((due) => `${portName(due.port)} ${dueInWords(due, now)}`))];
  return joinWords(joinWithin(names, ', ', 300), verb, `at ${joinWithin(calls, ' and ', 300)}`);
}

/** One line for promises that stand alike. */
function standingsOf(promised: readonly Due[], ranked: readonly Prospect[] | undefined, now: Date): string[] {
  if (!ranked)
    return promised.length === 0
      ? []
      : ['The analytics service does not answer, so how it stands is not known now'];
  const calls = new Set(promised.map(({ port }) => port));
  const words = promised.map((due) => {
    const standing = standingOf(due, { ranked }, now);
    return calls.size > 1 ? standingLine(due, standing, { now }) : capitalised(standingInWords(standing));
  });
  return [...new Set(words)];
}

/** Undefined if one line can't undo it. */
function undoLine(
  imo: Imo,
  { added, replaced, dropped }: Required<Omit<PromisesDone, 'promised'>>,
  now: Date,
): string | undefined {
  const [change, dates] = dropped.length > 0 ? (['add', dropped] as const) : (['remove', added] as const);
  const [due, ...others] = replaced.length > 0 ? replaced : dates;
  if (!due || others.length > 0 || (replaced.length > 0 && added.length > 1)) return undefined;
  return formatPromise(replaced.length > 0 ? 'add' : change, { imo, due }, now);
}

function advice(vessel: string, isWatched: boolean, { registry }: AskCtx): Text[] {
  const list = registry.lineOf(allPromises);
  return [
    isWatched
      ? `The watches of ${vessel} alert when it breaks`
      : `Nobody is alerted when it breaks until ${vessel} is watched`,
    ...(list === undefined ? [] : [['All promises: ', { code: `/${list}` }]]),
  ];
}

/** Whether an active watch that the person may list follows the vessel. */
async function isWatchedHere(imo: Imo, ctx: AskCtx): Promise<boolean> {
  const { store, access } = ctx.services;
  const filter = await filterByScope('all', actorIn(ctx), access);
  const { kind, key } = toColumns({ kind: 'vessel', imo });
  const found = await selectFollowed(store)
    .innerJoin(...store.join('watches', 'watches.id', 'followings.watch_id'))
    .select('watches.id')
    .where('subjects.kind', '=', kind)
    .where('subjects.key', '=', key)
    .where('watches.status', '=', 'active')
    .where(matchesScope(filter))
    .executeTakeFirst();
  return found !== undefined;
}
