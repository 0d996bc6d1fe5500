import { formatSchedule } from '../digests/schedule-words.ts';
import type { RunContext } from '../feature.ts';
import { serviceState } from '../help/status.ts';
import { keptOf } from '../stored.ts';
import { type HomeAnswer, type HomeNames, type HomePlace, homeRowsPerPage } from './view.ts';

/** What a person finds on the Home tab: all of it from the store, nothing is asked of the service. */
export async function askHome(place: HomePlace, context: RunContext): Promise<HomeAnswer> {
  const { kept, actor } = keptOf(context);
  const { section, scope } = place;
  const pageIn = (rows: HomePlace['section']) =>
    section === rows
      ? { limit: homeRowsPerPage, offset: (place.page - 1) * homeRowsPerPage }
      : { limit: 1, offset: 0 };
  const [watches, digests, names] = await Promise.all([
    kept.watches.list({ scope, channelId: actor.channelId }, actor, {
      ...pageIn('watches'),
      withLatest: true,
    }),
    kept.digests.listFor(scope, actor, pageIn('digests')),
    namesOf(pageIn('names'), context),
  ]);
  const totals = { watches: watches.total, digests: digests.total, names: names.total };
  const last = Math.max(1, Math.ceil(totals[section] / homeRowsPerPage));
  // A page beyond the end is the last one: something was stopped meanwhile.
  if (place.page > last) return await askHome({ ...place, page: last }, context);
  const maySeeCosts = context.settings.usageFor === 'everyone' || context.actor.isAdmin;
  return {
    place,
    totals,
    watches: watches.watches,
    digests: digests.digests.map((digest) => ({ digest, when: formatSchedule(digest) })),
    names: names.names,
    state: serviceState(context),
    ...(maySeeCosts && { plan: watches.plan }),
  };
}

async function namesOf(
  { limit, offset }: { limit: number; offset: number },
  context: RunContext,
): Promise<{ names: HomeNames; total: number }> {
  const { kept } = keptOf(context);
  const { workspaceId } = context;
  const [named, fleets] = await Promise.all([kept.names.list(workspaceId), kept.fleets.list(workspaceId)]);
  const names = named.slice(offset, offset + limit).map((vessel) => ({
    ...vessel,
    fleets: fleets.filter(({ imos }) => imos.includes(vessel.imo)).map(({ name }) => name),
  }));
  return { names, total: named.length };
}
