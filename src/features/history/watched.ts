import { z } from 'zod';
import { createYieldToEventLoop } from '../../database/batches.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { type Imo, isImo } from '../../reference/codes.ts';
import { type Access, type Actor, notInChannel } from '../../workspaces/permissions.ts';
import { matchesScope, type ScopeFilter } from '../owned/scope.ts';
import { fromColumns, type Subject } from './subject.ts';

/** The subjects that watches of a workspace follow, with their states. */
export const selectFollowed = (store: WorkspaceStore) =>
  store.selectFrom('followings').innerJoin(...store.join('subjects', 'subjects.id', 'followings.subject_id'));

interface Watched {
  subject: Subject;
  /** The vessel, or those that the list had in its last answer. */
  imos: readonly Imo[];
  /** By the rule “until next port”. */
  isEnded: boolean;
}

/** The vessels and lists that are watched in a scope. A watch of a port, or of vessels at a port, counts as watching neither. */
export async function readWatched(store: WorkspaceStore, filter: ScopeFilter): Promise<Watched[]> {
  const rows = await selectFollowed(store)
    .innerJoin(...store.join('watches', 'watches.id', 'followings.watch_id'))
    .select(['kind', 'key', 'state', 'status'])
    .where('kind', '!=', 'port')
    .where('condition', 'is', null)
    .where(matchesScope(filter))
    .orderBy('created_at')
    .orderBy('watches.id')
    .execute();
  const yieldToEventLoop = createYieldToEventLoop();
  const watched: Watched[] = [];
  for (const { state, status, ...columns } of rows) {
    await yieldToEventLoop();
    const subject = fromColumns(columns);
    if (!subject) continue;
    const imos = subject.kind === 'vessel' ? [subject.imo] : vesselsIn(state);
    watched.push({ subject, imos, isEnded: status === 'ended' });
  }
  return watched;
}

/** The part of a watch's state that names the vessels of a list. */
const stateOfVessels = z.object({ vessels: z.record(z.string(), z.unknown()) });

const vesselsIn = (state: unknown): Imo[] =>
  Object.keys(stateOfVessels.safeParse(state).data?.vessels ?? {})
    .map(Number)
    .filter(isImo);

type WatchedBy = { channelId: string } | { ownerId: string };

interface Services {
  store: WorkspaceStore;
  access: Pick<Access, 'mayUse'>;
}

const mayAsk = async (by: WatchedBy, actor: Actor, { access }: Services): Promise<boolean> =>
  !('channelId' in by) || (await access.mayUse(by.channelId, actor));

const readActive = async (by: WatchedBy, { store }: Services): Promise<Watched[]> =>
  (await readWatched(store, by)).filter(({ isEnded }) => !isEnded);

/** What a channel or a person watches, with the vessels of lists; sorted by IMO number. Throws UserError for a non-member. */
export async function watchedVessels(by: WatchedBy, actor: Actor, services: Services): Promise<Imo[]> {
  if (!(await mayAsk(by, actor, services))) throw notInChannel({ saves: false });
  const imos = (await readActive(by, services)).flatMap((watched) => watched.imos);
  return [...new Set(imos)].sort((imo, otherImo) => imo - otherImo);
}

/** The provider's lists that are watched there; none for a non-member. */
export async function watchedLists(by: WatchedBy, actor: Actor, services: Services): Promise<string[]> {
  if (!(await mayAsk(by, actor, services))) return [];
  const watched = await readActive(by, services);
  return [...new Set(watched.flatMap(({ subject }) => (subject.kind === 'shiplist' ? subject.name : [])))];
}
