import { UserError } from '../../errors.ts';
import { quote } from '../../grammar/line-help.ts';
import { formatPage, joinWords, pageOption, scanOptions } from '../../grammar/options.ts';
import { readPerson } from '../../grammar/place-words.ts';
import { legacyCommand } from '../command.ts';
import type { ParseContext } from '../line.ts';
import type { Scope } from '../owned/scope.ts';
import { checkDigestLine, errorWithoutHelp, type ReadLine, semicolonInName } from './check-lines.ts';
import { digestsTable } from './table.ts';
import {
  actOnDigest,
  type DigestsServices,
  dryRun,
  editDigest,
  listDigests,
  saveDigest,
} from './use-cases.ts';
import { addDigestView, type DigestsAnswer, digestsView } from './views/digest-list.ts';
import { type DigestDryRun, type DigestReply, digestReplyView, dryRunView } from './views/digest-reply.ts';
import {
  canBeJoined,
  checkNoWords,
  type DigestRef,
  type DigestWords,
  digestError,
  exampleLine,
  formatDigest,
  formatDigestRef,
  parseDigest,
  takeDigestRef,
} from './words.ts';

type Action = Parameters<typeof actOnDigest>[0];

type DigestArgs =
  | { kind: 'add'; words: DigestWords; isDryRun: boolean }
  /** `digest add` alone: offers the form. */
  | { kind: 'plan' }
  | { kind: 'list'; scope: Scope; page: number }
  | { kind: Action; ref?: DigestRef }
  | { kind: 'edit'; ref?: DigestRef; words: DigestWords };

type DigestAnswer = DigestReply | DigestDryRun | DigestsAnswer | { kind: 'plan' };

/** `readLine` parses the lines of digests. It is passed in because the registry contains this command. */
export const createDigestCommand = (
  readLine: (line: string, context: ParseContext) => ReturnType<ReadLine>,
) =>
  legacyCommand<DigestArgs, DigestAnswer, DigestsServices>({
    name: 'digest',
    summary: 'Answers at set times in this channel, with what is new on top',
    usage:
      'add <when>: <line>; <line> … | list [mine|all] | show | edit | pause | resume | remove | restore | run | hand over [number]',
    examples: [
      'digest add weekdays 08:00 Europe/Berlin: portcalls NLRTM next 3 days; nextport list:FEEDERS; usage',
      'digest add "Monday" mon 07:30 only news to me: nextport 9461477',
      'digest list',
      'digest list mine',
      'digest edit 2 daily 06:00, 18:00',
      'digest pause 2',
    ],
    options: [
      {
        typed: 'weekdays 08:00',
        help: 'when; also daily, mon wed, 1st 15th, and several times: 06:00, 18:00',
      },
      { typed: 'Europe/Berlin', help: 'the time zone; without it yours' },
      { typed: '"Monday"', help: 'its title' },
      { typed: 'only news', help: 'nothing is sent if nothing is new' },
      { typed: 'to me', help: 'sent to you alone, by direct message' },
      { typed: 'in #ops', help: 'sent in another channel' },
      { typed: 'dry run', help: 'shows it as it would be posted now, and saves nothing' },
    ],
    optionsNote: 'After the colon come the lines, separated by semicolons',
    repeatable: ({ kind }) => kind === 'list' || kind === 'show',
    // Some people in this channel may not see the digests of other channels.
    privacy: (args) =>
      isElsewhere(args) ? 'personal' : args.kind === 'show' || args.kind === 'list' ? 'open' : 'on-request',
    needsSlack: true,
    dependsOnPlace: true,
    parse: (words, context) => parse(words, (line) => readLine(line, context)),
    format,
    async run(args, context) {
      switch (args.kind) {
        case 'add':
          return args.isDryRun ? dryRun(args.words, context) : saveDigest(args.words, context);
        case 'plan':
          return { kind: 'plan' };
        case 'edit':
          return editDigest(args.ref, args.words, context);
        case 'list':
          return listDigests({ line: format(args), scope: args.scope, page: args.page }, context);
        default:
          return actOnDigest(args.kind, args.ref, context);
      }
    },
    tables: [digestsTable],
    table: (answer) =>
      answer.kind === 'digests' ? digestsTable.of({ rows: answer.digests, total: answer.total }) : undefined,
    view(answer, reader) {
      if (answer.kind === 'digest') return digestReplyView(answer, reader);
      if (answer.kind === 'dry-run') return dryRunView(answer);
      if (answer.kind === 'digests') return digestsView(answer, reader);
      return addDigestView('What should be in the digest, and when should it be sent?');
    },
  });

const isElsewhere = (args: DigestArgs): boolean =>
  (args.kind === 'list' && args.scope !== 'channel') ||
  (args.kind === 'add' && Boolean(args.words.toMe ?? args.words.channelId));

function parse(typed: string, readLine: ReadLine): DigestArgs {
  const [, first = '', rest = ''] = /^([^\s:]*)\s*(.*)$/s.exec(typed.trim()) ?? [];
  const verb = typed.trim() === '' ? 'list' : first.toLowerCase();
  switch (verb) {
    case 'list':
      return parseList(rest);
    case 'add':
    case 'new':
    case 'create':
      return rest === '' ? { kind: 'plan' } : parseAdd(rest, readLine);
    case 'edit':
    case 'change':
      return parseEdit(rest, readLine);
    case 'hand':
    case 'handover':
      return parseHandOver(rest);
    case 'run':
      return parseAction(verb, rest.replace(/^now\b\s*/i, '').replace(/\s+now$/i, ''));
    case 'delete':
      return parseAction('remove', rest);
    case 'show':
    case 'pause':
    case 'resume':
    case 'remove':
    case 'restore':
      return parseAction(verb, rest);
    default:
      throw unknownVerb(first || typed, typed);
  }
}

function parseList(typed: string): DigestArgs {
  const { rest, values } = scanOptions(
    typed,
    { page: pageOption },
    { command: 'digest list', example: exampleLine },
  );
  return { kind: 'list', scope: scopeOf(rest), page: values.page ?? 1 };
}

function scopeOf(words: string): Scope {
  if (/^all(?: channels)?$/i.test(words)) return 'all';
  if (/^(?:mine|my|me)$/i.test(words)) return 'mine';
  if (!/^(?:here|this channel)$/i.test(words)) checkNoWords(words, 'digest list all');
  return 'channel';
}

function parseAdd(typed: string, readLine: ReadLine): DigestArgs {
  const [dryRunWords = ''] = /[\s;]+dry run$/i.exec(typed) ?? [];
  const rest = typed.slice(0, typed.length - dryRunWords.length);
  const words = parseDigest(rest, { line: (fixed) => `digest add ${fixed}`, example: exampleLine });
  if (!words.lines)
    throw digestError('missing-argument', 'What should the digest contain? Type its lines after a colon.', {
      hint: 'Each line is a command; separate them with semicolons.',
    });
  if (words.ownerId !== undefined)
    throw digestError('unexpected-words', 'A new digest is your own: add it first, then hand it over.');
  const addCommand = (changes: DigestWords) => `digest add ${formatDigest({ ...words, ...changes })}`;
  if (!words.when)
    throw digestError('bad-schedule', 'When should it be sent?', {
      choices: [{ label: 'Weekdays 08:00', line: addCommand({ when: { schedule: weekdayMornings } }) }],
    });
  const lines = readLines(words.lines, readLine, (fixed) => addCommand({ lines: fixed }));
  return { kind: 'add', words: { ...words, lines }, isDryRun: dryRunWords !== '' };
}

const weekdayMornings = { days: { kind: 'week', weekdays: [1, 2, 3, 4, 5] }, minutes: [8 * 60] } as const;

function parseEdit(typed: string, readLine: ReadLine): DigestArgs {
  const { ref, rest } = takeDigestRef(typed);
  const words = parseDigest(rest, {
    line: (fixed) => editLine(ref, fixed),
    example: 'digest edit 2 daily 06:00',
  });
  if (words.toMe || words.channelId !== undefined)
    throw digestError('unexpected-words', 'A digest stays where it is: add another one where you want it.', {
      example: 'digest add weekdays 08:00 to me: usage',
    });
  const editCommand = (lines: string[]) => editLine(ref, formatDigest({ ...words, lines }));
  const lines = words.lines && readLines(words.lines, readLine, editCommand);
  return { kind: 'edit', ...(ref && { ref }), words: { ...words, ...(lines && { lines }) } };
}

/** `2 to <@U024BE7LH>`: handing over is an edit of the owner. */
function parseHandOver(typed: string): DigestArgs {
  const [, digest = '', person = ''] =
    /^(.*?)(?:(?:^|\s)to)?\s*(\S+)$/is.exec(typed.replace(/^over\b\s*/i, '').trim()) ?? [];
  const ownerId = readPerson(person);
  if (ownerId === undefined)
    throw digestError('missing-argument', 'Who should it be handed over to?', {
      hint: 'Type @ and pick the person from the list that Slack shows.',
      example: 'digest list',
    });
  return { kind: 'edit', ...parseRef(digest, 'digest list'), words: { ownerId } };
}

const parseAction = (kind: Action, words: string): DigestArgs => ({
  kind,
  ...parseRef(words, `digest ${kind} 2`),
});

/** Any words are a title, even without quotes. */
function parseRef(words: string, errorExample: string): { ref?: DigestRef } {
  const { ref, rest } = takeDigestRef(words);
  if (!ref && rest !== '') return { ref: { title: rest.replaceAll('"', '').trim() } };
  checkNoWords(rest, errorExample);
  return ref ? { ref } : {};
}

/** The canonical lines. An error names the number of its line; its choices are whole commands made by `commandOf`. */
function readLines(
  lines: readonly string[],
  readLine: ReadLine,
  commandOf: (lines: string[]) => string,
): string[] {
  const canonical = lines.map((typed, index) => {
    try {
      return checkDigestLine(readLine(typed)).line;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const { code, message, choices, ...details } = errorWithoutHelp(error);
      throw digestError(code, lines.length === 1 ? message : `Line ${index + 1}: ${message}`, {
        ...details,
        choices: choices.map(({ label, line }) => ({ label, line: commandOf(lines.with(index, line)) })),
      });
    }
  });
  if (canBeJoined(canonical)) return canonical;
  throw semicolonInName();
}

function format(args: DigestArgs): string {
  switch (args.kind) {
    case 'add':
      return joinWords('digest add', formatDigest(args.words), args.isDryRun ? 'dry run' : '');
    case 'plan':
      return 'digest add';
    case 'list':
      return joinWords('digest list', args.scope === 'channel' ? '' : args.scope, formatPage(args.page));
    case 'edit':
      return editLine(args.ref, formatDigest(args.words));
    default:
      return joinWords('digest', args.kind, formatDigestRef(args.ref));
  }
}

/** A colon follows without a space: `digest edit 2: usage`. */
function editLine(ref: DigestRef | undefined, words: string): string {
  const start = joinWords('digest edit', formatDigestRef(ref));
  return words.startsWith(':') ? `${start}${words}` : joinWords(start, words);
}

function unknownVerb(first: string, typed: string): UserError {
  const looksLikeAdd = typed.includes(':');
  return digestError('unexpected-words', `${quote(first)} isn't something a digest can do.`, {
    hint: 'You can add, list, show, edit, hand over, pause, resume, remove, restore and run a digest.',
    choices: [
      ...(looksLikeAdd ? [{ label: 'Add it', line: `digest add ${typed}` }] : []),
      { label: 'List the digests', line: 'digest list' },
    ],
  });
}
