import { UserError } from '../../errors.ts';
import { quote } from '../../grammar/line-help.ts';
import { formatPage, joinWords, pageOption, scanOptions } from '../../grammar/options.ts';
import { formatPerson, readPerson } from '../../grammar/place-words.ts';

export type AuditArgs =
  | { kind: 'audit'; channelId?: string; actorId?: string; page: number }
  /** One change in full. */
  | { kind: 'audit-entry'; id: string; page: number };

const example = 'landfall audit page 2';

/** `of <#C024BE7LR> by <@U024BE7LH> page 2`, each of them or none. Throws UserError. */
export function parseAudit(words: string): AuditArgs {
  const { rest, values } = scanOptions(words, { page: pageOption }, { command: 'landfall audit', example });
  const page = values.page ?? 1;
  const [, id] = /^entry ([\w-]{1,64})$/i.exec(rest) ?? [];
  if (id !== undefined) return { kind: 'audit-entry', id: id.toLowerCase(), page };
  const found: { channelId?: string; actorId?: string } = {};
  let left = rest;
  while (left !== '') {
    const [piece = '', word = '', place = ''] = /^(of|in|by) (\S+)\s*/i.exec(left) ?? [];
    const channelId = /^<#([CDG][A-Z0-9]+)>$/i.exec(place)?.[1]?.toUpperCase();
    const actorId = readPerson(place);
    if (word.toLowerCase() === 'by' && actorId !== undefined && !found.actorId) found.actorId = actorId;
    else if (/^(?:of|in)$/i.test(word) && channelId !== undefined && !found.channelId)
      found.channelId = channelId;
    else throw notRead(left);
    left = left.slice(piece.length);
  }
  return { kind: 'audit', ...found, page };
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

const notRead = (words: string): UserError =>
  new UserError({
    code: 'unexpected-words',
    message: `I don't understand ${quote(words)} here.`,
    hint: 'Changes can be listed “of” a channel and “by” a person: type # or @ and pick from the list that Slack shows.',
    example,
  });
