import { UserError } from '../../errors.ts';
import { quote } from '../../grammar/line-help.ts';
import { formatFleetName, parseFleetName } from '../../grammar/list-name.ts';
import { formatPage, joinWords, pageOption, scanOptions } from '../../grammar/options.ts';
import { formatVessels, parseVessel, parseVessels } from '../../grammar/vessel.ts';
import { nameFault } from '../../grammar/vessel-name.ts';
import type { Imo } from '../../reference/imo.ts';
import { defineCommand, type ParseContext } from '../command.ts';
import { addToFleet, fleetShown, forgetFleet, maxVesselsInFleet, removeFromFleet } from './change-fleet.ts';
import { exportNames, fleetsShown, forgetNames, namesShown, nameVessel } from './change-names.ts';
import type { VesselsContext, VesselsServices } from './services.ts';
import { type VesselNamesAnswer, vesselNamesView } from './view.ts';

type VesselArgs =
  | { kind: 'name'; imo: Imo; name: string }
  | { kind: 'forget'; imos: readonly [Imo, ...Imo[]] }
  | { kind: 'list' | 'export' | 'fleets'; page: number }
  | { kind: 'import' }
  | { kind: 'fleet'; name: string; change: 'add' | 'remove'; imos: readonly [Imo, ...Imo[]] }
  | { kind: 'fleet'; name: string; change: 'show' | 'forget' };

const example = 'vessel name 9461477 DS CYPRESS';

export const vessel = defineCommand<VesselArgs, VesselNamesAnswer, VesselsServices>({
  name: 'vessel',
  summary: 'Names for vessels, and fleets: both work wherever an IMO number does',
  usage:
    'name <IMO> <name> | list | forget <vessel> | fleet <name> [add|remove <vessels> | forget] | fleets | import | export',
  examples: [
    example,
    'vessel list',
    'vessel forget 9461477',
    'vessel fleet NORTH add 9461477, 9755933',
    'vessel fleet NORTH',
    'vessel import',
    'vessel export',
  ],
  repeatable: (args) =>
    ['list', 'export', 'fleets', 'import'].includes(args.kind) ||
    (args.kind === 'fleet' && args.change === 'show'),
  inSlack: ({ kind }) => kind !== 'import',
  parse,
  format,
  run,
  view: vesselNamesView,
});

function parse(words: string, context: ParseContext): VesselArgs {
  const [, first = 'list', rest = ''] = /^(\S+)\s*(.*)$/s.exec(words.trim()) ?? [];
  switch (first.toLowerCase()) {
    case 'name':
    case 'rename':
      return parseName(rest, context);
    case 'forget':
    case 'delete':
    case 'remove':
      return { kind: 'forget', imos: parseVessels(rest, help('vessel forget', context)) };
    case 'list':
    case 'names':
      return { kind: 'list', page: pageOf(rest, 'vessel list') };
    case 'export':
      return { kind: 'export', page: pageOf(rest, 'vessel export') };
    case 'fleets':
      return { kind: 'fleets', page: pageOf(rest, 'vessel fleets') };
    case 'import':
      return { kind: 'import' };
    case 'fleet':
      return parseFleet(rest, context);
    default:
      throw unknownVerb(words);
  }
}

const help = (command: string, { vessels }: ParseContext) => ({
  line: (fixed: string) => `${command} ${fixed}`,
  example,
  vessels,
});

/** The number, then the name: `9461477 DS CYPRESS`, `IMO 9461477 as "DS Cypress"`; or a known name, `as`, and the new one. */
function parseName(words: string, context: ParseContext): VesselArgs {
  const [, number, rest = ''] = /^((?:imo[\s:]*)?\d+)\s*,?\s*(.*)$/i.exec(words) ?? [];
  const [, before, after = ''] = /^(.+?)\s+(?:as|=)\s+(.+)$/i.exec(words) ?? [];
  const typed = number === undefined ? after : rest.replace(/^(?:as|=)\s+/i, '');
  const name = typed.replace(/^(["'])(.*)\1$/, '$2').trim();
  const imo = parseVessel(number ?? before ?? words, {
    ...help('vessel name', context),
    line: (fixed) => joinWords('vessel name', fixed, name),
  });
  const fault = nameFault(name);
  if (fault === undefined) return { kind: 'name', imo, name: name.toUpperCase() };
  throw new UserError({
    code: name === '' ? 'missing-argument' : 'unexpected-words',
    message: name === '' ? `What should IMO ${imo} be called?` : `${quote(name)} can't be a name: ${fault}.`,
    example,
  });
}

function pageOf(words: string, command: string): number {
  const { rest, values } = scanOptions(words, { page: pageOption }, { command, example: command });
  if (rest === '') return values.page ?? 1;
  throw new UserError({
    code: 'unexpected-words',
    message: `I don't understand ${quote(rest)} here.`,
    choices: [{ label: command, line: command }],
    example: command,
  });
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
    const command = `vessel fleet ${fleetWords(name)} ${change}`;
    return {
      kind: 'fleet',
      name,
      change,
      imos: parseVessels(vessels, {
        ...help(command, context),
        example: fleetExample,
        maxInFleet: maxVesselsInFleet,
      }),
    };
  }
  if (vessels.trim() !== '') throw unknownVerb(`fleet ${words}`);
  return { kind: 'fleet', name, change: change === 'show' ? 'show' : 'forget' };
}

/** Names that hold one of the words after it are quoted too. */
function fleetWords(name: string): string {
  const words = formatFleetName(name).replace(/^fleet:/, '');
  return words.startsWith('"') ? words : `"${words}"`.replace(/^"([\p{L}\p{N}_-]+)"$/u, '$1');
}

function format(args: VesselArgs): string {
  switch (args.kind) {
    case 'name':
      return `vessel name ${args.imo} ${nameWords(args.name)}`;
    case 'forget':
      return `vessel forget ${formatVessels(args.imos)}`;
    case 'import':
      return 'vessel import';
    case 'fleet': {
      const vessels = 'imos' in args ? formatVessels(args.imos) : '';
      return joinWords(
        'vessel fleet',
        fleetWords(args.name),
        args.change === 'show' ? '' : args.change,
        vessels,
      );
    }
    default:
      return joinWords('vessel', args.kind, formatPage(args.page));
  }
}

/** In quotes where the words alone would be read as something else. */
function nameWords(name: string): string {
  const isPlain =
    /^[A-Z0-9](?:[A-Z0-9 '&-]*[A-Z0-9])?$/.test(name) && !/^AS |(?:^| )(?:PUBLIC|PRIVATE)$/.test(name);
  return isPlain ? name : `"${name}"`;
}

async function run(args: VesselArgs, context: VesselsContext): Promise<VesselNamesAnswer> {
  const answer = await change(args, context);
  switch (answer.kind) {
    case 'vessel-named': {
      const before = context.vessels.nameOf(answer.imo);
      if (before === answer.name) return answer;
      const back = before === undefined ? forgetting(answer.imo) : naming({ ...answer, name: before });
      return { ...answer, undo: format(back) };
    }
    case 'vessels-forgotten': {
      // Of several each has to be named again.
      const [only, ...others] = answer.vessels;
      return only && others.length === 0 ? { ...answer, undo: format(naming(only)) } : answer;
    }
    case 'fleet-gone': {
      const { name, imos } = answer;
      return { ...answer, undo: format({ kind: 'fleet', name, change: 'add', imos }) };
    }
    default:
      return answer;
  }
}

const forgetting = (imo: Imo): VesselArgs => ({ kind: 'forget', imos: [imo] });
const naming = ({ imo, name }: { imo: Imo; name: string }): VesselArgs => ({ kind: 'name', imo, name });

function change(args: VesselArgs, context: VesselsContext): Promise<VesselNamesAnswer> {
  const line = format(args);
  switch (args.kind) {
    case 'name':
      return nameVessel(args, context);
    case 'forget':
      return forgetNames(args.imos, context);
    case 'list':
      return namesShown({ line, page: args.page }, context);
    case 'export':
      return exportNames({ line, page: args.page }, context);
    case 'fleets':
      return fleetsShown({ line, page: args.page }, context);
    case 'import':
      return Promise.resolve({ kind: 'how-to-import' });
    case 'fleet':
      return changeFleet(args, context);
  }
}

function changeFleet(args: Extract<VesselArgs, { kind: 'fleet' }>, context: VesselsContext) {
  switch (args.change) {
    case 'add':
      return addToFleet(args.name, args.imos, context);
    case 'remove':
      return removeFromFleet(args.name, args.imos, context);
    case 'show':
      return fleetShown(args.name, context);
    case 'forget':
      return forgetFleet(args.name, context);
  }
}

function unknownVerb(words: string): UserError {
  return new UserError({
    code: 'unexpected-words',
    message: `I don't know what to do with ${quote(words)}.`,
    hint: 'You can name, list, forget, import and export vessels, and put them into fleets.',
    choices: [
      { label: 'List the names', line: 'vessel list' },
      { label: 'List the fleets', line: 'vessel fleets' },
    ],
    example,
  });
}
