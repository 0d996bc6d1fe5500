import type { Expression, SqlBool } from 'kysely';
import { vesselShort } from '../../answers/formatting/words.ts';
import { clip } from '../../answers/message.ts';
import { readPage } from '../../answers/slack/answer-message.ts';
import { createYieldToEventLoop } from '../../database/batches.ts';
import { attempt, ownLines, UserError } from '../../errors.ts';
import { formatDay } from '../../grammar/dates.ts';
import {
  byPersonOption,
  formatByPerson,
  formatOfChannel,
  formatPage,
  joinWords,
  type LineOption,
  ofChannelOption,
  pageOption,
  quote,
  scanOptions,
} from '../../grammar/line.ts';
import { findMentions } from '../../grammar/mentions.ts';
import { parsePeriod } from '../../grammar/parse-period.ts';
import { parseVessel } from '../../grammar/vessel.ts';
import type { Imo } from '../../reference/codes.ts';
import { type AuditEntry, type AuditLog, createAuditLog } from '../../workspaces/audit.ts';
import { placesIn, readAbout } from '../bot-topics.ts';
import { formatSince, readSince, resolveSince, type Since, sinceOption } from '../changes/index.ts';
import { command, type VariantLine, variant } from '../command.ts';
import {
  type AskCtx,
  currentActor,
  knownVessel,
  type ParseContext,
  pageIn,
  placeIn,
  privateReader,
  type Question,
} from '../ctx.ts';
import { digestKind, titleOfDigest } from '../digests/index.ts';
import { readVisibleChannels } from '../visible-channels.ts';
import { aboutDigest, aboutVessel } from './about.ts';
import { auditTable, changeAnswer, changesAnswer, changesPerPage, type Filter } from './answer.ts';
import { type ShownChange, toShownChange } from './change-words.ts';

interface ListValues extends Filter {
  since?: Since | undefined;
  page: number;
}

const list = variant<ListValues>({
  format: ({ imo = '', digest, since, channelId, actorId, page }) =>
    joinWords(
      ...[ownLines.audit, String(imo), digest === undefined ? '' : `digest ${digest}`],
      // Today goes without saying elsewhere.
      since && (formatSince(since) || 'since today'),
      ...[formatOfChannel(channelId), formatByPerson(actorId), formatPage(page)],
    ),
  // So that guests learn that only admins may, and not that they can't change anything.
  effect: 'opens',
  privacy: 'never-shared',
  of: 'workspace',
  tables: [auditTable],
  async run({ page, since: typed, ...filter }, ctx) {
    const log = await logFor(ctx);
    const zone = ctx.actor.zone ?? 'UTC';
    const since = typed && resolveSince(typed, { now: ctx.now(), zone, example });
    await checkMayKnow(filter.channelId, ctx);
    const { about, where } = await subjectOf(filter, ctx);
    const { channelId, actorId } = filter;
    const chosen = {
      ...(channelId !== undefined && { channelId }),
      ...(actorId !== undefined && { actorId }),
      ...(where && { where }),
      ...(since && { since }),
    };
    const found = await readPage(...pageIn(ctx, page, changesPerPage), (range) =>
      readInParts(range, (part) => log.list(chosen, part)),
    );
    return changesAnswer(
      { ...found, changes: await shownChanges(found.changes, ctx) },
      { ...filter, since },
      {
        ...{ reader: privateReader(ctx), about },
        lineOf: (id) => one.of({ id, page: 1 }).line,
      },
    );
  },
});

/** One change in full. */
const one = variant<{ id: string; page: number }>({
  format: ({ id, page }) => joinWords(`${ownLines.audit} entry`, id, formatPage(page)),
  effect: 'opens',
  privacy: 'never-shared',
  of: 'workspace',
  async run({ id, page }, ctx) {
    const entry = await (await logFor(ctx)).find(id);
    if (!entry) throw gone();
    const [change = toShownChange(entry)] = await shownChanges([entry], ctx);
    return changeAnswer(change, { page, reader: privateReader(ctx) });
  },
});

const example = `${ownLines.audit} since monday`;

/** Undefined for a line that is about one thing. */
const caveat = (line: string): string | undefined =>
  aboutOne.test(line)
    ? undefined
    : / since /.test(line)
      ? 'changes are listed up to now'
      : 'all changes, the newest first: type a vessel, a digest, a channel, a person or “since monday” to choose';

const aboutOne = /^landfall audit (?:\d{7}|digest )/;

const things =
  '(?<thing>(?:the |our |a |this |my )?(?:channel |vessel )?(?:settings?|watch(?:es)?|digests?|fleets?|names?|references?|account)(?: \\d+)?|something|anything|things)';

const auditQuestions: readonly Question[] = [
  {
    example: 'Who changed the settings?',
    asked: [
      'who (?:did|changed|has (?:done|changed)) what{when}?',
      `who (?:has |had |was it (?:who|that) )?(?:changed|added|removed|deleted|stopped|paused|edited|renamed|set up) ${things}{when}?`,
      'who (?:added|put|removed|took) (?<vessel>.+) (?:to|into|in|from|out of) (?:the |our )?(?:fleet .+|\\S+ fleet)',
      "(?:(?:what(?:'s|s| is) in|show|see) )?(?:the |our )?(?:audit (?:log|trail)|log of changes|change log)",
    ],
    // A channel whose id isn't known can't be chosen.
    words: ({ when = '', thing = '', vessel = '' }, { vessels }) => {
      if (when !== '' && !(isWhen.test(when) && !/(?<!<)#/.test(when))) return [];
      const named = findMentions(`${vessel} ${thing} ${when}`, vessels).vessels;
      const about = aboutIn(named, `${thing} ${when}`);
      return [joinWords(about, placesIn(when).join(' '))];
    },
    caveat,
  },
];

const isWhen = /^(?:here|in |on |at |this |last |since |today|yesterday|recently|lately|overnight|when)/i;

/** The one vessel or digest: `9811000`, `digest 2`; nothing for several. */
function aboutIn(imos: readonly Imo[], text: string): string {
  const digests = text.matchAll(/\bdigest (?:no\.? ?|number |#)?(\d{1,6})(?![\d:]|\.\d)/gi);
  const found = [...imos, ...[...digests].map(([, number]) => `digest ${Number(number)}`)];
  return found.length === 1 ? String(found[0]) : '';
}

/** When the only period begins: changes are listed up to now. */
function sinceIn([period, ...others]: readonly string[]): string | undefined {
  // `digest 1 did not come at 8`: the time is the digest's.
  if (
    period === undefined ||
    others.length > 0 ||
    /\d:\d|\d ?[ap]m|this (?:morning|afternoon|evening)/i.test(period)
  )
    return undefined;
  const help = { example, line: (fixed: string) => joinWords(ownLines.audit, fixed) };
  const since = attempt(() => readSince(period, help));
  if (since && !(since instanceof UserError)) return formatSince(since);
  const days = attempt(() => parsePeriod(period, help));
  return days instanceof UserError || days.kind !== 'days' ? undefined : `since ${formatDay(days.from)}`;
}

const auditCommand = command({
  name: 'audit',
  isUnderLandfall: true,
  summary: 'Who changed what; for workspace admins',
  usage: '[<vessel>|digest N] [since WHEN] [of #channel] [by @person]',
  examples: [ownLines.audit, `${ownLines.audit} digest 1`, example],
  questions: auditQuestions,
  ...readAbout('audit', ({ text, vessels, periods }) =>
    joinWords(aboutIn(vessels, text), sinceIn(periods), placesIn(text).join(' ')),
  ),
  textCaveat: caveat,
  variants: [list, one],
  parse,
});

/** Who changed what. */
export const audit = { commands: [auditCommand] };

/** `since monday of <#C024BE7LR> by <@U024BE7LH> page 2`, in any order, each part optional. Throws UserError. */
function parse(words: string, { vessels, dateOrder }: ParseContext): VariantLine {
  const since: LineOption<Since> = (typed, helpFor) =>
    // A vessel's name may end in a month, and an id in anything.
    isEntry.test(typed) || vessels.named(typed.replace(before, '')).length > 0
      ? undefined
      : sinceOption(typed, helpFor);
  const options = { page: pageOption, channelId: ofChannelOption, actorId: byPersonOption, since };
  const { rest, values, help } = scanOptions(words, options, {
    ...{ command: ownLines.audit, example },
    ...(dateOrder && { dateOrder }),
  });
  const { page = 1, ...filter } = values;
  const [, id] = isEntry.exec(rest) ?? [];
  if (id !== undefined) return one.of({ id: id.toLowerCase(), page });
  const typed = rest.replace(before, '');
  const [, digest] = /^digest (?:no\.? ?|number |#)?(\d{1,6})$/i.exec(typed) ?? [];
  if (digest !== undefined) return list.of({ ...filter, digest: Number(digest), page });
  if (rest !== '') {
    const read = attempt(() => parseVessel(typed, { ...help, vessels }));
    if (!(read instanceof UserError)) return list.of({ ...filter, imo: read, page });
    throw read.choices.length > 0 || read.code === 'bad-check-digit' ? read : notUnderstood(rest);
  }
  return list.of({ ...filter, page });
}

const isEntry = /^entry ([\w-]{1,64})$/i;

/** `of the watch on EVER GIVEN` */
const before =
  /^(?:(?:of|on|for|about) )?(?:(?:the )?(?:watch(?:es)?|alerts?|names?|references?|promises?) (?:of|on|for) )?(?:(?:the )?(?:vessel|ship) )?/i;

/** What the changes are about, and its words. Throws UserError for an unknown digest. */
async function subjectOf(
  { imo, digest, channelId: chosen }: Filter,
  ctx: AskCtx,
): Promise<{ about: string; where?: Expression<SqlBool> }> {
  if (imo !== undefined)
    return { about: vesselShort(knownVessel(imo, ctx.vessels)), where: await aboutVessel(imo, ctx) };
  if (digest === undefined) return { about: '' };
  const channelId = chosen ?? placeIn(ctx).channelId;
  const title = await titleOfDigest({ channelId, number: digest }, ctx);
  if (title === undefined) throw unknownDigest(digest, channelId);
  return { about: `the digest “${clip(title, 80)}”`, where: await aboutDigest({ title, channelId }, ctx) };
}

const unknownDigest = (number: number, channelId: string): UserError =>
  new UserError({
    code: 'unknown-digest',
    message: `I don't know a digest ${number} here.`,
    hint: 'Digests have numbers of their channel: name another channel with “of #channel”.',
    choices: [
      ...(channelId.startsWith('C')
        ? [{ label: 'Changes in this channel', line: joinWords(ownLines.audit, formatOfChannel(channelId)) }]
        : []),
      { label: 'All changes', line: ownLines.audit },
    ],
    example,
  });

/** Throws UserError for people who are not admins. */
async function logFor(ctx: AskCtx): Promise<AuditLog> {
  const { isAdmin } = await currentActor(ctx);
  if (isAdmin) return createAuditLog(ctx.services.store);
  throw new UserError({
    code: 'not-allowed',
    message: 'Only workspace admins can see who changed what.',
    hint: 'A workspace admin or owner can look it up for you.',
  });
}

/** A count of the changes there would already say what goes on. Throws UserError. */
async function checkMayKnow(channelId: string | undefined, ctx: AskCtx): Promise<void> {
  if (channelId === undefined) return;
  const { mayKnow } = await readVisibleChannels([channelId], ctx);
  if (mayKnow(channelId)) return;
  throw new UserError({
    code: 'bad-channel',
    message: 'That channel is private, and you or Landfall are not in it.',
    hint: 'Only an admin who is in it can see what changed there.',
    example: ownLines.audit,
  });
}

type Found = Awaited<ReturnType<AuditLog['list']>>;

const maxPart = 500;

/** An export has thousands of changes; other work of this process runs between the parts. */
async function readInParts(
  { limit, offset }: { limit: number; offset: number },
  read: (range: { limit: number; offset: number }) => Promise<Found>,
): Promise<Found> {
  const changes = new Map<string, AuditEntry>();
  const yieldToEventLoop = createYieldToEventLoop();
  for (let done = 0; ; done += maxPart) {
    const part = await read({ limit: Math.min(maxPart, limit - done), offset: offset + done });
    // A change that is added meanwhile moves the others: some are read twice.
    for (const change of part.changes) changes.set(change.id, change);
    if (part.changes.length < maxPart || done + maxPart >= limit)
      return { changes: [...changes.values()], total: part.total };
    await yieldToEventLoop();
  }
}

/**
 * What a person set up only for themselves is shown only to them, and what belongs to a private channel, only to admins who
 * are in it.
 */
async function shownChanges(entries: readonly AuditEntry[], ctx: AskCtx): Promise<ShownChange[]> {
  const { actor, services } = ctx;
  // While Slack doesn't say which direct message is theirs, nobody's are shown.
  const own = entries.some(({ isPersonal }) => isPersonal)
    ? await services.slack.directMessageOf(actor.userId).catch(() => undefined)
    : undefined;
  const channelIds = entries.flatMap(({ channelId, isPersonal }) => (isPersonal ? [] : (channelId ?? [])));
  const { mayKnow } = await readVisibleChannels([...new Set(channelIds)], ctx);
  return entries.map((entry) => {
    const { id, at, actorId, action, channelId, isPersonal = false } = entry;
    const isShown = isPersonal ? channelId === actor.userId || channelId === own : mayKnow(channelId);
    if (isShown || channelId === undefined) return toShownChange(entry);
    const noun = nounOf(action);
    const hidden = { id, at, actorId, action };
    return isPersonal
      ? { ...hidden, subject: `a personal ${noun}`, hidden: 'personal' }
      : { ...hidden, subject: `a ${noun}`, hidden: 'private-channel' };
  });
}

/** What else can be personal are watches and their alerts. */
const nounOf = (action: string): string =>
  action.startsWith(`${digestKind.noun.singular}.`) ? digestKind.noun.singular : 'watch';

const notUnderstood = (words: string): UserError =>
  new UserError({
    code: 'unexpected-words',
    message: `I don't understand ${quote(words)} here.`,
    hint: 'Changes can be listed of a vessel or a digest (“digest 2”), “since monday”, “of” a channel and “by” a person: type # or @ and pick from the list that Slack shows.',
    example,
  });

const gone = (): UserError =>
  new UserError({
    code: 'unexpected-words',
    message: 'This change is no longer stored.',
    choices: [{ label: 'List the changes', line: ownLines.audit }],
    example: ownLines.audit,
  });
