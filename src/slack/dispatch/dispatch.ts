import { setImmediate } from 'node:timers/promises';
import { UserError } from '../../errors.ts';
import { createFairQueue } from '../../fair-queue.ts';
import { OutsidersQuestion } from '../../features/outsiders.ts';
import { directoryFor } from '../../features/run-context.ts';
import { type Logger, referenceToShow } from '../../log.ts';
import type { AnswerOutcome, Measure } from '../../measure.ts';
import { failureView } from '../../messages/frame/failure.ts';
import { pausedNotice, shareQuestion } from '../../messages/frame/notices.ts';
import { outsidersQuestion } from '../../messages/frame/outsiders-question.ts';
import { organisationAdminsNote, withNote } from '../../messages/frame/small-print.ts';
import type { Message } from '../../messages/message.ts';
import type { Person } from '../../workspaces/person.ts';
import type { Visibility } from '../../workspaces/settings.ts';
import { type Installation, membershipOf } from '../connection/installation.ts';
import { admit } from '../people/admit.ts';
import type { Lookups } from '../people/lookups.ts';
import { slackCode } from '../posting/slack-errors.ts';
import { type Ask, destinationOf, type Replies } from './ask.ts';
import { createVisibility } from './visibility.ts';
import { createWorker, readerOf, type Work } from './work.ts';
import type { WorkspaceEdge } from './workspace-edge.ts';

export interface Timing {
  /** When “Working on it …” is shown. */
  workingMs: number;
  /** For a whole command. */
  deadlineMs: number;
}

export type Dispatch = (ask: Ask, replies: Replies) => Promise<void>;

interface Outcome {
  /** Undefined for no answer. */
  message: Message | undefined;
  reply: 'answer' | 'failure' | 'decline';
  visibility: Visibility;
  level: 'info' | 'error';
  /** For the log. */
  fields: { outcome: string; line?: string | undefined } & Record<string, unknown>;
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
  // One piece of work starts per turn of the event loop, which can acknowledge deliveries in between.
  const starts = createFairQueue({ max: () => 1 });
  const visibilityOf = createVisibility({ visibilityIn: workspace.visibilityIn, lookups, logger });
  const worker = createWorker(deps);

  return async (ask, replies) => {
    const startedAt = realNow();
    let visibility: Visibility = 'private';
    const slowNotice = noticeAfter(timing.workingMs, () => replies.working(visibility));
    await starts.run(() => setImmediate());
    const onVisibility = (decided: Visibility) => {
      visibility = decided;
    };
    const outcome = await settle(ask, { startedAt, onVisibility }).finally(slowNotice.cancel);
    await slowNotice.sent();
    const { level, fields } = outcome;
    const command = commandOf(ask, outcome);
    // Words that Landfall doesn't understand may be meant for somebody else, so only the command is named.
    const known = fields.line === undefined && command !== undefined ? { command } : {};
    const ms = Math.round(realNow() - startedAt);
    logger[level]({ surface: ask.surface, ...known, ...fields, ms }, 'command');
    const measureAs = (result: AnswerOutcome) =>
      measure({ kind: 'answer', command, outcome: result, ms: realNow() - startedAt });
    try {
      await send(outcome, replies);
      measureAs(measuredOutcome(outcome));
    } catch (error) {
      measureAs('failed');
      await reportUnsent(error, { ask, visibility: outcome.visibility, replies });
    }
  };

  /** Undefined for a button that is no line, or a form. */
  function commandOf({ line }: Ask, { fields }: Outcome): string | undefined {
    const typed = fields.line ?? (typeof line === 'string' ? line : '');
    const [, word = ''] = /^\s*(?:landfall\s+)?(\S+)/i.exec(typed) ?? [];
    return workspace.commands.find(({ name }) => name === word.toLowerCase())?.name;
  }

  /** `onVisibility` is called before the work runs. */
  async function settle(
    ask: Ask,
    { startedAt, onVisibility }: { startedAt: number; onVisibility(visibility: Visibility): void },
  ): Promise<Outcome> {
    const person = await personOf(ask.user.id);
    let work: Work | undefined;
    let visibility: Visibility = ask.visibility === 'unless-personal' ? 'public' : 'private';
    try {
      if (await workspace.isPaused()) {
        const fields = { outcome: 'paused' };
        return { message: pausedNotice, reply: 'decline', visibility: 'private', level: 'info', fields };
      }
      const admission = await admit(membershipOf(ask.user, installation), person, workspace.guestRights);
      if (admission.kind === 'declined') {
        const { notice: message, outcome } = admission;
        return { message, reply: 'decline', visibility: 'private', level: 'info', fields: { outcome } };
      }
      workspace.recordUse();
      const asksOnly = admission.kind === 'ask-only';
      const actor = { userId: ask.user.id, isAdmin: person.isAdmin, zone: person.zone, asksOnly };
      const vessels = directoryFor(actor, await workspace.vessels());
      work = await worker.prepare(ask, vessels);
      if (asksOnly && !(work.onlyAsks ?? work.repeatable)) throw admission.refusal;
      visibility = await visibilityOf({ ...ask, destination: destinationOf(ask) }, work);
      onVisibility(visibility);
      if (ask.needsConfirmation) {
        const fields = { outcome: 'asked first', line: work.name };
        return { message: shareQuestion(work.name), reply: 'failure', visibility, level: 'info', fields };
      }
      const deadlineMs = Math.max(1, timing.deadlineMs - (realNow() - startedAt));
      const message = await worker.run(work, { ask, person, actor, visibility, vessels, deadlineMs });
      const fields = { outcome: 'answered', line: work.name };
      return { message, reply: 'answer', visibility, level: 'info', fields };
    } catch (error) {
      if (error instanceof UserError && error.isPersonal) visibility = 'private';
      const question = error instanceof OutsidersQuestion && questionOf(error, ask, work);
      if (question) {
        const fields = { outcome: 'asked first', line: work?.name };
        return { message: question, reply: 'failure', visibility, level: 'info', fields };
      }
      return { ...failureOf(error, ask, { person, typed: work?.line }), visibility };
    }
  }

  function failureOf(
    error: unknown,
    ask: Ask,
    { person, typed }: { person: Person; typed: string | undefined },
  ): Omit<Outcome, 'visibility'> {
    const ref = referenceToShow();
    const line = typed === undefined ? {} : { line: typed };
    const failure = failureView(error, {
      ref,
      reader: readerOf(person, 'private', workspace),
      isAdmin: person.isAdmin,
      withoutSlash: (ask.inThread ?? false) && destinationOf(ask) === 'direct-message',
      ...line,
    });
    const mayLackRights = error instanceof UserError && /^(?:not-allowed|no-account)$/.test(error.code);
    const message = person.mayBeAdmin && mayLackRights ? withNote(failure, organisationAdminsNote) : failure;
    const common = { message, reply: 'failure' as const };
    return error instanceof UserError
      ? { ...common, level: 'info', fields: { outcome: 'refused', code: error.code } }
      : { ...common, level: 'error', fields: { outcome: 'failed', ref, err: error, ...line } };
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

function measuredOutcome({ reply, fields }: Outcome): AnswerOutcome {
  if (reply === 'answer') return 'answered';
  if (reply === 'decline') return 'declined';
  if (fields.outcome === 'asked first') return 'asked_first';
  return fields.outcome === 'refused' ? 'refused' : 'failed';
}

/** Undefined if no button can repeat the request. */
function questionOf({ details }: OutsidersQuestion, ask: Ask, work: Work | undefined): Message | undefined {
  const repeated = work?.pressed ?? (work?.line === undefined ? undefined : { value: work.line });
  const again = details.again ?? repeated;
  return again && outsidersQuestion({ ...details, again, isHere: details.channelId === ask.channelId });
}

async function send({ reply, visibility, message }: Outcome, replies: Replies): Promise<void> {
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
