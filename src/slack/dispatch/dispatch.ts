import { setImmediate } from 'node:timers/promises';
import { UserError } from '../../errors.ts';
import { createFairQueue } from '../../fair-queue.ts';
import { OutsidersQuestion } from '../../features/outsiders.ts';
import { type Logger, referenceToShow } from '../../log.ts';
import { type AnswerOutcome, type Measure, measureNothing } from '../../measure.ts';
import { failureView } from '../../messages/frame/failure.ts';
import { pausedNotice, shareQuestion } from '../../messages/frame/notices.ts';
import { outsidersQuestion } from '../../messages/frame/outsiders-question.ts';
import { organisationAdminsNote, withNote } from '../../messages/frame/small-print.ts';
import type { Message } from '../../messages/message.ts';
import { createRunLine } from '../../run/run-line.ts';
import type { Person } from '../../workspaces/person.ts';
import type { Visibility } from '../../workspaces/settings.ts';
import { type Installation, membershipOf } from '../connection/installation.ts';
import { admit } from '../people/admit.ts';
import type { Lookups } from '../people/lookups.ts';
import { slackCode } from '../posting/slack-errors.ts';
import { type Ask, destinationOf, type Replies } from './ask.ts';
import { createVisibility } from './visibility.ts';
import { createWorker, readerOf, type Shown } from './work.ts';
import type { WorkspaceEdge } from './workspace-edge.ts';

export interface Timing {
  /** When “Working on it …” is shown. */
  workingMs: number;
  /** For a whole command. */
  deadlineMs: number;
}

export type Dispatch = (ask: Ask, replies: Replies) => Promise<void>;

/** What is said of a request, and to whom. */
interface Settled {
  /** Undefined for no answer. */
  message: Message | undefined;
  reply: 'answer' | 'failure' | 'decline';
  visibility: Visibility;
  measured: AnswerOutcome;
  /** For the metrics; undefined for a button that is no line, or a form. */
  command: string | undefined;
}

/** A person whom Landfall does not serve, or a workspace that is paused. `outcome`: for the log. */
class Declined extends Error {
  override readonly name = 'Declined';
  readonly notice: Message;
  readonly outcome: string;

  constructor(notice: Message, outcome: string) {
    super(notice.text);
    this.notice = notice;
    this.outcome = outcome;
  }
}

/** The person is asked first. */
class AskFirst extends Error {
  override readonly name = 'AskFirst';
}

/** Runs a person's request and answers it exactly once. All errors are caught here. */
export function createDispatch(deps: {
  workspace: WorkspaceEdge;
  installation: Installation;
  lookups: Lookups;
  isAgent: boolean;
  realNow: () => number;
  timing: Timing;
  measure: Measure;
  logger: Logger;
}): Dispatch {
  const { workspace, installation, lookups, realNow, timing, measure, logger } = deps;
  const { personOf } = lookups;
  const starts = createFairQueue({ max: () => 1 });
  const visibilityOf = createVisibility({ visibilityIn: workspace.visibilityIn, lookups, logger });
  const worker = createWorker(deps);
  const runLine = createRunLine({
    ...workspace,
    ...{ realNow, logger, deadlineMs: timing.deadlineMs },
    // Measured when Slack has accepted the answer.
    measure: measureNothing,
  });

  return async (ask, replies) => {
    const startedAt = realNow();
    let visibility: Visibility = 'private';
    const slowNotice = noticeAfter(timing.workingMs, () => replies.working(visibility));
    await starts.run(() => setImmediate());
    const onVisibility = (decided: Visibility) => {
      visibility = decided;
    };
    const settled = await settle(ask, { startedAt, onVisibility }).finally(slowNotice.cancel);
    await slowNotice.sent();
    const { command } = settled;
    const measureAs = (outcome: AnswerOutcome) =>
      measure({ kind: 'answer', command, outcome, ms: realNow() - startedAt });
    try {
      await send(settled, replies);
      measureAs(settled.measured);
    } catch (error) {
      measureAs('failed');
      await reportUnsent(error, { ask, visibility: settled.visibility, replies });
    }
  };

  /** `onVisibility` is called before the work runs. */
  async function settle(
    ask: Ask,
    { startedAt, onVisibility }: { startedAt: number; onVisibility(visibility: Visibility): void },
  ): Promise<Settled> {
    const person = await personOf(ask.user.id);
    let visibility: Visibility = ask.visibility === 'unless-personal' ? 'public' : 'private';
    const typedCommand = commandIn(typeof ask.line === 'string' ? ask.line : '');
    const outcome = await runLine<Shown, Message | undefined>({
      surface: ask.surface,
      startedAt,
      // Words that Landfall doesn't understand may be meant for somebody else, so only the command is named.
      fieldsUnread: typedCommand === undefined ? {} : { command: typedCommand },
      async who() {
        if (await workspace.isPaused()) throw new Declined(pausedNotice, 'paused');
        const admission = await admit(membershipOf(ask.user, installation), person, workspace.guestRights);
        if (admission.kind === 'declined') throw new Declined(admission.notice, admission.outcome);
        workspace.recordUse();
        const asksOnly = admission.kind === 'ask-only';
        return {
          ctx: workspace.ctx,
          actor: { userId: ask.user.id, isAdmin: person.isAdmin, zone: person.zone, asksOnly },
          audience: 'private',
          async admit(work) {
            if (admission.kind === 'ask-only' && !(work.onlyAsks ?? work.repeatable)) throw admission.refusal;
            visibility = await visibilityOf({ ...ask, destination: destinationOf(ask) }, work);
            onVisibility(visibility);
            if (ask.needsConfirmation) throw new AskFirst();
          },
        };
      },
      read: async ({ vessels }) => worker.prepare(ask, { vessels, person, visibility: () => visibility }),
      render: (message) => message,
      outcomeOf(error) {
        if (error instanceof Declined) return { logged: error.outcome, measured: 'declined' };
        const isQuestion = error instanceof AskFirst || error instanceof OutsidersQuestion;
        return isQuestion ? { logged: 'asked first', measured: 'asked_first' } : undefined;
      },
    });
    const { measured, prepared: work } = outcome;
    const command = commandIn(work?.name ?? '') ?? typedCommand;
    const said = { visibility, measured, command };
    if (outcome.kind === 'answered') return { message: outcome.rendered, reply: 'answer', ...said };
    const { error } = outcome;
    if (error instanceof Declined)
      return { ...said, message: error.notice, reply: 'decline', visibility: 'private' };
    if (error instanceof AskFirst)
      return { message: shareQuestion(work?.name ?? ''), reply: 'failure', ...said };
    const isPersonal = error instanceof UserError && error.isPersonal;
    const shown = { ...said, visibility: isPersonal ? ('private' as const) : visibility };
    const question = error instanceof OutsidersQuestion && questionOf(error, ask, work);
    if (question) return { message: question, reply: 'failure', ...shown };
    return { message: failureOf(outcome, { ask, person, typed: work?.line }), reply: 'failure', ...shown };
  }

  /** Undefined for a button that is no line, or a form. */
  function commandIn(typed: string): string | undefined {
    const [, word = ''] = /^\s*(?:landfall\s+)?(\S+)/i.exec(typed) ?? [];
    return workspace.commands.find(({ name }) => name === word.toLowerCase())?.name;
  }

  function failureOf(
    { error, ref }: { error: unknown; ref: string },
    { ask, person, typed }: { ask: Ask; person: Person; typed: string | undefined },
  ): Message {
    const failure = failureView(error, {
      ref,
      reader: readerOf(person, 'private', workspace),
      isAdmin: person.isAdmin,
      withoutSlash: (ask.inThread ?? false) && destinationOf(ask) === 'direct-message',
      ...(typed !== undefined && { line: typed }),
    });
    const mayLackRights = error instanceof UserError && /^(?:not-allowed|no-account)$/.test(error.code);
    return person.mayBeAdmin && mayLackRights ? withNote(failure, organisationAdminsNote) : failure;
  }

  /** Tells the person that Slack refused the answer. Without a code from Slack the answer may be there: no message. */
  async function reportUnsent(
    error: unknown,
    { ask, visibility, replies }: { ask: Ask; visibility: Visibility; replies: Replies },
  ): Promise<void> {
    const ref = referenceToShow();
    logger.error({ surface: ask.surface, ref, err: error }, 'Slack refused the answer');
    if (slackCode(error) === undefined) return;
    const reader = readerOf(await personOf(ask.user.id), 'private', workspace);
    await replies.failure(failureView(error, { ref, reader }), visibility);
  }
}

/** Undefined if no button can repeat the request. */
function questionOf({ details }: OutsidersQuestion, ask: Ask, work: Shown | undefined): Message | undefined {
  const repeated = work?.pressed ?? (work?.line === undefined ? undefined : { value: work.line });
  const again = details.again ?? repeated;
  return again && outsidersQuestion({ ...details, again, isHere: details.channelId === ask.channelId });
}

async function send({ reply, visibility, message }: Settled, replies: Replies): Promise<void> {
  if (!message) return;
  if (reply === 'answer') return replies.answer(message, visibility);
  if (reply === 'decline' && replies.decline) return replies.decline(message);
  return replies.failure(message, visibility);
}

/** Sends a notice if the work is slow. A failed notice does not fail the answer. */
function noticeAfter(delayMs: number, notify: () => Promise<void>) {
  let sending: Promise<void> | undefined;
  const timer = setTimeout(() => {
    sending = notify().catch(() => undefined);
  }, delayMs);
  return { cancel: () => clearTimeout(timer), sent: async () => sending };
}
