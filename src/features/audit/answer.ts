import { UserError } from '../../errors.ts';
import type { AuditEntry } from '../../workspaces/audit.ts';
import { formatSchedule, schedule as scheduleSchema } from '../digests/index.ts';
import { actorIn } from '../run-context.ts';
import { snoozeSchema, watchRules } from '../watches/index.ts';
import type { ChangeFacts, ShownChange } from './change-words.ts';
import type { AuditContext } from './services.ts';
import { type AuditAnswer, changesPerPage } from './view.ts';
import type { AuditArgs } from './words.ts';

/** For admins alone. A page beyond the end is the last one. */
export async function askAudit(args: AuditArgs, line: string, context: AuditContext): Promise<AuditAnswer> {
  const actor = actorIn(context);
  if (!actor.isAdmin) throw adminsOnly();
  const { page } = args;
  if (args.kind === 'audit-entry') {
    const entry = await context.audit.find(args.id);
    if (!entry) throw gone();
    return { kind: 'audit-entry', line, page, change: shown(entry) };
  }
  const { channelId, actorId } = args;
  const filter = { ...(channelId !== undefined && { channelId }), ...(actorId !== undefined && { actorId }) };
  const pageAt = (number: number) =>
    context.audit.list(filter, { limit: changesPerPage, offset: (number - 1) * changesPerPage });
  const asked = await pageAt(page);
  const last = Math.max(1, Math.ceil(asked.total / changesPerPage));
  const { changes, total } = page > last ? await pageAt(last) : asked;
  return { kind: 'audit', line, ...filter, page: Math.min(page, last), total, changes: changes.map(shown) };
}

function shown({ id, at, actorId, action, subject, channelId, before, after }: AuditEntry): ShownChange {
  return {
    id,
    at,
    actorId,
    action,
    subject,
    ...(channelId !== undefined && { channelId }),
    ...(before !== undefined && { before: factsOf(before) }),
    ...(after !== undefined && { after: factsOf(after) }),
  };
}

/** What there are words for; the rest as it was written, since older versions may have written it. */
function factsOf(value: unknown): ChangeFacts {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { other: { value } };
  // An object that is no array: its keys are strings.
  const fields = value as Record<string, unknown>;
  const rules = watchRules.rules.safeParse(fields.rules);
  const snooze = snoozeSchema.nullable().safeParse(fields.snooze);
  const schedule = scheduleSchema.safeParse(fields.schedule);
  const zone = typeof fields.zone === 'string' ? fields.zone : undefined;
  const known = [
    ...(rules.success ? ['rules'] : []),
    ...(snooze.success ? ['snooze'] : []),
    ...(schedule.success ? ['schedule', 'zone'] : []),
  ];
  return {
    ...(rules.success && { rules: rules.data }),
    ...(snooze.success && { snooze: snooze.data }),
    ...(schedule.success && {
      when: formatSchedule({ schedule: schedule.data, ...(zone !== undefined && { zone }) }),
    }),
    other: Object.fromEntries(Object.entries(fields).filter(([key]) => !known.includes(key))),
  };
}

const adminsOnly = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message: 'Who changed what is for workspace admins only.',
    hint: 'A workspace admin or owner can look it up for you.',
    example: 'watch list',
  });

const gone = (): UserError =>
  new UserError({
    code: 'unexpected-words',
    message: 'This change is not kept any more.',
    choices: [{ label: 'List the changes', line: 'landfall audit' }],
    example: 'landfall audit',
  });
