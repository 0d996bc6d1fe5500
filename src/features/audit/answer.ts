import { createYieldToEventLoop } from '../../database/yield-to-event-loop.ts';
import { UserError } from '../../errors.ts';
import { readPage } from '../../messages/frame/paging.ts';
import type { AuditEntry, AuditLog } from '../../workspaces/audit.ts';
import { formatSchedule, schedule as scheduleSchema } from '../digests/index.ts';
import { actorIn, pageIn, type RunContext } from '../run-context.ts';
import type { SlackServices } from '../services.ts';
import { snoozeSchema, watchRules } from '../watches/index.ts';
import { type ChangeFacts, type ShownChange, storedObject } from './change-words.ts';
import { type AuditAnswer, changesPerPage } from './view.ts';
import { type AuditArgs, formatAudit } from './words.ts';

export interface AuditServices {
  audit: AuditLog;
  slack: Pick<SlackServices, 'directMessageOf'>;
}

/** Throws UserError for people who are not admins. */
export async function askAudit(args: AuditArgs, context: RunContext & AuditServices): Promise<AuditAnswer> {
  if (!actorIn(context).isAdmin) throw adminsOnly();
  const line = formatAudit(args);
  if (args.kind === 'audit-entry') {
    const entry = await context.audit.find(args.id);
    if (!entry) throw gone();
    const [change = toShownChange(entry)] = await shownChanges([entry], context);
    return { kind: 'audit-entry', line, page: args.page, change };
  }
  const { kind, page, ...filter } = args;
  const found = await readPage(...pageIn(context, page, changesPerPage), (range) =>
    readInParts(range, (part) => context.audit.list(filter, part)),
  );
  return { kind, line, ...filter, ...found, changes: await shownChanges(found.changes, context) };
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
  { actor, slack }: Pick<RunContext, 'actor'> & AuditServices,
): Promise<ShownChange[]> {
  const isInDirectMessage = entries.some(({ channelId }) => channelId?.startsWith('D'));
  // While Slack doesn't say which direct message is theirs, nobody's are shown.
  const own = isInDirectMessage
    ? await slack.directMessageOf(actor.userId).catch(() => undefined)
    : undefined;
  return entries.map((entry) => {
    const { channelId = '' } = entry;
    const isOthers = /^[DUW]/.test(channelId) && channelId !== actor.userId && channelId !== own;
    return isOthers ? withoutDetails(entry) : toShownChange(entry);
  });
}

function withoutDetails({ id, at, actorId, action }: AuditEntry): ShownChange {
  const subject = `a personal ${action.startsWith('digest.') ? 'digest' : 'watch'}`;
  return { id, at, actorId, action, subject, isHidden: true };
}

function toShownChange({ before, after, ...entry }: AuditEntry): ShownChange {
  return {
    ...entry,
    ...(before !== undefined && { before: factsOf(before) }),
    ...(after !== undefined && { after: factsOf(after) }),
  };
}

/** `other` holds the fields without a parser, and those that can't be parsed because an older version wrote them. */
function factsOf(value: unknown): ChangeFacts {
  const { data: fields } = storedObject.safeParse(value);
  if (!fields) return { other: { value } };
  const rules = watchRules.rules.safeParse(fields.rules);
  const snooze = snoozeSchema.nullable().safeParse(fields.snooze);
  const schedule = scheduleSchema.safeParse(fields.schedule);
  const zone = typeof fields.zone === 'string' ? { zone: fields.zone } : {};
  const parsed = [
    ...(rules.success ? ['rules'] : []),
    ...(snooze.success ? ['snooze'] : []),
    ...(schedule.success ? ['schedule', 'zone'] : []),
  ];
  return {
    ...(rules.success && { rules: rules.data }),
    ...(snooze.success && { snooze: snooze.data }),
    ...(schedule.success && { when: formatSchedule({ schedule: schedule.data, ...zone }) }),
    other: Object.fromEntries(Object.entries(fields).filter(([key]) => !parsed.includes(key))),
  };
}

const adminsOnly = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message: 'Only workspace admins can see who changed what.',
    hint: 'A workspace admin or owner can look it up for you.',
    example: 'watch list',
  });

const gone = (): UserError =>
  new UserError({
    code: 'unexpected-words',
    message: 'This change is no longer stored.',
    choices: [{ label: 'List the changes', line: 'landfall audit' }],
    example: 'landfall audit',
  });
