import type { Imo } from '../reference/codes.ts';
import { type LineHelp, quote, wordsError } from './line.ts';
import { formatVessels, parseVessels, type VesselHelp } from './vessel.ts';

/** One of the provider's lists, or a fleet of the workspace. */
type NamedGroup = { kind: 'list'; name: string } | { kind: 'fleet'; name: string };

export type VesselGroup = { kind: 'vessels'; imos: readonly [Imo, ...Imo[]] } | NamedGroup;

/** `list:FEEDERS`, `fleet:NORTH`; undefined for other words. Throws UserError. */
export function parseNamedGroup(words: string, help: LineHelp): NamedGroup | undefined {
  const list = parseListName(words, help);
  if (list !== undefined) return { kind: 'list', name: list };
  const fleet = parseFleetName(words, help);
  return fleet === undefined ? undefined : { kind: 'fleet', name: fleet };
}

/** Vessels, `list:FEEDERS` or `fleet:NORTH`. Throws UserError. */
export const parseVesselGroup = (words: string, help: VesselHelp): VesselGroup =>
  parseNamedGroup(words, help) ?? { kind: 'vessels', imos: parseVessels(words, help) };

export function formatVesselGroup(group: VesselGroup): string {
  if (group.kind === 'vessels') return formatVessels(group.imos);
  return group.kind === 'list' ? formatListName(group.name) : formatFleetName(group.name);
}

/** For lists and fleets. */
export const maxListNameLength = 100;

/**
 * The name of a provider's list of vessels: what follows `list:`, with or without quotes. Undefined for a text without
 * `list:`. Throws UserError missing-argument, unclosed-quote, too-long, unexpected-words.
 */
export const parseListName = (text: string, help: LineHelp): string | undefined =>
  parseName(text, lists, help);

/** `list:FEEDERS`, `list:"North Sea feeders"`. */
export const formatListName = (name: string): string => formatName(lists, name);

/** Like parseListName, for a fleet of this workspace: what follows `fleet:`. */
export const parseFleetName = (text: string, help: LineHelp): string | undefined =>
  parseName(text, fleets, help);

/** `fleet:NORTH`, `fleet:"North Sea"`. */
export const formatFleetName = (name: string): string => formatName(fleets, name);

/** The same for spellings of a fleet's name that differ only in case or spacing. */
export const fleetKey = (name: string): string =>
  name.normalize('NFKC').trim().replace(/\s+/g, ' ').toUpperCase();

const lists = {
  noun: 'list',
  shape: /^(?:ship)?list\s*:\s*(.*)$/i,
  hint: "The provider maintains lists; they can't be created here.",
};

type NameKind = typeof lists;

const fleets: NameKind = {
  noun: 'fleet',
  shape: /^fleet\s*:\s*(.*)$/i,
  hint: 'Create a fleet with: /vessel fleet NORTH add 9461477, 9755933',
};

function parseName(text: string, kind: NameKind, help: LineHelp): string | undefined {
  const { noun, shape, hint } = kind;
  const [, typed] = shape.exec(text.trim()) ?? [];
  if (typed === undefined) return undefined;
  const name = unquote(typed, kind, help).trim();
  // The name becomes a segment of a URL path, in which dots have a meaning.
  if (name === '' || name === '.' || name === '..') {
    throw wordsError('missing-argument', `Which ${noun}? Its name follows “${noun}:”.`, help, { hint });
  }
  if (name.length > maxListNameLength) {
    const message = `The name of a ${noun} has at most ${maxListNameLength} characters.`;
    throw wordsError('too-long', message, help);
  }
  return name;
}

const formatName = ({ noun }: NameKind, name: string): string =>
  /^[\p{L}\p{N}_-]+$/u.test(name) ? `${noun}:${name}` : `${noun}:"${name.replaceAll('"', '""')}"`;

/** A quotation mark inside quotes is doubled, as in CSV. */
function unquote(typed: string, kind: NameKind, help: LineHelp): string {
  if (!typed.startsWith('"')) return typed;
  const [, inside, after = ''] = /^"((?:[^"]|"")*)"(?!")(.*)$/.exec(typed) ?? [];
  if (inside === undefined) {
    const name = typed.replaceAll('"', '').trim();
    const message = `The quotation mark before ${quote(name)} is never closed.`;
    const fixes = name === '' || name.length > maxListNameLength ? [] : [formatName(kind, name)];
    throw wordsError('unclosed-quote', message, help, { fixes });
  }
  if (after.trim() !== '') {
    const message = `I can't read ${quote(after.trim())} after the name of the ${kind.noun}.`;
    throw wordsError('unexpected-words', message, help);
  }
  return inside.replaceAll('""', '"');
}
