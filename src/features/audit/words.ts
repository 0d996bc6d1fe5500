import { UserError } from '../../errors.ts';
import { quote } from '../../grammar/line-help.ts';
import { formatPage, joinWords, pageOption, scanOptions } from '../../grammar/options.ts';
import { formatPerson, readPerson } from '../../grammar/place-words.ts';

export type AuditArgs =
  | { kind: 'audit'; channelId?: string; actorId?: string; page: number }
  /** One change in full. */
  | { kind: 'audit-entry'; id: string; page: number };

const example = 'landfall audit page 2';

/** `of <#C024BE7LR> by <@U024BE7LH> page 2`, in any order, each part optional. Throws UserError. */
export function parseAudit(words: string): AuditArgs {
  const { rest, values } = scanOptions(words, { page: pageOption }, { command: 'landfall audit', example });
  const page = values.page ?? 1;
  const [, id] = /^entry ([\w-]{1,64})$/i.exec(rest) ?? [];
  if (id !== undefined) return { kind: 'audit-entry', id: id.toLowerCase(), page };
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
  return { kind: 'audit', ...filter, page };
}

export function formatAudit(args: AuditArgs): string {
  if (args.kind === 'audit-entry') return joinWords('landfall audit entry', args.id, formatPage(args.page));
  const { channelId, actorId, page } = args;
  return joinWords(
    'landfall audit',
    channelId === undefined ? '' : `of <#${channelId}>`,
    actorId === undefined ? '' : `by ${formatPerson(actorId)}`,
    formatPage(page),
  );
}

const notUnderstood = (words: string): UserError =>
  new UserError({
    code: 'unexpected-words',
    message: `I don't understand ${quote(words)} here.`,
    hint: 'Changes can be listed “of” a channel and “by” a person: type # or @ and pick from the list that Slack shows.',
    example,
  });
