import { type Answer, allPromises } from '../../answers/answer.ts';
import { capitalised, vesselShort } from '../../answers/formatting/words.ts';
import { joinWithin } from '../../answers/message.ts';
import { present, type Text } from '../../answers/text.ts';
import { joinWords } from '../../grammar/line.ts';
import type { Due } from '../../predictions/promises.ts';
import type { Imo } from '../../reference/codes.ts';
import { portName } from '../../reference/ports.ts';
import type { Prospect } from '../../reference/prediction.ts';
import { type AskCtx, actorIn, knownVessel } from '../ctx.ts';
import { unwatchedOf } from '../history/index.ts';
import { forecastOf } from '../promises/index.ts';
import { dueInWords, standingInWords, standingLine, standingOf } from '../rules/index.ts';
import { filterByScope } from '../scope.ts';
import { undoButton, vesselButtons } from './name-answers.ts';
import { type ReferencesDone, referencesInWords, undoReferences } from './undo-references.ts';
import { readDirectory } from './vessel-names.ts';
import type { ReferencesChange } from './words.ts';

interface PromisesDone extends ReferencesDone {
  /** As typed, whether or not they were promised before. */
  promised?: readonly Due[];
}

/** What was promised, or no longer is, and whether the forecast meets it. */
export async function promisedAnswer(
  { imo }: Pick<ReferencesChange, 'imo'>,
  { promised = [], ...done }: PromisesDone,
  ctx: AskCtx,
): Promise<Answer> {
  const vessel = vesselShort(knownVessel(imo, await readDirectory(ctx)));
  const now = ctx.now();
  const { added = [], replaced = [], dropped = [] } = done;
  const [ranked, unwatched] = await Promise.all([forecastOf(imo, ctx), unwatchedHere([imo], ctx)]);
  const verb = added.length > 0 ? 'promised' : 'already promised';
  return {
    membersOnly: 'A list of references',
    isOwn: true,
    verdict: {
      strong: `${vessel}: ${present(
        promised.length > 0 && promisesInWords(promised, verb, now),
        dropped.length > 0 && promisesInWords(dropped, 'no longer promised', now),
        ...referencesInWords(done),
      ).join('; ')}`,
      lines: [
        ...standingsOf(promised, ranked, now),
        ...replaced.map((due) => `Instead of ${promisesInWords([due], '', now)}`),
      ],
    },
    notes: promised.length === 0 ? [] : advice(vessel, unwatched.length === 0, ctx),
    actions: {
      about: vessel,
      runs: [...undoButton(undoReferences(imo, done, now)), ...vesselButtons(imo)],
    },
  };
}

/** `BK-4401, BK-4402 promised at Rotterdam by Sun 20 Dec 14:00 LT`; where their calls differ, each with its own. */
function promisesInWords(dates: readonly Due[], verb: string, now: Date): string {
  const callsOf = Map.groupBy(dates, ({ reference = '' }) => reference);
  const calls = (own: readonly Due[]) => [
    ...new Set(own.map((due) => `${portName(due.port)} ${dueInWords(due, now)}`)),
  ];
  const alike = Map.groupBy(
    callsOf.keys(),
    (name) => `at ${joinWithin(calls(callsOf.get(name) ?? []), ' and ', 300)}`,
  );
  const words = [...alike].map(([at, names]) => joinWords(joinWithin(names, ', ', 300), verb, at));
  return joinWithin(words, '; ', 600);
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

function advice(vessel: string, isWatched: boolean, { registry }: AskCtx): Text[] {
  const list = registry.lineOf(allPromises);
  return [
    isWatched
      ? `The watches of ${vessel} alert when it breaks`
      : `Nobody is alerted when it breaks until ${vessel} is watched`,
    ...(list === undefined ? [] : [['All promises: ', { code: `/${list}` }]]),
  ];
}

/** Those of the vessels that no active watch that the person may list follows. */
export async function unwatchedHere(imos: readonly Imo[], ctx: AskCtx): Promise<Imo[]> {
  const { store, access } = ctx.services;
  return unwatchedOf(imos, await filterByScope('all', actorIn(ctx), access), store);
}
