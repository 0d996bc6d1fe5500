import { createHash } from 'node:crypto';
import { UserError } from '../../errors.ts';
import type { LineContext, ParsedLine, Privacy } from '../../features/command.ts';
import { DeadlineError, withinDeadline } from '../../features/deadline.ts';
import type { BoundAction } from '../../features/feature.ts';
import type { Place, RunContext } from '../../features/run-context.ts';
import type { Logger } from '../../log.ts';
import type { Destination } from '../../messages/destination.ts';
import { withoutShare } from '../../messages/frame/answer-actions.ts';
import { refreshedNote, utcNote, withNote, withSharer } from '../../messages/frame/small-print.ts';
import type { Message, Reader } from '../../messages/message.ts';
import type { Person } from '../../workspaces/person.ts';
import type { Visibility } from '../../workspaces/settings.ts';
import type { Lookups } from '../people/lookups.ts';
import type { Ask } from './ask.ts';
import type { Refreshes } from './refreshes.ts';
import type { WorkspaceEdge } from './workspace-edge.ts';

/** A parsed line or an action, ready to run. */
export interface Work extends BoundAction {
  /** For a button that runs it again. */
  line?: string;
  visibility?: Visibility;
  privacy?: Privacy;
}

/** An ask whose kind of channel is known. */
export type PlacedAsk = Ask & { destination: Destination };

interface WorkDeps {
  workspace: WorkspaceEdge;
  lookups: Lookups;
  refreshes: Refreshes;
  realNow: () => number;
  logger: Logger;
}

/** Throws UserError for a line that can't be parsed, or that a button must not run. */
export async function prepareWork(
  { line, ...ask }: Ask,
  { vessels, deps }: { vessels: RunContext['vessels']; deps: WorkDeps },
): Promise<Work> {
  if (typeof line !== 'string') return line;
  const about = await vesselsOf(ask, deps);
  const parsed = deps.workspace.parseLine(line, { vessels, about });
  checkRepeatable(ask.surface, parsed);
  return { name: parsed.line, ...parsed };
}

/** The vessels that a thread is about; none if that can't be read: the line then has to name its vessel. */
async function vesselsOf(
  { channelId, threadTs }: Omit<Ask, 'line'>,
  { workspace, logger }: WorkDeps,
): Promise<NonNullable<LineContext['about']>> {
  if (threadTs === undefined) return [];
  try {
    const thread = { channelId, threadTs };
    const found = await Promise.all(
      workspace.all.map(({ vesselsOfThread }) => vesselsOfThread?.(thread) ?? []),
    );
    return found.flat();
  } catch (error) {
    logger.warn({ err: error }, "a thread's vessels can't be read");
    return [];
  }
}

/** Refresh and Share run a line again, so an old or forged button must not change anything through them. */
export function checkRepeatable(surface: Ask['surface'], { line, repeatable }: ParsedLine): void {
  if (repeatable || (surface !== 'refresh' && surface !== 'share')) return;
  throw new UserError({
    code: 'not-allowed',
    message: `This can't be ${surface === 'share' ? 'shared' : 'refreshed'}, so nothing was done.`,
    hint: 'Type it behind a slash instead.',
    example: line,
  });
}

/** Returns the message to show; undefined if the work has no answer. */
export async function runWork(
  work: Work,
  context: {
    ask: PlacedAsk;
    person: Person;
    visibility: Visibility;
    vessels: RunContext['vessels'];
    deadlineMs: number;
    deps: WorkDeps;
  },
): Promise<Message | undefined> {
  const { ask, person, visibility, vessels, deadlineMs, deps } = context;
  const { workspace, lookups, refreshes } = deps;
  const { now, source } = workspace;
  const refresh = ask.surface === 'refresh' ? refreshes.claim(work.name) : undefined;
  const audience = visibility === 'public' ? lookups.audienceOf(ask.channelId) : ('private' as const);
  const seenByAll = isSeenByAll({ ...ask, visibility }, lookups);
  try {
    const answered = await withinDeadline(deadlineMs, (signal, withDeadlinePaused) =>
      work.run({
        vessels,
        now,
        source,
        actor: { userId: ask.user.id, isAdmin: person.isAdmin, zone: person.zone },
        place: placeOf(ask),
        ...(ask.key !== undefined && { idempotencyKey: hashOf(workspace.workspaceId, ask.key) }),
        fresh: refresh?.granted ?? false,
        signal,
        withDeadlinePaused,
      }),
    );
    if (!answered) return undefined;
    const view = answered.view(readerOf(person, await audience, workspace));
    const shown = (await seenByAll) ? withoutShare(view) : view;
    const message = person.zone === undefined && work.line !== undefined ? withNote(shown, utcNote) : shown;
    if (ask.surface === 'share') return withSharer(message, person.name);
    return refresh && !refresh.granted ? withNote(message, refreshedNote(refresh.agoMs)) : message;
  } catch (error) {
    if (refresh?.granted) refreshes.release(work.name);
    throw error instanceof DeadlineError ? workspace.toServiceTrouble(error) : error;
  }
}

/** Has everybody seen the answer, so that there is nobody left to share it with? */
async function isSeenByAll(
  { visibility, inThread, user, channelId, destination }: PlacedAsk,
  { directMessageOf }: Lookups,
): Promise<boolean> {
  if (visibility === 'public') return !inThread;
  if (destination !== 'direct-message') return false;
  return (await directMessageOf(user.id).catch(() => undefined)) === channelId;
}

function placeOf({ surface, channelId, destination, threadTs }: PlacedAsk): Place {
  const mayHaveLeft = surface === 'form' && destination === 'channel';
  return { channelId, destination, mayHaveLeft, ...(threadTs !== undefined && { threadTs }) };
}

export function readerOf(
  person: Person,
  audience: Reader['audience'],
  { now, source }: WorkspaceEdge,
): Reader {
  return { now: now(), zone: person.zone ?? 'UTC', source, audience };
}

/** The same id for the same words, in every process. */
function hashOf(...words: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(words)).digest('hex');
  return hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
