import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Message, Reader } from '../../answers/message.ts';
import { withoutShare } from '../../answers/slack/answer-actions.ts';
import {
  organisationAdminsNote,
  refreshedNote,
  understoodNote,
  utcNote,
  withNote,
  withSharer,
} from '../../answers/slack/answer-message.ts';
import { failureView } from '../../answers/slack/failure.ts';
import { outsidersQuestion, shareQuestion } from '../../answers/slack/notices.ts';
import { createCache } from '../../cache.ts';
import { UserError } from '../../errors.ts';
import { createFairQueue, type FairQueue } from '../../fair-queue.ts';
import type { AskCtx, Place } from '../../features/ctx.ts';
import { OutsidersQuestion } from '../../features/outsiders.ts';
import type { StateKey } from '../../features/services.ts';
import { referenceToShow } from '../../log.ts';
import { type AnswerOutcome, measureNothing } from '../../measure.ts';
import { type LineOutcome, runLine } from '../../run/run-line.ts';
import type { Person } from '../../workspaces/person.ts';
import type { Visibility } from '../../workspaces/settings.ts';
import type { SlackContext } from '../context.ts';
import { admit, Declined } from '../people/admit.ts';
import { slackCode } from '../posting/slack-errors.ts';
import { type Ask, audienceAround, destinationOf, isOwnDirectMessage, type Replies } from './ask.ts';
import { visibilityOf, type Work, workOf } from './work.ts';

/** The person is asked first. */
class AskFirst extends Error {
  override readonly name = 'AskFirst';
}

type Outcome = LineOutcome<Work, Message | undefined>;

const starts: StateKey<FairQueue> = { name: 'starts of commands' };

/** Runs a person's request and answers it exactly once. All errors are caught here. */
export async function dispatch(ask: Ask, replies: Replies, slack: SlackContext): Promise<void> {
  const { ctx, realNow, timing, measure, logger } = slack;
  const startedAt = realNow();
  let decided: Visibility | undefined;
  const slowNotice = noticeAfter(timing.workingMs, () => replies.working(decided ?? 'private'));
  await ctx.services.state(starts, () => createFairQueue({ max: () => 1 })).run(() => setImmediate());
  const person = await slack.lookups.personOf(ask.user.id);
  const typedCommand = commandIn(typeof ask.line === 'string' ? ask.line : '', slack);
  const onVisibility = (visibility: Visibility) => {
    decided = visibility;
  };
  const outcome = await run(ask, { startedAt, person, typedCommand, onVisibility }, slack).finally(
    slowNotice.cancel,
  );
  await slowNotice.sent();
  const visibility = isPrivate(outcome)
    ? 'private'
    : (decided ?? (ask.visibility === 'unless-personal' ? 'public' : 'private'));
  const command = commandIn(outcome.prepared?.name ?? '', slack) ?? typedCommand;
  const measureAs = (outcome: AnswerOutcome) =>
    measure({ kind: 'answer', command, outcome, ms: realNow() - startedAt });
  try {
    await send();
    measureAs(outcome.measured);
  } catch (error) {
    measureAs('failed');
    const ref = referenceToShow();
    logger.error({ surface: ask.surface, ref, err: error }, 'Slack refused the answer');
    // Without a code from Slack the answer may be there.
    if (slackCode(error) === undefined) return;
    await replies.failure(failureView(error, { ref, reader: privateReader(person, slack) }), visibility);
  }

  async function send(): Promise<void> {
    if (outcome.kind === 'answered') {
      if (outcome.rendered) await replies.answer(outcome.rendered, visibility);
      return;
    }
    const { error } = outcome;
    if (error instanceof Declined && replies.decline) return replies.decline(error.notice);
    await replies.failure(messageFor(outcome, { ask, person, slack }), visibility);
  }
}

/** Others must not read it, wherever the answer would have gone. */
const isPrivate = (outcome: Outcome): boolean =>
  outcome.kind === 'failed' &&
  (outcome.error instanceof Declined || (outcome.error instanceof UserError && outcome.error.isPersonal));

/** `onVisibility` is called before the work runs. */
async function run(
  ask: Ask,
  options: {
    startedAt: number;
    person: Person;
    typedCommand: string | undefined;
    onVisibility(visibility: Visibility): void;
  },
  slack: SlackContext,
): Promise<Outcome> {
  const { startedAt, person, typedCommand, onVisibility } = options;
  const { ctx, lookups, timing } = slack;
  const refreshes = ctx.services.state(refreshesKey, () => createRefreshes(slack));
  let visibility: Visibility = 'private';
  let refresh: Refresh | undefined;
  /** Then Share has no use. */
  let isSeenByAll: Promise<boolean> | undefined;
  const outcome = await runLine<Work, Message | undefined>(
    {
      surface: ask.surface,
      startedAt,
      // Words that Landfall doesn't understand may be meant for somebody else, so only the command is named.
      fieldsUnread: typedCommand === undefined ? {} : { command: typedCommand },
      async who() {
        const admitted = await admit(ask.user, person, slack);
        return {
          ...admitted,
          audience: 'private',
          async admit(work) {
            admitted.admit(work);
            visibility = await visibilityOf(ask, work, slack);
            onVisibility(visibility);
            if (ask.needsConfirmation) throw new AskFirst();
          },
        };
      },
      read: ({ vessels }) => workOf(ask, vessels, slack),
      async contextOf(work): Promise<Partial<AskCtx>> {
        refresh = ask.surface === 'refresh' ? refreshes.claim(work.name) : undefined;
        isSeenByAll =
          visibility === 'public' ? Promise.resolve(!ask.inThread) : isOwnDirectMessage(ask, lookups);
        const { key, allowsOutsidersIn } = ask;
        return {
          audience: visibility === 'public' ? await audienceAround(ask, lookups) : 'private',
          place: await placeOf(ask, visibility, slack),
          ...(key !== undefined && { idempotencyKey: hashOf(slack.workspaceId, key) }),
          fresh: refresh?.granted ?? false,
          ...(allowsOutsidersIn !== undefined && { allowsOutsidersIn }),
        };
      },
      async render(answer, { prepared: { line, understoodAs }, reader }) {
        if (!answer) return undefined;
        const view = answer.view(reader);
        const answered = understoodAs === undefined ? view : withNote(view, understoodNote(understoodAs));
        const seen = (await isSeenByAll) ? withoutShare(answered) : answered;
        const message = person.zone === undefined && line !== undefined ? withNote(seen, utcNote) : seen;
        if (ask.surface === 'share') return withSharer(message, person.name);
        return refresh?.granted === false ? withNote(message, refreshedNote(refresh.agoMs)) : message;
      },
      outcomeOf(error) {
        if (error instanceof Declined) return { logged: error.outcome, measured: 'declined' };
        const isQuestion = error instanceof AskFirst || error instanceof OutsidersQuestion;
        return isQuestion ? { logged: 'asked first', measured: 'asked_first' } : undefined;
      },
    },
    // Measured when Slack has accepted the answer.
    { ...ctx.services, deadlineMs: timing.deadlineMs, measure: measureNothing },
  );
  if (outcome.kind === 'failed' && refresh?.granted) refreshes.release(outcome.prepared?.name ?? '');
  return outcome;
}

async function placeOf(ask: Ask, visibility: Visibility, { lookups }: SlackContext): Promise<Place> {
  const { surface, channelId, threadTs } = ask;
  const destination = destinationOf(ask);
  const mayHaveLeft = surface === 'form' && destination === 'channel';
  const isShared =
    destination === 'direct-message' && visibility === 'public' && !(await isOwnDirectMessage(ask, lookups));
  return { channelId, destination, mayHaveLeft, isShared, ...(threadTs !== undefined && { threadTs }) };
}

/** Undefined for a button that is no line, or a form. */
function commandIn(typed: string, { commands }: SlackContext): string | undefined {
  const [, word = ''] = /^\s*(?:landfall\s+)?(\S+)/i.exec(typed) ?? [];
  return commands.find(({ name }) => name === word.toLowerCase())?.name;
}

function messageFor(
  { error, ref, prepared: work }: Extract<Outcome, { kind: 'failed' }>,
  { ask, person, slack }: { ask: Ask; person: Person; slack: SlackContext },
): Message {
  if (error instanceof Declined) return error.notice;
  if (error instanceof AskFirst) return shareQuestion(work?.name ?? '');
  const question = error instanceof OutsidersQuestion && questionOf(error, ask, work);
  if (question) return question;
  const failure = failureView(error, {
    ref,
    reader: privateReader(person, slack),
    isAdmin: person.isAdmin,
    withoutSlash: (ask.inThread ?? false) && destinationOf(ask) === 'direct-message',
    ...(work?.line !== undefined && { line: work.line }),
  });
  const mayLackRights = error instanceof UserError && /^(?:not-allowed|no-account)$/.test(error.code);
  return person.mayBeAdmin && mayLackRights ? withNote(failure, organisationAdminsNote) : failure;
}

/** Undefined if no button can repeat the request. */
function questionOf({ details }: OutsidersQuestion, ask: Ask, work: Work | undefined): Message | undefined {
  const repeated = work?.pressed ?? (work?.line === undefined ? undefined : { value: work.line });
  const again = details.again ?? repeated;
  return again && outsidersQuestion({ ...details, again, isHere: details.channelId === ask.channelId });
}

function privateReader({ zone = 'UTC' }: Person, { ctx: { services } }: SlackContext): Reader {
  return { now: services.now(), zone, source: services.source, audience: 'private' };
}

/** Sends a notice if the work is slow. A failed notice does not fail the answer. */
function noticeAfter(delayMs: number, notify: () => Promise<void>) {
  let sending: Promise<void> | undefined;
  const timer = setTimeout(() => {
    sending = notify().catch(() => undefined);
  }, delayMs);
  return { cancel: () => clearTimeout(timer), sent: async () => sending };
}

/** The same id for the same words, in every process. */
function hashOf(...words: readonly string[]): string {
  const digest = hash('sha256', JSON.stringify(words));
  return digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** `agoMs`: the time since the last refresh. */
type Refresh = { granted: true } | { granted: false; agoMs: number };

const refreshesKey: StateKey<ReturnType<typeof createRefreshes>> = { name: 'refreshes' };

/** Grants one refresh of a line per minute, to all people together. After a failed refresh the next one need not wait. */
function createRefreshes({ realNow }: Pick<SlackContext, 'realNow'>) {
  const claimedAt = createCache<number>({ ttlMs: 60_000, realNow });
  return {
    claim(line: string): Refresh {
      const at = claimedAt.get(line);
      if (at !== undefined) return { granted: false, agoMs: realNow() - at };
      claimedAt.set(line, realNow());
      return { granted: true };
    },
    release: (line: string) => void claimedAt.delete(line),
  };
}
