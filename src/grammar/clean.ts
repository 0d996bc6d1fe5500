import { UserError } from '../errors.ts';

const maxLength = 8_000;

/**
 * Removes Slack's escapes (`&amp;`, `<#C1|ops>`, `<http://a.b|a.b>`), phone typography (curly quotes, dashes, no-break
 * spaces, full-width digits), a leading slash and a full stop at the end. Throws UserError too-long.
 */
export function cleanLine(text: string): string {
  if (text.length > maxLength) {
    throw new UserError({
      code: 'too-long',
      message: `That is too long to read: at most ${maxLength.toLocaleString('en')} characters.`,
      example: 'landfall help',
    });
  }
  return tidy(unescapeSlack(text))
    .replace(/^\/+\s*(?=\p{L})/u, '')
    .replace(/(?<![\s.!?,;])[\s.!?,;]+$/, '');
}

/**
 * Replaces a channel or a person by the name that Slack showed, and an automatic link by the typed text. Keeps the id
 * after `in`, `hand over`, `assign` and `audit … by`, because names are not unique: `in <#C1|ops>` becomes `in <#C1>`.
 */
export function unescapeSlack(text: string): string {
  let isAudit = false;
  // A look-behind from each link would read a long text again and again.
  const pieces = text.split(/(<[^<>]*>)/).map((piece, index, all) => {
    if (index % 2 === 0) {
      isAudit ||= /\baudit\b/i.test(piece);
      return unescaped(piece);
    }
    return (
      idOf(piece, { before: all[index - 1] ?? '', isAudit }) ?? unescaped(piece.replace(link, shownText))
    );
  });
  return pieces.join('');
}

/** `<#C1>` for `<#C1|ops>` where the words before it ask for such an id. */
function idOf(piece: string, { before, isAudit }: { before: string; isAudit: boolean }): string | undefined {
  const [, id] = /^<([#@][A-Z0-9]+)(?:\|.*)?>$/is.exec(piece) ?? [];
  if (id === undefined) return undefined;
  const isAskedFor =
    (/^#[CDG]./i.test(id) && /(?:^|\s)in\s$/i.test(before)) ||
    (/^@[UW]./i.test(id) && /\b(?:hand\s?over|assign)\b/i.test(before)) ||
    (/^.[CDGUW]./i.test(id) && isAudit && /\s(?:of|by)\s$/i.test(before));
  return isAskedFor ? `<${id}>` : undefined;
}

const link = /^<(?:([#@])[^|]*|![^|]*|(?:https?|mailto|tel|ftp|slack):[^|]*)(?:\|(.*))?>$/is;

const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

function shownText(whole: string, sign: string | undefined, label: string | undefined): string {
  const target = whole.slice(1, -1).split('|')[0] ?? '';
  if (sign) return sign + (label || target.slice(1)).replace(/^[#@]/, '');
  if (target.startsWith('!')) return label || `@${target.slice(1).split('^')[0]}`;
  return label || target.replace(/^(?:mailto|tel):/i, '');
}

function tidy(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u2018\u2019\u201a\u201b\u2032\u00b4`]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033]/g, '"')
    .normalize('NFKC')
    .replace(/[\p{Pd}\u2212\u2043]/gu, '-')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}
