import { UserError } from '../errors.ts';
import { type LineHelp, quote } from './line-help.ts';

/** Of a list or a fleet. */
export const maxListNameLength = 100;

/**
 * The name of a provider's list of vessels: what follows `list:`, with or without quotes. It becomes one path
 * segment of the service, so it can't be `.` or `..`. Undefined for a text without `list:`. Throws UserError
 * missing-argument, unclosed-quote, too-long, unexpected-words.
 */
export function parseListName(text: string, help: LineHelp): string | undefined {
  const [, typed] = /^(?:ship)?list\s*:\s*(.*)$/i.exec(text.trim()) ?? [];
  if (typed === undefined) return undefined;
  return readName(typed, lists, help);
}

/** `list:FEEDERS`, `list:"North Sea feeders"`. */
export const formatListName = (name: string): string => formatName(lists.prefix, name);

/** The same for a fleet of this workspace: what follows `fleet:`. */
export function parseFleetName(text: string, help: LineHelp): string | undefined {
  const [, typed] = /^fleet\s*:\s*(.*)$/i.exec(text.trim()) ?? [];
  if (typed === undefined) return undefined;
  return readName(typed, fleets, help);
}

/** `fleet:NORTH`, `fleet:"North Sea"`. */
export const formatFleetName = (name: string): string => formatName(fleets.prefix, name);

interface Kind {
  prefix: 'list:' | 'fleet:';
  what: 'list' | 'fleet';
  hint: string;
}

const lists: Kind = {
  prefix: 'list:',
  what: 'list',
  hint: "The provider maintains lists; they can't be created here.",
};

const fleets: Kind = {
  prefix: 'fleet:',
  what: 'fleet',
  hint: 'Create a fleet with: /vessel fleet NORTH add 9461477, 9755933',
};

function readName(typed: string, kind: Kind, help: LineHelp): string {
  const { prefix, what, hint } = kind;
  const name = unquote(typed, kind, help).trim();
  if (name === '' || name === '.' || name === '..') {
    throw new UserError({
      code: 'missing-argument',
      message: `Which ${what}? Its name follows “${prefix}”.`,
      hint,
      example: help.example,
    });
  }
  if (name.length > maxListNameLength) {
    throw new UserError({
      code: 'too-long',
      message: `The name of a ${what} has at most ${maxListNameLength} characters.`,
      example: help.example,
    });
  }
  return name;
}

function formatName(prefix: Kind['prefix'], name: string): string {
  return /^[\p{L}\p{N}_-]+$/u.test(name) ? `${prefix}${name}` : `${prefix}"${name.replaceAll('"', '""')}"`;
}

/** A quotation mark inside quotes is doubled, as in CSV. */
function unquote(typed: string, { prefix, what }: Kind, { line, example }: LineHelp): string {
  if (!typed.startsWith('"')) return typed;
  const [, inside, after = ''] = /^"((?:[^"]|"")*)"(?!")(.*)$/.exec(typed) ?? [];
  if (inside === undefined) {
    const name = typed.replaceAll('"', '').trim();
    const fixed = formatName(prefix, name);
    throw new UserError({
      code: 'unclosed-quote',
      message: `The quotation mark before ${quote(name)} is never closed.`,
      choices: name === '' || name.length > maxListNameLength ? [] : [{ label: fixed, line: line(fixed) }],
      example,
    });
  }
  if (after.trim() !== '') {
    throw new UserError({
      code: 'unexpected-words',
      message: `I can't read ${quote(after.trim())} after the name of the ${what}.`,
      example,
    });
  }
  return inside.replaceAll('""', '"');
}
