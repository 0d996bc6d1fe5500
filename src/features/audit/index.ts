import { readPage } from '../../answers/slack/answer-message.ts';
import { createYieldToEventLoop } from '../../database/batches.ts';
import { ownLines, UserError } from '../../errors.ts';
import {
  formatPage,
  formatPerson,
  joinWords,
  pageOption,
  quote,
  readPerson,
  scanOptions,
} from '../../grammar/line.ts';
import { type AuditEntry, type AuditLog, createAuditLog } from '../../workspaces/audit.ts';
import { placesIn, readAbout } from '../bot-topics.ts';
import { command, type VariantLine, variant } from '../command.ts';
import { type AskCtx, currentActor, pageIn, privateReader, type Question } from '../ctx.ts';
import { digestKind } from '../digests/index.ts';
import { auditTable, changeAnswer, changesAnswer, changesPerPage, type Filter } from './answer.ts';
import { type ShownChange, toShownChange } from './change-words.ts';

interface ListValues extends Filter {
  page: number;
}

const list = variant<ListValues>({
  format: ({ channelId, actorId, page }) =>
    joinWords(
      ownLines.audit,
      channelId === undefined ? '' : `of <#${channelId}>`,
      actorId === undefined ? '' : `by ${formatPerson(actorId)}`,
      formatPage(page),
    ),
  // So that guests learn that only admins may, and not that they can't change anything.
  effect: 'opens',
  privacy: 'never-shared',
  of: 'workspace',
  tables: [auditTable],
  async run({ page, ...filter }, ctx) {
    const log = await logFor(ctx);
    const found = await readPage(...pageIn(ctx, page, changesPerPage), (range) =>
      readInParts(range, (part) => log.list(filter, part)),
    );
    return changesAnswer({ ...found, changes: await shownChanges(found.changes, ctx) }, filter, {
      reader: privateReader(ctx),
      lineOf: (id) => one.of({ id, page: 1 }).line,
    });
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

const example = `${ownLines.audit} page 2`;

const things =
  '(?:(?:the |our |a |this |my )?(?:channel |vessel )?(?:settings?|watch(?:es)?|digests?|fleets?|names?|references?|account)(?: \\d+)?|something|anything|things)';

const auditQuestions: readonly Question[] = [
  {
    example: 'Who changed the settings?',
    asked: [
      'who (?:did|changed|has (?:done|changed)) what{when}?',
      `who (?:has |had |was it (?:who|that) )?(?:changed|added|removed|deleted|stopped|paused|edited|renamed|set up) ${things}{when}?`,
      'who (?:added|put|removed|took) .+ (?:to|into|in|from|out of) (?:the |our )?(?:fleet .+|\\S+ fleet)',
      "(?:(?:what(?:'s|s| is) in|show|see) )?(?:the |our )?(?:audit (?:log|trail)|log of changes|change log)",
    ],
    words: ({ when }) => (when === undefined || isWhen.test(when) ? [''] : []),
    caveat: 'all changes, the newest first, since they can only be chosen by channel and person',
  },
];

const isWhen = /^(?:here|in |on |at |this |last |since |today|yesterday|recently|lately|overnight|when)/i;

const auditCommand = command({
  name: 'audit',
  isUnderLandfall: true,
  summary: 'Who changed what; for workspace admins',
  usage: '[of #channel] [by @person]',
  examples: [ownLines.audit],
  questions: auditQuestions,
  readText: readAbout('audit', ({ text }) => placesIn(text).join(' ')),
  variants: [list, one],
  parse,
});

/** Who changed what. */
export const audit = { commands: [auditCommand] };

/** `of <#C024BE7LR> by <@U024BE7LH> page 2`, in any order, each part optional. Throws UserError. */
function parse(words: string): VariantLine {
  const { rest, values } = scanOptions(words, { page: pageOption }, { command: ownLines.audit, example });
  const page = values.page ?? 1;
  const [, id] = /^entry ([\w-]{1,64})$/i.exec(rest) ?? [];
  if (id !== undefined) return one.of({ id: id.toLowerCase(), page });
  const filter: { channelId?: string; actorId?: string } = {};
  for (let left = rest; left !== ''; ) {
    const [piece = '', word = '', name = ''] = /^(of|in|by) (\S+)\s*/i.exec(left) ?? [];
    const isBy = word.toLowerCase() === 'by';
    const channelId = /^<#([CDG][A-Z0-9]+)>$/i.exec(name)?.[1]?.toUpperCase();
    const actorId = readPerson(name);
    if (isBy && actorId !== undefined && !filter.actorId) filter.actorId = actorId;
    else if (!isBy && channelId !== undefined && !filter.channelId) filter.channelId = channelId;
    else throw notUnderstood(left);
    left = left.slice(piece.length);
  }
  return list.of({ ...filter, page });
}

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

/** What a person set up only for themselves is shown only to them. */
async function shownChanges(
  entries: readonly AuditEntry[],
  { actor, services: { slack } }: AskCtx,
): Promise<ShownChange[]> {
  // While Slack doesn't say which direct message is theirs, nobody's are shown.
  const own = entries.some(({ isPersonal }) => isPersonal)
    ? await slack.directMessageOf(actor.userId).catch(() => undefined)
    : undefined;
  return entries.map((entry) => {
    const { id, at, actorId, action, channelId, isPersonal } = entry;
    if (!isPersonal || channelId === actor.userId || channelId === own) return toShownChange(entry);
    return { id, at, actorId, action, subject: `a personal ${nounOf(action)}`, isHidden: true };
  });
}

/** What else can be personal are watches and their alerts. */
const nounOf = (action: string): string =>
  action.startsWith(`${digestKind.noun.singular}.`) ? digestKind.noun.singular : 'watch';

const notUnderstood = (words: string): UserError =>
  new UserError({
    code: 'unexpected-words',
    message: `I don't understand ${quote(words)} here.`,
    hint: 'Changes can be listed “of” a channel and “by” a person: type # or @ and pick from the list that Slack shows.',
    example,
  });

const gone = (): UserError =>
  new UserError({
    code: 'unexpected-words',
    message: 'This change is no longer stored.',
    choices: [{ label: 'List the changes', line: ownLines.audit }],
    example: ownLines.audit,
  });
