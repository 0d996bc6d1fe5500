import { type Answer, allPromises, watchThese } from '../../answers/answer.ts';
import { capitalised, vesselShort } from '../../answers/formatting/words.ts';
import { joinWithin } from '../../answers/message.ts';
import type { Text } from '../../answers/text.ts';
import type { Due } from '../../predictions/promises.ts';
import type { Imo } from '../../reference/codes.ts';
import { portName } from '../../reference/ports.ts';
import { type AskCtx, actorIn, knownVessel } from '../ctx.ts';
import { selectFollowed, toColumns } from '../history/index.ts';
import { forecastOf } from '../promises/index.ts';
import { dueInWords, standingOf } from '../rules/index.ts';
import { filterByScope, matchesScope } from '../scope.ts';
import { undoButton, vesselButtons } from './name-answers.ts';
import { readDirectory } from './vessel-names.ts';
import { formatReferencesChange, type ReferencesChange } from './words.ts';

/** What was promised of references, and whether the forecast meets it. */
export async function promisedAnswer(
  change: ReferencesChange,
  promised: readonly Due[],
  ctx: AskCtx,
): Promise<Answer> {
  const { imo, references } = change;
  const vessel = vesselShort(knownVessel(imo, await readDirectory(ctx)));
  const now = ctx.now();
  const [first] = promised;
  const what = first ? ` at ${portName(first.port)} ${dueInWords(first, now)}` : '';
  const names = joinWithin([...references], ', ', 300);
  const [ranked, isWatched] = await Promise.all([forecastOf(imo, ctx), isWatchedHere(imo, ctx)]);
  const standings = promised.map((due) =>
    ranked
      ? standingOf(due, { ranked }, now).words
      : 'the analytics service does not answer, so how it stands is not known now',
  );
  return {
    membersOnly: 'A list of references',
    isOwn: true,
    verdict: {
      strong:
        change.change === 'remove'
          ? `${vessel}: ${names} no longer promised${what}`
          : `${vessel}: ${names} promised${what}`,
      lines: change.change === 'remove' ? [] : [...new Set(standings)].map(capitalised),
    },
    notes: change.change === 'remove' ? [] : advice(vessel, isWatched, ctx),
    actions: {
      ...(!isWatched && change.change !== 'remove' && { watch: watchThese(imo) }),
      runs: [...undoButton(undoLine(change)), ...vesselButtons(imo)],
    },
  };
}

const undoLine = (change: ReferencesChange): string =>
  formatReferencesChange({ ...change, change: change.change === 'remove' ? 'add' : 'remove' });

function advice(vessel: string, isWatched: boolean, { registry }: AskCtx): Text[] {
  const list = registry.lineOf(allPromises);
  return [
    isWatched
      ? `The watches of ${vessel} alert when it breaks`
      : `Nobody is alerted when it breaks until ${vessel} is watched`,
    ...(list === undefined ? [] : [['All promises: ', { code: `/${list}` }]]),
  ];
}

/** Whether a watch that the person may list follows the vessel. */
async function isWatchedHere(imo: Imo, ctx: AskCtx): Promise<boolean> {
  const { store, access } = ctx.services;
  const filter = await filterByScope('all', actorIn(ctx), access);
  const { kind, key } = toColumns({ kind: 'vessel', imo });
  const found = await selectFollowed(store)
    .innerJoin(...store.join('watches', 'watches.id', 'followings.watch_id'))
    .select('watches.id')
    .where('subjects.kind', '=', kind)
    .where('subjects.key', '=', key)
    .where(matchesScope(filter))
    .executeTakeFirst();
  return found !== undefined;
}
