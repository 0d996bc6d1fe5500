import { nextPortsOf } from '../../answers/answer.ts';
import { vesselShort } from '../../answers/formatting/words.ts';
import type { Choice, UserError } from '../../errors.ts';
import { formatDue, takeDates } from '../../grammar/due.ts';
import {
  joinWords,
  type LineHelp,
  pageOption,
  quote,
  scanOptions,
  takeExport,
  wordsError,
} from '../../grammar/line.ts';
import { datedParts } from '../../grammar/mentions.ts';
import {
  findVessels,
  fleetKey,
  maxVesselsInFleet,
  parseFleetName,
  parseVessel,
  parseVessels,
  withGroupColon,
} from '../../grammar/vessel.ts';
import { type NamedVessel, splitReferences, type VesselDirectory } from '../../grammar/vessel-directory.ts';
import { withoutFrame } from '../../grammar/vessel-words.ts';
import type { Imo } from '../../reference/codes.ts';
import { command, type VariantLine, variant } from '../command.ts';
import { knownVessel, offer, type ParseContext, type Question, type Slots, vesselHelp } from '../ctx.ts';
import { ship } from '../question-words.ts';
import { changeFleet, fleetsTable, fleetTable, listFleets, showFleet } from './fleet-answers.ts';
import { howToImport } from './import-answer.ts';
import { exportNames, forgetNames, listNames, namesTable, nameVessel } from './name-answers.ts';
import { readText, vesselMeanings } from './read-text.ts';
import {
  changeReferences,
  changeSeveralReferences,
  referencesTable,
  showReferences,
} from './reference-answers.ts';
import {
  type FleetChange,
  fleetExample,
  formatFleet,
  formatFleetChange,
  formatForget,
  formatList,
  formatName,
  formatReferences,
  formatReferencesChange,
  formatSeveralReferences,
  type Imos,
  promiseExample,
  type ReferencesChange,
  readName,
  referenceExample,
  type SeveralReferencesChange,
  vesselExample,
} from './words.ts';

const reads = { effect: 'reads', of: 'workspace' } as const;
const changes = { effect: 'changes', of: 'workspace' } as const;
/** References, and the file that has them, are for the workspace alone. */
const internal = { privacy: 'internal' } as const;

const name = variant<NamedVessel>({
  ...changes,
  format: formatName,
  confirmation: 'Yes, name it',
  run: nameVessel,
});

const forget = variant<{ imos: Imos }>({
  ...changes,
  format: ({ imos }) => formatForget(imos),
  confirmation: 'Yes, forget it',
  run: forgetNames,
});

const list = variant<{ page: number }>({
  ...reads,
  format: ({ page }) => formatList('list', page),
  tables: [namesTable],
  run: listNames,
});

/** Sends the file that `vessel import` reads. */
const exported = variant<{ page: number }>({
  ...{ ...reads, ...internal },
  format: ({ page }) => formatList('export', page),
  run: exportNames,
});

const imported = variant({ format: () => 'vessel import', effect: 'reads', run: async () => howToImport });

const fleets = variant<{ page: number }>({
  ...reads,
  format: ({ page }) => formatList('fleets', page),
  tables: [fleetsTable],
  run: listFleets,
});

const fleet = variant<{ name: string }>({
  ...reads,
  format: (shown) => formatFleet(shown.name),
  tables: [fleetTable],
  run: (shown, ctx) => showFleet(shown.name, ctx),
});

const fleetChanged = variant<FleetChange>({
  ...changes,
  format: formatFleetChange,
  confirmation: ({ change }) => `Yes, ${change} it`,
  run: changeFleet,
});

const references = variant<{ imo: Imo }>({
  ...{ ...reads, ...internal },
  format: ({ imo }) => formatReferences(imo),
  tables: [referencesTable],
  run: ({ imo }, ctx) => showReferences(imo, ctx),
});

const referencesChanged = variant<ReferencesChange>({
  ...{ ...changes, ...internal },
  format: formatReferencesChange,
  confirmation: ({ change }) => `Yes, ${change} it`,
  run: changeReferences,
});

const severalReferencesChanged = variant<SeveralReferencesChange>({
  ...{ ...changes, ...internal },
  format: formatSeveralReferences,
  confirmation: 'Yes, change them',
  run: changeSeveralReferences,
});

const vesselQuestions: readonly Question[] = [
  {
    example: 'Which vessels do you know?',
    asked: [
      `(?:which|what) (?:${ship}|names|vessel names) (?:do|have) (?:you|we)(?: know| have| got)?`,
      '(?:list |show )?(?:the |our )?vessel names',
    ],
    words: 'list',
  },
  {
    example: 'Which fleets do we have?',
    asked: [
      '(?:(?:which|what)(?: are)? |list |show )?(?:the |our )?fleets(?: (?:do|have) (?:you|we)(?: know| have| got)?| are there)?',
    ],
    words: 'fleets',
  },
  {
    example: 'Which vessels are in fleet NORTH?',
    asked: [
      `(?:which|what|who)(?: ${ship})?(?:'s| is| are) in (?:the |our )?fleet (?:called |named )?{fleet}`,
      `(?:which|what|who)(?: ${ship})?(?:'s| is| are) in (?:the |our )?{fleet} fleet`,
    ],
    words: 'fleet {fleet}',
  },
  {
    example: 'IMO 9893890 is EVER ACE, please add the name',
    asked: [
      '(?:(?:please|pls) )?(?:the )?name (?:of |for )?(?:imo[ :.#]*)?(?<number>\\d\\d\\d\\d+)(?: is| =|:)? (?<called>.+)',
      '(?:imo[ :.#]*)?(?<number>\\d\\d\\d\\d+) (?:is|=)(?: now)? (?:called|named) (?<called>.+)',
      '(?:imo[ :.#]*)?(?<number>\\d\\d\\d\\d+) (?:is|=)(?: now)? {name}',
    ],
    words: namesOf,
    offer: 'Then its name works wherever its IMO number does.',
  },
];

/** Without a word such as `called`, a name has several words in capitals: `9811000 is LATE` names nothing. */
function namesOf({ number = '', called, name = '' }: Slots): readonly string[] {
  const [, plain = ''] = /^(.+?)(?:[,;.].*| please\b.*| pls\b.*)?$/i.exec(called ?? name) ?? [];
  const typed = plain.replace(/^(?:the |mv |m\/v )/i, '').trim();
  const isName = /\bname\b/i.test(name) || /^[\p{Lu}\d][\p{Lu}\d.'&-]*(?: [\p{Lu}\d.'&-]+)+$/u.test(typed);
  return called !== undefined || (isName && !/^(?:in|at|on|not|late|delayed|due)\b/i.test(typed))
    ? [`name ${number} ${typed}`]
    : [];
}

export const vesselCommand = command({
  name: 'vessel',
  summary: 'Names, references and fleets: each works wherever an IMO number does',
  usage:
    'name <IMO> <name> | list | forget <vessel> | ref <vessel> [add|remove <references> [due [PORT] DATE] | forget] | fleet <name> [add|remove <vessels> | forget] | fleets | import | export',
  usageHint: 'name <IMO> <name> | list | ref <vessel> … | fleet <name> …',
  questions: vesselQuestions,
  readText,
  meanings: vesselMeanings,
  examples: [
    vesselExample,
    'vessel list',
    'vessel forget 9461477',
    'vessel ref 9461477 BK123, MEDU4711',
    'vessel ref 9461477 remove BK123',
    promiseExample,
    fleetExample,
    'vessel fleet NORTH',
    'vessel import',
    'vessel export',
  ],
  variants: [
    ...[name, forget, list, exported, imported, fleets, fleet, fleetChanged],
    ...[references, referencesChanged, severalReferencesChanged],
  ],
  parse,
});

/** Throws UserError. */
function parse(words: string, context: ParseContext): VariantLine {
  const [, first = 'list', rest = ''] = /^(\S+)\s*(.*)$/s.exec(words.trim()) ?? [];
  switch (synonyms.get(first.toLowerCase()) ?? first.toLowerCase()) {
    case 'name':
      return name.of(parseName(rest, context));
    case 'forget':
      return (
        referenceForgotten(rest, context) ??
        forget.of({ imos: parseVessels(rest, helpFor('vessel forget', context)) })
      );
    case 'list':
      return list.of(parsePage('list', rest));
    case 'export':
      return exported.of(parsePage('export', rest));
    case 'fleets':
      return fleets.of(parsePage('fleets', rest));
    case 'import':
      // The vessels are in a form or in a file.
      if (rest !== '') throw notUnderstood(rest, { example: 'vessel import', line: () => 'vessel import' });
      return imported.of({});
    case 'fleet':
      return parseFleet(rest, context);
    case 'ref':
      return parseReferences(rest, context);
    default: {
      const named = fleetOf(words, context);
      if (named !== undefined) return fleet.of({ name: named });
      throw unknownVerb(words, offerNextPorts(words, context));
    }
  }
}

/** `NORTH`, `which vessels are in NORTH`, `what's in the north fleet`. */
function fleetOf(words: string, { vessels }: ParseContext): string | undefined {
  const [, typed = words] = whatIsIn.exec(words) ?? [];
  const key = fleetKey(typed.trim().replace(/^(?:the |our )?(?:fleet[: ]\s*)?|\s+fleet$/gi, ''));
  return vessels.fleets.find((name) => fleetKey(name) === key);
}

const whatIsIn =
  /^(?:(?:(?:which|what|who|list|show|all)(?: the| our)?(?: vessels| ships| boats)?)|vessels|ships)(?:'s| is| are)? (?:in|of|on) (.+)$/i;

const synonyms: ReadonlyMap<string, string> = new Map([
  ['rename', 'name'],
  ['delete', 'forget'],
  ['remove', 'forget'],
  ['names', 'list'],
  ['refs', 'ref'],
  ['reference', 'ref'],
  ['references', 'ref'],
]);

const helpFor = (command: string, context: ParseContext, example = vesselExample) => ({
  line: (fixed: string) => `${command} ${fixed}`,
  example,
  ...vesselHelp(context),
});

/** `9461477 DS CYPRESS`, `IMO 9461477 as "DS Cypress"`, `DS CYPRESS as NEW NAME`. */
function parseName(words: string, context: ParseContext): NamedVessel {
  const [, number, rest = ''] = /^((?:imo[\s:]*)?\d+)\s*,?\s*(.*)$/i.exec(words) ?? [];
  const [, vesselBeforeAs, nameAfterAs = ''] = /^(.+?)\s+(?:as|=)\s+(.+)$/i.exec(words) ?? [];
  const typed = number === undefined ? nameAfterAs : rest.replace(/^(?:as|=|name\s*:)\s+/i, '');
  const help = helpFor('vessel name', context);
  if (context.isTyped && politeEnd.test(typed)) throw notPartOf('a name', typed, help);
  if (takeExport(words).format)
    throw wordsError('unexpected-words', 'Put a name that ends like that into quotes.', help);
  const imo = parseVessel(number ?? vesselBeforeAs ?? words, {
    ...help,
    line: (fixed) => joinWords('vessel name', fixed, typed),
  });
  return { imo, name: readName(typed, `IMO ${imo}`, help) };
}

const politeEnd = /\s(?:please|pls|plz|thanks|thx)$/i;

/** Its text says what is meant, so it is read by what it names. */
const notPartOf = (what: string, typed: string, help: LineHelp): UserError =>
  wordsError('unexpected-words', `${quote(typed)} can't be ${what}: there are other words in it.`, help);

/** `remove BK-4401` is about that reference; the name is forgotten where a name or a number was typed. */
function referenceForgotten(typed: string, { vessels }: ParseContext): VariantLine | undefined {
  const words = typed.replace(/^(?:the )?(?:ref|reference|booking)s?[ :]+/i, '');
  const parts = vessels.referenced(words).length > 0 ? [words] : splitReferences(words);
  const found = parts.filter(
    (part) => vessels.named(part).length === 0 && vessels.referenced(part).length > 0,
  );
  const [imo, ...others] = new Set(found.flatMap((part) => vessels.referenced(part).map((each) => each.imo)));
  if (imo === undefined) return undefined;
  if (others.length === 0 && found.length === parts.length)
    return referencesChanged.of({ imo, change: 'remove', references: found });
  const help = { line: (fixed: string) => fixed, example: referenceExample };
  const message = `${quote(words)} names references of several vessels, or other things too. What should I remove?`;
  const choices = [imo, ...others].slice(0, maxOffered).map((each) => {
    const own = found.filter((part) => vessels.referenced(part).some((vessel) => vessel.imo === each));
    const { line } = referencesChanged.of({ imo: each, change: 'remove', references: own });
    return { label: `${own.join(', ')} of ${vesselShort(knownVessel(each, vessels))}`, line };
  });
  throw wordsError('unexpected-words', message, help, { choices });
}

const maxOffered = 5;

function parsePage(kind: 'list' | 'export' | 'fleets', words: string): { page: number } {
  const line = `vessel ${kind}`;
  const { rest, values, help } = scanOptions(words, { page: pageOption }, { command: line, example: line });
  if (rest === '') return { page: values.page ?? 1 };
  throw notUnderstood(rest, help);
}

function notUnderstood(words: string, help: LineHelp): UserError {
  const line = help.line('');
  const choices = [{ label: line, line }];
  return wordsError('unexpected-words', `I don't understand ${quote(words)} here.`, help, { choices });
}

/** `NORTH add …`, `"North Sea" remove …`, `NORTH`, `NORTH forget`. */
function parseFleet(words: string, context: ParseContext): VariantLine {
  const [, typed = words, verb = 'show', vessels = ''] =
    /^("(?:[^"]|"")*"|.*?)(?:\s+(add|remove|forget|delete|show)(?:\s+(.*))?)?$/is.exec(words.trim()) ?? [];
  const [, fleetName = typed] = /^fleet:(.*)$/.exec(withGroupColon(typed, context.vessels)) ?? [];
  const named = parseFleetName(`fleet:${fleetName}`, {
    line: (fixed) => `vessel fleet ${fixed.replace(/^fleet:/, '')}`,
    example: fleetExample,
  });
  if (named === undefined) throw unknownVerb(words);
  if (
    context.isTyped &&
    !typed.startsWith('"') &&
    (/[:,]/.test(fleetName) || context.vessels.vesselsIn(fleetName).length > 0)
  )
    throw notPartOf('the name of a fleet', fleetName, { line: (fixed) => fixed, example: fleetExample });
  const change = verb.toLowerCase();
  if (change === 'add' || change === 'remove') {
    const help = helpFor(`${formatFleet(named)} ${change}`, context, fleetExample);
    const imos = parseVessels(vessels, { ...help, maxInFleet: maxVesselsInFleet });
    return fleetChanged.of({ name: named, change, imos });
  }
  if (vessels.trim() !== '') throw unknownVerb(`fleet ${words}`);
  return change === 'show' ? fleet.of({ name: named }) : fleetChanged.of({ name: named, change: 'forget' });
}

/** `BK-1 due Rotterdam 7 dec`, or several parts: `9461477 add BK-1 due Rotterdam 7 dec; remove BK-2`. */
function parseReferences(typed: string, context: ParseContext): VariantLine {
  const words = typed.trim();
  const [first = '', ...others] = words.split(/\s*;\s*(?=(?:add|remove)\s)/i);
  if (others.length === 0) return severalPromises(words, context) ?? lineOf(readReferences(words, context));
  const { vessel } = splitVessel(first, context.vessels);
  const head = readReferences(first, context);
  return lineOfParts(head, [head, ...others.map((part) => readReferences(`${vessel} ${part}`, context))]);
}

/** Without a change, they are shown. */
type ReadReferences = ReferencesChange | { imo: Imo; change?: undefined };

const lineOf = (read: ReadReferences): VariantLine =>
  read.change === undefined ? references.of(read) : referencesChanged.of(read);

const lineOfParts = ({ imo }: ReadReferences, read: readonly ReadReferences[]): VariantLine =>
  severalReferencesChanged.of({ imo, parts: read.filter((part) => part.change !== undefined) });

/** `9461477 BK123, MEDU4711`, `DS CYPRESS remove BK123`, `9461477 forget`, `BK123`. */
function readReferences(typedWords: string, context: ParseContext): ReadReferences {
  const promised = takeDates(typedWords.trim(), (before) => ({
    line: (fixed) => joinWords('vessel ref', before.trim(), fixed),
    example: promiseExample,
    dateOrder: context.dateOrder,
    groups: context.vessels,
  }));
  const dates = promised?.value ?? [];
  const words = promised?.rest.trim().replace(/[,;]$/, '') ?? typedWords;
  const [, removed] = /^(?:remove|delete) (.+)$/i.exec(words.trim()) ?? [];
  const { vessel, verb, rest } = splitVessel(removed ? `${removed} remove` : words.trim(), context.vessels);
  const help = {
    line: (fixed: string) =>
      joinWords('vessel ref', fixed, verb === 'show' ? '' : verb, rest, ...dates.map(formatDue)),
    example: referenceExample,
    ...vesselHelp(context),
  };
  const imo = parseVessel(vessel, help);
  if (verb === 'show' && dates.length === 0) return { imo };
  const [named] = context.vessels.referenced(vessel).length > 0 ? [vessel] : [];
  // `BK-4413 remove` is about that reference.
  const isAlone = verb === 'show' || (verb === 'remove' && rest === '' && dates.length === 0);
  const typed =
    isAlone && named !== undefined ? [named] : splitReferences(rest.replace(referenceLabel, '$1'));
  const change = verb === 'show' ? 'add' : verb;
  const prose = change === 'add' && context.isTyped ? typed.find((each) => isProse.test(each)) : undefined;
  if (prose !== undefined) throw notPartOf('a reference', prose, help);
  const isOfNone = change === 'remove' && dates.length > 0;
  if (typed.length > 0 || isOfNone || (change === 'forget' && dates.length === 0))
    return { imo, change, references: typed, ...(dates.length > 0 && { dates }) };
  const asked =
    dates.length > 0 ? 'Which reference depends on that date?' : `Which reference should I ${change}?`;
  throw wordsError('missing-argument', asked, {
    line: (fixed) => `vessel ref ${imo} ${fixed}`,
    example: dates.length > 0 ? promiseExample : `vessel ref ${imo} ${change} BK123`,
  });
}

/**
 * `9461477 BK-1 due Rotterdam 7 dec, BK-2 due Antwerp 9 dec`: those after a vessel are of that vessel. Throws UserError with a
 * line for each if they are of several vessels.
 */
function severalPromises(words: string, context: ParseContext): VariantLine | undefined {
  const [first = '', ...others] = datedParts(words);
  if (others.length === 0 || !others.every((part) => /^(?!due\b)\S.* due /i.test(part))) return undefined;
  const { vessels } = context;
  const { vessel, verb } = splitVessel(first, vessels);
  const isNamed = (part: string) =>
    /\b\d{7}\b/.test(part) || vessels.named(splitVessel(part, vessels).vessel).length > 0;
  const again = joinWords(vessel, verb === 'remove' ? verb : '');
  const parts = others.map((part) => (isNamed(part) || !isNamed(first) ? part : `${again} ${part}`));
  const head = readReferences(first, context);
  const read = [head, ...parts.map((part) => readReferences(part, context))];
  if (read.every(({ imo }) => imo === head.imo)) return lineOfParts(head, read);
  const help = { line: (fixed: string) => fixed, example: promiseExample };
  throw wordsError('unexpected-words', 'Each line is about one vessel. Which of these do you want?', help, {
    areSeveral: true,
    choices: read.map(lineOf).map(({ line }) => ({ label: `/${line}`, line })),
  });
}

/** `BKG NO. EGLV149600123456`. */
const referenceLabel =
  /(^|[,;]\s*)(?:(?:bkg|booking|b\/l|bl|ref(?:erence)?|job|order|shipment)\b\.?\s*(?:(?:no|nr|number)\b\.?)?|(?:no|nr|number)\b\.?)\s*[:#]?\s+(?=\S)/gi;

/** Words or marks beside a figure that no reference has: `BK-4490 please`, `0042W add PO-778812`. */
const isProse =
  /^(?=.*\d)(?=.*(?:["'():]|(?:^|\s)(?:not|no|but|urgent|add|remove|please|pls|plz|thanks|thx|and|is|are|was|we|for|to|on|with|the|of|from)(?:\s|$)))/i;

interface Verb {
  verb: 'show' | ReferencesChange['change'];
  rest: string;
}

function splitVessel(words: string, vessels: VesselDirectory): Verb & { vessel: string } {
  const [, number, afterNumber = ''] = /^((?:imo[\s:]*)?\d{7})(?!\S)\s*,?\s*(.*)$/i.exec(words) ?? [];
  if (number !== undefined) return { vessel: number, ...verbOf(afterNumber) };
  const parts = words.split(/\s+/);
  // The longest run of words that is a vessel: `DS CYPRESS BK 123`.
  for (let count = parts.length; count > 0; count -= 1) {
    const vessel = parts.slice(0, count).join(' ').replace(/,$/, '');
    if (vessels.named(vessel).length + vessels.referenced(vessel).length > 0)
      return { vessel, ...verbOf(parts.slice(count).join(' ')) };
  }
  const [, before = words, verb = '', after = ''] =
    /^(.*?)\s+(add|remove|delete|forget)(?:\s+(.*))?$/i.exec(words) ?? [];
  return { vessel: before, ...verbOf(joinWords(verb, after)) };
}

function verbOf(words: string): Verb {
  if (words === '') return { verb: 'show', rest: '' };
  if (/^(?:forget|clear)$/i.test(words)) return { verb: 'forget', rest: '' };
  const [, typed, rest = ''] = /^(add|remove|delete)(?:\s+(.*))?$/i.exec(words) ?? [];
  if (typed === undefined) {
    const [, before] = /^(.+?)[\s,;]+(?:remove|delete|forget)$/is.exec(words) ?? [];
    return before === undefined ? { verb: 'add', rest: words } : { verb: 'remove', rest: before };
  }
  return { verb: /^add$/i.test(typed) ? 'add' : 'remove', rest };
}

/** For `vessel EVER GIVEN`, and `Vessel name: EVER GIVEN` of a document. */
const offerNextPorts = (words: string, context: ParseContext): Choice[] =>
  findVessels(withoutFrame(`vessel ${words}`, context.vessels), context.vessels)
    .slice(0, 3)
    .flatMap((imo) =>
      offer(`Where is ${context.vessels.nameOf(imo) ?? `IMO ${imo}`}?`, nextPortsOf(imo), context),
    );

function unknownVerb(words: string, nextPorts: readonly Choice[] = []): UserError {
  const help = { line: (fixed: string) => fixed, example: vesselExample };
  return wordsError('unexpected-words', `I don't know what to do with ${quote(words)}.`, help, {
    hint: 'You can name, list, forget, import and export vessels, give them references, and put them into fleets.',
    choices: [
      ...nextPorts,
      { label: 'List the names', line: 'vessel list' },
      { label: 'List the fleets', line: 'vessel fleets' },
    ],
  });
}
