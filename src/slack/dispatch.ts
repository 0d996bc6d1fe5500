import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Destination, Message, Reader } from '../answers/message.ts';
import {
  organisationAdminsNote,
  type Reading,
  refreshedNote,
  utcNote,
  withNote,
  withoutShare,
  withReading,
  withSharer,
} from '../answers/slack/answer-message.ts';
import { failureView } from '../answers/slack/failure.ts';
import { outsidersQuestion, shareQuestion } from '../answers/slack/notices.ts';
import { createCache } from '../cache.ts';
import { messageOf, UserError } from '../errors.ts';
import { createFairQueue, type FairQueue } from '../fair-queue.ts';
import type { ParsedLine } from '../features/command.ts';
import { type AskCtx, isPersonal, type Place, type Privacy, withinDeadline } from '../features/ctx.ts';
import type { BoundAction } from '../features/feature.ts';
import { OutsidersQuestion } from '../features/outsiders.ts';
import type { StateKey } from '../features/services.ts';
import { referenceToShow } from '../log.ts';
import type { AnswerOutcome } from '../measure.ts';
import { type LineOutcome, runLine } from '../run/run-line.ts';
import type { Person } from '../workspaces/permissions.ts';
import type { Visibility } from '../workspaces/settings.ts';
import { withoutChanges } from './buttons/without-changes.ts';
import type { SlackContext } from './context.ts';
import { admit, Declined } from './people/admit.ts';
import type { Lookups, SlackUser } from './people/lookups.ts';
import { slackCode } from './posting/deliver.ts';

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
      const { rendered } = outcome;
      if (rendered) await replies.answer(ask.replacesShared ? rendered : offered(rendered), visibility);
      return;
    }
    const { error } = outcome;
    if (error instanceof Declined && replies.decline) return replies.decline(error.notice);
    await replies.failure(offered(messageFor(outcome, { ask, person, slack, visibility })), visibility);
  }

  /** What others read too offers them all. */
  function offered(message: Message): Message {
    const { asker, parsing } = outcome;
    if (visibility === 'public' || !asker?.actor.asksOnly || !parsing) return message;
    return withoutChanges(message, { ...ask, vessels: parsing.vessels, slack });
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
      // Measured when Slack has accepted the answer.
      ...{ startedAt, deadlineMs: timing.deadlineMs },
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
      read: ({ vessels, asker: { actor } }) =>
        workOf(ask, { vessels, locale: person.locale, asksOnly: actor.asksOnly ?? false }, slack),
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
      async render(answer, { prepared, reader }) {
        if (!answer) return undefined;
        const answered = withReading(answer.view(reader), prepared, reader);
        const seen = (await isSeenByAll) ? withoutShare(answered) : answered;
        const message =
          person.zone === undefined && prepared.line !== undefined ? withNote(seen, utcNote) : seen;
        if (ask.surface === 'share') return withSharer(message, person.name);
        return refresh?.granted === false ? withNote(message, refreshedNote(refresh.agoMs)) : message;
      },
      outcomeOf(error) {
        if (error instanceof Declined) return { logged: error.outcome, measured: 'declined' };
        const isQuestion = error instanceof AskFirst || error instanceof OutsidersQuestion;
        return isQuestion ? { logged: 'asked first', measured: 'asked_first' } : undefined;
      },
    },
    ctx.services,
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
  const place = { channelId, destination, mayHaveLeft, isShared, needsMention: needsMention(ask) };
  return { ...place, ...(threadTs !== undefined && { threadTs }) };
}

/** Undefined for a button that is no line, or a form. */
function commandIn(typed: string, { commands }: SlackContext): string | undefined {
  const [, word = ''] = /^\s*\/?(?:landfall\s+)?(\S+)/i.exec(typed) ?? [];
  return commands.find(({ name }) => name === word.toLowerCase())?.name;
}

function messageFor(
  { error, ref, prepared: work }: Extract<Outcome, { kind: 'failed' }>,
  {
    ask,
    person,
    slack,
    visibility,
  }: { ask: Ask; person: Person; slack: SlackContext; visibility: Visibility },
): Message {
  if (error instanceof Declined) return error.notice;
  if (error instanceof AskFirst) return shareQuestion(work?.name ?? '');
  const question = error instanceof OutsidersQuestion && questionOf(error, ask, work);
  if (question) return question;
  const failure = failureView(error, {
    ref,
    reader: privateReader(person, slack),
    isAdmin: person.isAdmin,
    typedAfter: typedAfter(ask),
    isPublic: visibility === 'public',
    ...(work?.line !== undefined && { line: work.line }),
  });
  const mayLackRights = error instanceof UserError && /^(?:not-allowed|no-account)$/.test(error.code);
  return person.mayBeAdmin && mayLackRights ? withNote(failure, organisationAdminsNote) : failure;
}

/** How the person reaches Landfall where they read the answer. */
function typedAfter(ask: Ask): 'slash' | 'mention' | 'nothing' {
  if (needsMention(ask)) return 'mention';
  return ask.inThread && destinationOf(ask) === 'direct-message' ? 'nothing' : 'slash';
}

/** Plain words, and lines in a thread, reach Landfall only after a mention. A slash command, form or action needs none. */
const needsMention = (ask: Ask): boolean =>
  !['slash', 'form', 'action'].includes(ask.surface) && destinationOf(ask) === 'channel';

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

/** One request of a person, from any surface. */
export interface Ask {
  surface: 'slash' | 'message' | 'link' | 'run' | 'refresh' | 'share' | 'action' | 'file' | 'form' | 'home';
  /** The words typed, the command line of a button, or an action to run. */
  line: string | BoundAction;
  /** Identifies the request: the same for every delivery, and for every click on one button or form. */
  key?: string;
  user: SlackUser;
  /** The person's own id outside channels. */
  channelId: string;
  /** The thread where the person wrote. */
  threadTs?: string | undefined;
  /**
   * `as-typed`: the line's last word decides, otherwise the channel's setting; `unless-personal`: public, unless the
   * answer differs from person to person. Default: private.
   */
  visibility?: Visibility | 'as-typed' | 'unless-personal' | undefined;
  /** The answer replaces a message that others read too. */
  replacesShared?: boolean;
  /** The answer goes to a thread, which not everybody in the channel reads. */
  inThread?: boolean;
  /** People of another organisation would read the answer. */
  needsConfirmation?: boolean;
  /** The channel where the person has just allowed people of other organisations to see what is posted. */
  allowsOutsidersIn?: string | undefined;
}

/** How a surface answers. Each resolves when Slack has accepted the message. */
export interface Replies {
  /** Shows that the answer takes longer; in private until it is known who may see the answer. */
  working(visibility: Visibility): Promise<void>;
  answer(message: Message, visibility: Visibility): Promise<void>;
  failure(message: Message, visibility: Visibility): Promise<void>;
  /** Answers a person who may not use Landfall. Default: `failure`, in private. */
  decline?(message: Message): Promise<void>;
}

/** For what nobody has asked for in words: whatever fails is only in the log. */
export const noReplies: Replies = {
  working: async () => undefined,
  answer: async () => undefined,
  failure: async () => undefined,
};

/** The only function that reads a channel's kind from its id: `D…` is a direct message, `C…` and `G…` are channels. */
export function destinationOf({ channelId, user }: Pick<Ask, 'channelId' | 'user'>): Destination {
  if (channelId === user.id) return 'response';
  return channelId.startsWith('D') ? 'direct-message' : 'channel';
}

/** Their direct message with the bot: a slash command may also be typed in one with somebody else. */
async function isOwnDirectMessage(
  ask: Pick<Ask, 'channelId' | 'user'>,
  { directMessageOf }: Pick<Lookups, 'directMessageOf'>,
): Promise<boolean> {
  if (destinationOf(ask) !== 'direct-message') return false;
  return (await directMessageOf(ask.user.id).catch(() => undefined)) === ask.channelId;
}

/** Who reads what is posted where the person asks. */
export async function audienceAround(
  ask: Pick<Ask, 'channelId' | 'user'>,
  lookups: Pick<Lookups, 'directMessageOf' | 'audienceOf'>,
): Promise<Reader['audience']> {
  const destination = (await isOwnDirectMessage(ask, lookups)) ? 'direct-message' : 'channel';
  return await lookups.audienceOf({ channelId: ask.channelId, destination });
}

/** A parsed line or an action, ready to run. */
export interface Work extends BoundAction, Reading {
  /** The command line, for a button that runs it again. */
  line?: string;
  /** Set if the line ends in `public` or `private`. */
  visibility?: Visibility;
  privacy?: Privacy;
}

/** Throws UserError for a line that can't be parsed, or that a button must not run. */
async function workOf(
  { line, ...ask }: Ask,
  reader: LineReader & { asksOnly: boolean },
  slack: SlackContext,
): Promise<Work> {
  if (typeof line !== 'string') return line;
  // A guest's table is a question.
  const isTyped = (ask.surface === 'message' || ask.surface === 'slash') && !reader.asksOnly;
  const taken = isTyped ? takenText(line, slack) : undefined;
  if (taken) return { ...taken, privacy: 'personal' };
  const parsed = await parseInThread(line, ask, { ...reader, slack });
  checkRepeatable(ask.surface, parsed);
  return { name: parsed.line, ...parsed };
}

/** What a feature makes of a text that isn't a line, such as a pasted table. */
const takenText = (text: string, { features }: SlackContext): BoundAction | undefined =>
  features.flatMap(({ takeText }) => takeText?.(text) ?? [])[0];

/** Refresh and Share run a line again, so an old or forged button must not change anything through them. */
function checkRepeatable(surface: Ask['surface'], { line, repeatable }: ParsedLine): void {
  if (repeatable || (surface !== 'refresh' && surface !== 'share')) return;
  throw new UserError({
    code: 'not-allowed',
    message: `This can't be ${surface === 'share' ? 'shared' : 'refreshed'}, so nothing was done.`,
    hint: 'Type it after a slash instead.',
    example: line,
  });
}

type Asked = Omit<Ask, 'line' | 'surface'>;

type LineReader = Pick<AskCtx, 'vessels'> & Pick<Person, 'locale'>;

/** Parses a line; one without a vessel is about those of its thread. */
async function parseInThread(
  line: string,
  ask: Asked,
  { vessels, locale, slack }: LineReader & { slack: SlackContext },
): Promise<ParsedLine> {
  const threadVessels = await vesselsOfThread(ask, slack);
  try {
    return slack.parseLine(line, { vessels, locale, isTyped: true, threadVessels });
  } catch (error) {
    // Slack is asked only where the line can't do without.
    const isIncomplete = error instanceof UserError && threadVessels.length === 0;
    const threadText = isIncomplete ? await textAbove(ask, slack) : undefined;
    if (threadText === undefined) throw error;
    return slack.parseLine(line, { vessels, locale, isTyped: true, threadText });
  }
}

/** Those that a feature knows. Empty if they can't be read: then the line has to name its vessel. */
async function vesselsOfThread({ channelId, threadTs }: Asked, { features, ctx, logger }: SlackContext) {
  if (threadTs === undefined) return [];
  try {
    const thread = { channelId, threadTs };
    const vessels = features.map((feature) => feature.vesselsOfThread?.(thread, ctx) ?? []);
    return (await Promise.all(vessels)).flat();
  } catch (error) {
    logger.warn({ err: error }, "a thread's vessels can't be read");
    return [];
  }
}

/** The person's own message above: with an agent, each question begins a thread. */
async function textAbove(ask: Asked, slack: SlackContext): Promise<string | undefined> {
  const { channelId, threadTs, user } = ask;
  if (!slack.isAgent || threadTs === undefined || destinationOf(ask) !== 'direct-message') return undefined;
  try {
    const { userId, text } = await slack.lookups.firstOfThread({ channelId, threadTs });
    return userId === user.id ? text : undefined;
  } catch (error) {
    slack.logger.warn({ reason: messageOf(error) }, "a thread's first message can't be read");
    return undefined;
  }
}

const waitMs = 1_000;

/** Who may see an answer. Throws UserError if a private answer was requested in public. */
export async function visibilityOf(
  ask: Asked,
  work: Pick<Work, 'name' | 'visibility' | 'privacy' | 'corrections'>,
  slack: SlackContext,
): Promise<Visibility> {
  const { visibility = 'private' } = ask;
  const { name, privacy, corrections } = work;
  if (corrections) return 'private';
  if (privacy === 'never-shared') {
    if (visibility === 'private' || visibility === 'as-typed') return 'private';
    const hint = 'Type it after a slash, or in a direct message with me.';
    throw notAllowed(name, "This isn't shown where others can read it.", hint);
  }
  const isPublic = visibility === 'public' || (visibility !== 'private' && work.visibility === 'public');
  if (privacy === 'not-public' && isPublic && !(await isReadByOne(ask, slack)))
    throw notAllowed(
      name,
      "This list can hold what others here may not see, so it can't be public.",
      'Without “public”, only you see the answer. The list of this channel alone can be public.',
    );
  let chosen: Visibility;
  if (visibility === 'as-typed')
    chosen = work.visibility ?? (privacy === 'open' ? await settingOf(ask, slack) : 'private');
  else if (visibility === 'unless-personal')
    chosen = isPersonal(work) ? (work.visibility ?? 'private') : 'public';
  else chosen = visibility;
  const isInternal = privacy === 'internal' && chosen === 'public';
  if (isInternal && (await audienceAround(ask, slack.lookups)) === 'outside')
    throw notAllowed(
      name,
      "This isn't shown in a channel that people from another organisation can read.",
      'For yourself, type it after a slash without “public”, or in a direct message with me.',
    );
  return chosen;
}

const isReadByOne = async (ask: Asked, { lookups }: SlackContext): Promise<boolean> =>
  destinationOf(ask) === 'response' || (await isOwnDirectMessage(ask, lookups));

/** The channel's setting; private if outsiders read there, or if the setting can't be read. */
async function settingOf(ask: Asked, { ctx, lookups, logger }: SlackContext): Promise<Visibility> {
  if (destinationOf(ask) !== 'channel') return 'private';
  try {
    const { getCached } = ctx.services.channels;
    const { visibility } = await withinDeadline(waitMs, () => getCached(ask.channelId));
    if (visibility === 'private') return 'private';
  } catch (error) {
    logger.warn({ err: error }, "a channel's settings can't be read: the answer is private");
    return 'private';
  }
  return (await audienceAround(ask, lookups)) === 'channel' ? 'public' : 'private';
}

const notAllowed = (example: string, message: string, hint: string): UserError =>
  new UserError({ code: 'not-allowed', message, hint, example });
