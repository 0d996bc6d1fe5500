import { watchesIn } from '../../answers/answer.ts';
import { counted, vesselShort } from '../../answers/formatting/words.ts';
import { UserError } from '../../errors.ts';
import type { Imo, VesselGroup } from '../../reference/codes.ts';
import { foldTight } from '../../reference/nearest.ts';
import { type AskCtx, knownVessel } from '../ctx.ts';
import { getFleet } from '../fleets/index.ts';
import { readWatched } from '../history/index.ts';
import type { ScopeFilter } from '../scope.ts';

interface FoundGroup {
  /** `EVER GIVEN`, `3 vessels`, `Fleet NORTH`. */
  title: string;
  imos: readonly Imo[];
}

interface Asked {
  filter: ScopeFilter;
  /** The line about other vessels; without words, about all that are watched. */
  lineOf: (words: string) => string;
}

/** The vessels that a question about watches names. Throws UserError for an unknown fleet, or a list that isn't watched. */
export async function findGroup(group: VesselGroup, asked: Asked, ctx: AskCtx): Promise<FoundGroup> {
  switch (group.kind) {
    case 'fleet': {
      const { name, imos } = await getFleet(group.name, asked.lineOf, ctx);
      return { title: `Fleet ${name}`, imos };
    }
    case 'list':
      return await findList(group.name, asked, ctx);
    case 'vessels': {
      const [imo, ...others] = group.imos;
      const title =
        others.length === 0
          ? vesselShort(knownVessel(imo, ctx.vessels))
          : counted(group.imos.length, 'vessel');
      return { title, imos: group.imos };
    }
  }
}

/** A watched list, by its name as it is typed, or as the provider spells it. */
async function findList(
  typed: string,
  { filter, lineOf }: Asked,
  { services, registry }: AskCtx,
): Promise<FoundGroup> {
  const lists = (await readWatched(services.store, filter)).flatMap(({ subject, imos }) =>
    subject.kind === 'shiplist' ? [{ name: subject.name, imos }] : [],
  );
  const list =
    lists.find(({ name }) => name === typed) ??
    lists.find(({ name }) => foldTight(name) === foldTight(typed));
  if (list) return { title: `List ${list.name}`, imos: list.imos };
  const listed = registry.lineOf(watchesIn({ scope: 'channel' }));
  throw new UserError({
    code: 'unknown-list',
    message: `No list called ${typed} is watched here, so its vessels aren't known.`,
    hint: 'Predictions are stored while a list or its vessels are watched.',
    choices: [
      { label: 'Watched vessels', line: lineOf('') },
      ...(listed === undefined ? [] : [{ label: 'List the watches', line: listed }]),
    ],
  });
}
