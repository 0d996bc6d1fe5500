import type { UserError } from '../../errors.ts';
import { type LineHelp, quote, wordsError } from '../../grammar/line-help.ts';
import { formatFleetName, parseFleetName } from '../../grammar/list-name.ts';
import { formatPage, joinWords, pageOption, scanOptions } from '../../grammar/options.ts';
import { findNumbers, formatVessels, parseVessel, parseVessels } from '../../grammar/vessel.ts';
import { nameFault } from '../../grammar/vessel-name.ts';
import type { Imo } from '../../reference/imo.ts';
import type { ParseContext } from '../line.ts';
import { type Imos, maxVesselsInFleet } from './fleets.ts';
import { formatReferenceLine, parseReferenceLine, type ReferenceArgs } from './reference-words.ts';

export type VesselArgs =
  | { kind: 'name'; imo: Imo; name: string }
  | { kind: 'forget'; imos: Imos }
  | { kind: 'list' | 'export' | 'fleets'; page: number }
  | { kind: 'import' }
  | ReferenceArgs
  | { kind: 'fleet'; name: string; change: 'add' | 'remove'; imos: Imos }
  | { kind: 'fleet'; name: string; change: 'show' | 'forget' };

export const vesselExample = 'vessel name 9461477 DS CYPRESS';

export function parseVesselLine(words: string, context: ParseContext): VesselArgs {
  const [, first = 'list', rest = ''] = /^(\S+)\s*(.*)$/s.exec(words.trim()) ?? [];
  const verb = synonyms.get(first.toLowerCase()) ?? first.toLowerCase();
  switch (verb) {
    case 'name':
      return parseName(rest, context);
    case 'forget':
      return { kind: verb, imos: parseVessels(rest, helpFor('vessel forget', context)) };
    case 'list':
    case 'export':
    case 'fleets':
      return parsePage(verb, rest);
    case 'import':
      return parseImport(rest);
    case 'fleet':
      return parseFleet(rest, context);
    case 'ref':
      return parseReferenceLine(rest, context);
    default:
      throw unknownVerb(words);
  }
}

const synonyms: ReadonlyMap<string, string> = new Map([
  ['rename', 'name'],
  ['delete', 'forget'],
  ['remove', 'forget'],
  ['names', 'list'],
  ['refs', 'ref'],
  ['reference', 'ref'],
  ['references', 'ref'],
]);

const helpFor = (command: string, { vessels }: ParseContext, example = vesselExample) => ({
  line: (fixed: string) => `${command} ${fixed}`,
  example,
  vessels,
});

/** `9461477 DS CYPRESS`, `IMO 9461477 as "DS Cypress"`, `DS CYPRESS as NEW NAME`. */
function parseName(words: string, context: ParseContext): VesselArgs {
  const [, number, rest = ''] = /^((?:imo[\s:]*)?\d+)\s*,?\s*(.*)$/i.exec(words) ?? [];
  const [, vesselBeforeAs, nameAfterAs = ''] = /^(.+?)\s+(?:as|=)\s+(.+)$/i.exec(words) ?? [];
  const name = unquote(number === undefined ? nameAfterAs : rest.replace(/^(?:as|=)\s+/i, ''));
  const help = helpFor('vessel name', context);
  const imo = parseVessel(number ?? vesselBeforeAs ?? words, {
    ...help,
    line: (fixed) => joinWords('vessel name', fixed, name),
  });
  const [other] = findNumbers(name);
  const fault =
    other === undefined ? nameFault(name) : `it has the IMO number ${other}. Name one vessel in each line`;
  if (fault === undefined) return { kind: 'name', imo, name: name.toUpperCase() };
  if (name === '') throw wordsError('missing-argument', `What should IMO ${imo} be called?`, help);
  throw wordsError('unexpected-words', `${quote(name)} can't be a name: ${fault}.`, help);
}

export const unquote = (name: string): string => name.replace(/^(["'])(.*)\1$/, '$2').trim();

function parsePage(kind: 'list' | 'export' | 'fleets', words: string): VesselArgs {
  const command = `vessel ${kind}`;
  const { rest, values, help } = scanOptions(words, { page: pageOption }, { command, example: command });
  if (rest === '') return { kind, page: values.page ?? 1 };
  throw notUnderstood(rest, help);
}

/** The vessels are in a form or in a file. */
function parseImport(words: string): VesselArgs {
  const command = 'vessel import';
  if (words === '') return { kind: 'import' };
  throw notUnderstood(words, { example: command, line: () => command });
}

function notUnderstood(words: string, help: LineHelp): UserError {
  const line = help.line('');
  const choices = [{ label: line, line }];
  return wordsError('unexpected-words', `I don't understand ${quote(words)} here.`, help, { choices });
}

const fleetExample = 'vessel fleet NORTH add 9461477, 9755933';

/** `NORTH add …`, `"North Sea" remove …`, `NORTH`, `NORTH forget`. */
function parseFleet(words: string, context: ParseContext): VesselArgs {
  const [, typed = words, verb = 'show', vessels = ''] =
    /^("(?:[^"]|"")*"|.*?)(?:\s+(add|remove|forget|delete|show)(?:\s+(.*))?)?$/is.exec(words.trim()) ?? [];
  const name = parseFleetName(`fleet:${typed.replace(/^fleet\s*:/i, '')}`, {
    line: (fixed) => `vessel fleet ${fixed.replace(/^fleet:/, '')}`,
    example: fleetExample,
  });
  if (name === undefined) throw unknownVerb(words);
  const change = verb.toLowerCase();
  if (change === 'add' || change === 'remove') {
    const help = helpFor(`vessel fleet ${formatFleet(name)} ${change}`, context, fleetExample);
    return {
      kind: 'fleet',
      name,
      change,
      imos: parseVessels(vessels, { ...help, maxInFleet: maxVesselsInFleet }),
    };
  }
  if (vessels.trim() !== '') throw unknownVerb(`fleet ${words}`);
  return { kind: 'fleet', name, change: change === 'show' ? 'show' : 'forget' };
}

const formatFleet = (name: string): string => formatFleetName(name).replace(/^fleet:/, '');

export function formatVesselLine(args: VesselArgs): string {
  switch (args.kind) {
    case 'name':
      return `vessel name ${args.imo} ${formatVesselName(args.name)}`;
    case 'forget':
      return `vessel forget ${formatVessels(args.imos)}`;
    case 'import':
      return 'vessel import';
    case 'ref':
      return formatReferenceLine(args);
    case 'fleet': {
      const change = args.change === 'show' ? '' : args.change;
      const vessels = 'imos' in args ? formatVessels(args.imos) : '';
      return joinWords('vessel fleet', formatFleet(args.name), change, vessels);
    }
    default:
      return joinWords('vessel', args.kind, formatPage(args.page));
  }
}

/** Puts the name into quotes if it would otherwise be parsed as something else. */
function formatVesselName(name: string): string {
  const isPlain =
    /^[A-Z0-9](?:[A-Z0-9 '&-]*[A-Z0-9])?$/.test(name) && !/^AS |(?:^| )(?:PUBLIC|PRIVATE)$/.test(name);
  return isPlain ? name : `"${name}"`;
}

function unknownVerb(words: string): UserError {
  const help = { line: (fixed: string) => fixed, example: vesselExample };
  return wordsError('unexpected-words', `I don't know what to do with ${quote(words)}.`, help, {
    hint: 'You can name, list, forget, import and export vessels, give them references, and put them into fleets.',
    choices: [
      { label: 'List the names', line: 'vessel list' },
      { label: 'List the fleets', line: 'vessel fleets' },
    ],
  });
}
