import { UserError } from '../../errors.ts';
import type { LineContext, Privacy } from '../../features/command.ts';
import { DeadlineError, withinDeadline } from '../../features/deadline.ts';
import type { BoundAction } from '../../features/feature.ts';
import type { Place, RunContext } from '../../features/run-context.ts';
import type { Logger } from '../../log.ts';
import { withoutShare } from '../../messages/frame/answer-actions.ts';
import { failureView } from '../../messages/frame/failure.ts';
import { shareQuestion } from '../../messages/frame/notices.ts';
import { refreshedNote, utcNote, withNote, withSharer } from '../../messages/frame/small-print.ts';
import type { Message, Reader } from '../../messages/message.ts';
import type { Person } from '../../workspaces/person.ts';
import { admit } from '../people/admit.ts';
import type { Audiences } from '../people/audiences.ts';
import type { IsOwnDm } from '../people/own-dms.ts';
import type { People } from '../people/people.ts';
import { SlackRefusal } from '../posting/deliver.ts';
import type { Ask, Replies } from './ask.ts';
import { idOf } from './id-of.ts';
import type { Refreshes } from './refreshes.ts';
import { refuseChanging } from './refuse-changing.ts';
import type { VisibilityOf } from './visibility.ts';
import type { WorkspaceEdge } from './workspace-edge.ts';
import type { YieldToEventLoop } from './yield-to-event-loop.ts';

export interface Timing {
  /** When «Working on it …» is shown. */
  workingMs: number;
  /** A command has this long in all. */
  deadlineMs: number;
}

interface DispatchDeps {
  workspace: WorkspaceEdge;
  people: People;
  audiences: Audiences;
  isOwnDm: IsOwnDm;
  visibilityOf: VisibilityOf;
  refreshes: Refreshes;
  yieldToEventLoop: YieldToEventLoop;
  realNow: () => number;
  newRef: () => string;
  timing: Timing;
  logger: Logger;
}

export type Dispatch = (ask: Ask, replies: Replies) => Promise<void>;

interface Outcome {
  /** Undefined: no answer. */
  message: Message | undefined;
  reply: 'answer' | 'failure' | 'decline';
  /** Who may see the message. */
  visibility: 'private' | 'public';
  log: { level: 'info' | 'warn' | 'error'; fields: Record<string, unknown> };
}

/** Runs what was asked and answers exactly once. The one place that catches. */
export function createDispatch(deps: DispatchDeps): Dispatch {
  const { realNow, timing, logger } = deps;

  return async (ask, replies) => {
    const startedAt = realNow();
    let visibility: 'private' | 'public' | undefined;
    const slow = noticeAfter(timing.workingMs, () => replies.working(visibility ?? 'private'));
    await deps.yieldToEventLoop();
    const known = (by: 'private' | 'public') => {
      visibility = by;
    };
    const outcome = await settle(ask, { ...deps, startedAt, known }).finally(slow.cancel);
    await slow.sent();
    const { level, fields } = outcome.log;
    logger[level]({ surface: ask.surface, ...fields, ms: Math.round(realNow() - startedAt) }, 'command');
    try {
      await send(outcome, replies);
    } catch (error) {
      await lastResort(error, { ask, visibility: outcome.visibility, replies, deps });
    }
  };
}

async function send({ reply, visibility, message }: Outcome, replies: Replies): Promise<void> {
  if (!message) return;
  if (reply === 'decline') return replies.decline(message);
  return replies[reply](message, visibility);
}

/** `known`: called as soon as the answer's visibility is known. */
type Running = DispatchDeps & { startedAt: number; known(visibility: 'private' | 'public'): void };

async function settle(ask: Ask, deps: Running): Promise<Outcome> {
  const person = await deps.people.of(ask.userId);
  let work: Work | undefined;
  let visibility: Outcome['visibility'] = ask.visibility === 'unless-personal' ? 'public' : 'private';
  try {
    const admission = await admit(ask.home, person, deps.workspace.guests);
    if (admission.kind === 'declined') {
      const { notice: message, outcome } = admission;
      return {
        message,
        reply: 'decline',
        visibility: 'private',
        log: { level: 'info', fields: { outcome } },
      };
    }
    const vessels = await deps.workspace.vessels();
    work = await prepare(ask, vessels, deps);
    if (admission.kind === 'asks' && !(work.onlyAsks ?? work.repeatable)) throw admission.refusal;
    visibility = await deps.visibilityOf(ask, work);
    deps.known(visibility);
    if (ask.asksFirst) {
      const fields = { outcome: 'asked first', line: work.name };
      return {
        message: shareQuestion(work.name),
        reply: 'failure',
        visibility,
        log: { level: 'info', fields },
      };
    }
    const message = await run(work, { ask, person, visibility, vessels, deps });
    const fields = { outcome: 'answered', line: work.name };
    return { message, reply: 'answer', visibility, log: { level: 'info', fields } };
  } catch (error) {
    if (error instanceof UserError && error.isPersonal) visibility = 'private';
    return { ...failed(error, { person, line: work?.line, deps }), visibility };
  }
}

interface Work extends BoundAction {
  /** For a button that runs it again. */
  line?: string;
  visibility?: 'private' | 'public';
  privacy?: Privacy;
}

async function prepare({ line, ...ask }: Ask, vessels: RunContext['vessels'], deps: Running): Promise<Work> {
  if (typeof line !== 'string') return line;
  const about = await vesselsOf(ask, deps);
  const prepared = deps.workspace.parseLine(line, { vessels, about });
  refuseChanging(ask.surface, prepared);
  return { name: prepared.line, ...prepared };
}

/** The vessels that a thread is about; none if that can't be read: the line then has to name its vessel. */
async function vesselsOf(
  { channelId, threadTs }: Omit<Ask, 'line'>,
  { workspace, logger }: DispatchDeps,
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

async function run(
  work: Work,
  context: {
    ask: Ask;
    person: Person;
    visibility: 'private' | 'public';
    vessels: RunContext['vessels'];
    deps: Running;
  },
): Promise<Message | undefined> {
  const { ask, person, visibility, vessels, deps } = context;
  const { workspace, refreshes, timing, startedAt, realNow } = deps;
  const { now, source } = workspace;
  const leftMs = Math.max(1, timing.deadlineMs - (realNow() - startedAt));
  const refresh = ask.surface === 'refresh' ? refreshes.claim(work.name) : undefined;
  const audience = visibility === 'public' ? deps.audiences.of(ask.channelId) : ('private' as const);
  const seenByAll = isSeenByAll({ ...ask, visibility }, deps);
  try {
    const answered = await withinDeadline(leftMs, (signal, withDeadlinePaused) =>
      work.run({
        vessels,
        now,
        source,
        actor: { userId: ask.userId, isAdmin: person.isAdmin, zone: person.zone },
        place: placeOf(ask),
        ...(ask.key !== undefined && { idempotencyKey: idOf(workspace.workspaceId, ask.key) }),
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

/** Has everybody seen it, so that there is nobody left to share it with? */
async function isSeenByAll(
  { visibility, inThread, userId, channelId, destination }: Ask,
  { isOwnDm }: DispatchDeps,
): Promise<boolean> {
  if (visibility === 'public') return !inThread;
  return destination === 'direct-message' && (await isOwnDm(userId, channelId));
}

function placeOf({ surface, channelId, destination, threadTs }: Ask): Place {
  const mayHaveLeft = surface === 'form' && destination === 'channel';
  return { channelId, destination, mayHaveLeft, ...(threadTs !== undefined && { threadTs }) };
}

function failed(
  error: unknown,
  context: { person: Person; line: string | undefined; deps: DispatchDeps },
): Pick<Outcome, 'message' | 'reply' | 'log'> {
  const { person, line, deps } = context;
  const ref = deps.newRef();
  const reader = readerOf(person, 'private', deps.workspace);
  const message = failureView(error, { ref, reader, ...(line !== undefined && { line }) });
  if (error instanceof UserError) {
    return {
      message,
      reply: 'failure',
      log: { level: 'info', fields: { outcome: 'refused', code: error.code } },
    };
  }
  const fields = { outcome: 'failed', ref, err: error, ...(line !== undefined && { line }) };
  return { message, reply: 'failure', log: { level: 'error', fields } };
}

/**
 * Slack refused the answer: says so, with a reference that is in the log. After an unknown outcome (a cut connection)
 * it says nothing, since the answer may have been posted.
 */
async function lastResort(
  error: unknown,
  {
    ask,
    visibility,
    replies,
    deps,
  }: { ask: Ask; visibility: Outcome['visibility']; replies: Replies; deps: DispatchDeps },
): Promise<void> {
  const ref = deps.newRef();
  deps.logger.error({ surface: ask.surface, ref, err: error }, 'Slack refused the answer');
  if (!(error instanceof SlackRefusal)) return;
  const person = await deps.people.of(ask.userId);
  const message = failureView(error, { ref, reader: readerOf(person, 'private', deps.workspace) });
  await replies.failure(message, visibility);
}

function readerOf(person: Person, audience: Reader['audience'], { now, source }: WorkspaceEdge): Reader {
  return { now: now(), zone: person.zone ?? 'UTC', source, audience };
}

/** A failed notice does not fail the answer. */
function noticeAfter(delayMs: number, send: () => Promise<void>) {
  let sending: Promise<void> | undefined;
  const timer = setTimeout(() => {
    sending = send().catch(() => undefined);
  }, delayMs);
  return { cancel: () => clearTimeout(timer), sent: async () => sending };
}
