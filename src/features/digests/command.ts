import { UserError } from '../../errors.ts';
import { quote } from '../../grammar/line-help.ts';
import { formatPage, joinWords, pageOption, scanOptions } from '../../grammar/options.ts';
import { readPerson } from '../../grammar/place-words.ts';
import type { Message, Reader } from '../../messages/message.ts';
import { defineCommand, type ParseContext, type Prepared } from '../command.ts';
import { firstUnfit, readDigestLine, unfitLine } from './commands/parse-digest-line.ts';
import {
  actOnDigest,
  editDigest,
  listDigests,
  planDigest,
  previewDigest,
  saveDigest,
} from './commands/run-digest-command.ts';
import type { DigestsServices } from './services.ts';
import { type DigestsAnswer, digestsView, planDigestView } from './views/digest-list.ts';
import { type DigestReply, digestReplyView } from './views/digest-reply.ts';
import {
  type DigestRef,
  type DigestWords,
  formatDigest,
  formatDigestRef,
  parseDigest,
  refuseWords,
  takeDigestRef,
} from './words.ts';

type One = 'show' | 'pause' | 'resume' | 'remove' | 'restore' | 'run';

type DigestArgs =
  | { kind: 'add'; words: DigestWords; isDryRun: boolean }
  | { kind: 'plan' }
  | { kind: 'list'; scope: DigestScope; page: number }
  | { kind: One; ref?: DigestRef }
  | { kind: 'edit'; ref?: DigestRef; words: DigestWords };

type DigestScope = DigestsAnswer['scope'];
type DigestAnswer = DigestReply | DigestsAnswer | { kind: 'plan' };

/** Reads a line that is to be in a digest: its canonical form, and whether it only reads. */
type ReadLine = (line: string, context: ParseContext) => ReturnType<Read>;

const example = 'digest add weekdays 08:00: portcalls NLRTM next 3 days; usage';

/** It gets the registry as a reader of lines, since the registry contains this command. */
export const createDigestCommand = (readLine: ReadLine) =>
  defineCommand<DigestArgs, DigestAnswer, DigestsServices>({
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
    repeatable: ({ kind }) => kind === 'list' || kind === 'show',
    // What other channels have is not for everybody in this one.
    privacy: (args) =>
      isElsewhere(args) ? 'personal' : args.kind === 'show' || args.kind === 'list' ? 'open' : 'asked',
    inSlack: true,
    parse: (words, context) => parse(words, (line) => readLine(line, context)),
    format,
    run(args, context) {
      switch (args.kind) {
        case 'add':
          return args.isDryRun ? previewDigest(args.words, context) : saveDigest(args.words, context);
        case 'plan':
          return planDigest(context);
        case 'edit':
          return editDigest(args.ref, args.words, context);
        case 'list':
          return listDigests({ line: format(args), scope: args.scope, page: args.page }, context);
        default:
          return actOnDigest(args.kind, args.ref, context);
      }
    },
    view,
  });

const isElsewhere = (args: DigestArgs): boolean =>
  (args.kind === 'list' && args.scope !== 'channel') ||
  (args.kind === 'add' && Boolean(args.words.toMe ?? args.words.channelId));

function view(answer: DigestAnswer, reader: Reader): Message {
  switch (answer.kind) {
    case 'digest':
      return digestReplyView(answer, reader);
    case 'digests':
      return digestsView(answer, reader);
    case 'plan':
      return planDigestView('What should be in the digest, and when should it be sent?');
  }
}

type Read = (line: string) => Pick<Prepared, 'line' | 'repeatable' | 'privacy'>;

function parse(typed: string, read: Read): DigestArgs {
  const [, first = '', rest = ''] = /^([^\s:]*)\s*(.*)$/s.exec(typed.trim()) ?? [];
  const verb = typed.trim() === '' ? 'list' : verbs.get(first.toLowerCase());
  switch (verb) {
    case undefined:
      throw unknownVerb(first || typed, typed);
    case 'list': {
      const { rest: words, values } = scanOptions(
        rest,
        { page: pageOption },
        { command: 'digest list', example },
      );
      return { kind: 'list', scope: scopeOf(words), page: values.page ?? 1 };
    }
    case 'add':
      return rest === '' ? { kind: 'plan' } : parseAdd(rest, read);
    case 'edit':
      return parseEdit(rest, read);
    case 'hand-over':
      return parseHandOver(rest);
    default:
      return parseOne(verb, rest);
  }
}

const verbs: ReadonlyMap<string, Exclude<DigestArgs['kind'], 'plan'> | 'hand-over'> = new Map<
  string,
  Exclude<DigestArgs['kind'], 'plan'> | 'hand-over'
>([
  ['add', 'add'],
  ['new', 'add'],
  ['create', 'add'],
  ['list', 'list'],
  ['show', 'show'],
  ['edit', 'edit'],
  ['change', 'edit'],
  ['pause', 'pause'],
  ['resume', 'resume'],
  ['remove', 'remove'],
  ['delete', 'remove'],
  ['restore', 'restore'],
  ['hand', 'hand-over'],
  ['handover', 'hand-over'],
  ['run', 'run'],
]);

function parseAdd(typed: string, read: Read): DigestArgs {
  const [dryRun = ''] = /[\s;]+dry run$/i.exec(typed) ?? [];
  const rest = typed.slice(0, typed.length - dryRun.length);
  const help = { line: (fixed: string) => `digest add ${fixed}`, example };
  const words = parseDigest(rest, help);
  if (!words.lines)
    throw new UserError({
      code: 'missing-argument',
      message: 'What should the digest contain? Type its lines after a colon.',
      hint: 'Each line is a command; separate them with semicolons.',
      example,
    });
  if (words.ownerId !== undefined)
    throw new UserError({
      code: 'unexpected-words',
      message: 'A new digest is your own: add it first, then hand it over.',
      example,
    });
  if (!words.when)
    throw new UserError({
      code: 'bad-schedule',
      message: 'When should it be sent?',
      choices: [choiceOf({ ...words, when: { schedule: workingMornings } })],
      example,
    });
  const lines = readLines(
    words.lines,
    read,
    (fixed) => `digest add ${formatDigest({ ...words, lines: fixed })}`,
  );
  return { kind: 'add', words: { ...words, lines }, isDryRun: dryRun !== '' };
}

const workingMornings = { days: { kind: 'week', weekdays: [1, 2, 3, 4, 5] }, minutes: [8 * 60] } as const;

function choiceOf(words: DigestWords) {
  return { label: 'Weekdays 08:00', line: `digest add ${formatDigest(words)}` };
}

function parseEdit(typed: string, read: Read): DigestArgs {
  const { ref, rest } = takeDigestRef(typed);
  const words = parseDigest(rest, {
    line: (fixed) => editLine(ref, fixed),
    example: 'digest edit 2 daily 06:00',
  });
  if (words.toMe || words.channelId !== undefined)
    throw new UserError({
      code: 'unexpected-words',
      message: 'A digest stays where it is: add another one where you want it.',
      example: 'digest add weekdays 08:00 to me: usage',
    });
  if (!words.lines) return { kind: 'edit', ...(ref && { ref }), words };
  const lines = readLines(words.lines, read, (fixed) =>
    editLine(ref, formatDigest({ ...words, lines: fixed })),
  );
  return { kind: 'edit', ...(ref && { ref }), words: { ...words, lines } };
}

/** `2 to <@U024BE7LH>`, which is an edit of whose it is. */
function parseHandOver(typed: string): DigestArgs {
  const [, named = '', person = ''] =
    /^(.*?)(?:(?:^|\s)to)?\s*(\S+)$/is.exec(typed.replace(/^over\b\s*/i, '').trim()) ?? [];
  const ownerId = readPerson(person);
  if (ownerId === undefined)
    throw new UserError({
      code: 'missing-argument',
      message: 'Who should it be handed over to?',
      hint: 'Type @ and pick the person from the list that Slack shows.',
      example: 'digest list',
    });
  const { ref, rest } = takeDigestRef(named);
  if (!ref && rest !== '') return { kind: 'edit', ref: { title: titleIn(rest) }, words: { ownerId } };
  refuseWords(rest, 'digest list');
  return { kind: 'edit', ...(ref && { ref }), words: { ownerId } };
}

function scopeOf(words: string): DigestScope {
  const [, all, mine] = /^(?:(all(?: channels)?)|(mine|my|me)|here|this channel)$/i.exec(words) ?? [];
  if (all) return 'all';
  if (mine) return 'mine';
  if (words !== '' && !/^(?:here|this channel)$/i.test(words)) refuseWords(words, 'digest list all');
  return 'channel';
}

const titleIn = (words: string): string => words.replaceAll('"', '').trim();

function parseOne(kind: One, typed: string): DigestArgs {
  const words = kind === 'run' ? typed.replace(/^now\b\s*/i, '').replace(/\s+now$/i, '') : typed;
  const { ref, rest } = takeDigestRef(words);
  if (!ref && rest !== '') return { kind, ref: { title: titleIn(rest) } };
  refuseWords(rest, `digest ${kind} 2`);
  return { kind, ...(ref && { ref }) };
}

/** Each in its canonical form. What is wrong with one is said with its number, and put right within the whole. */
function readLines(lines: readonly string[], read: Read, lineOf: (fixed: string[]) => string): string[] {
  const canonical = lines.map((typed, index) => {
    const withFixed = (fixed: string) => lineOf(lines.with(index, fixed));
    try {
      return readDigestLine(typed, read);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const { code, message, hint, choices } = error;
      throw new UserError({
        code,
        message: lines.length === 1 ? message : `Line ${index + 1}: ${message}`,
        // Help is no answer that somebody wants each morning.
        choices: choices
          .filter(({ line }) => line !== 'landfall')
          .map(({ label, line }) => ({ label, line: withFixed(line) })),
        ...(hint !== undefined && { hint }),
        example,
      });
    }
  });
  if (firstUnfit(canonical) === undefined) return canonical;
  throw unfitLine();
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

/** Without other words the colon follows at once: `digest edit 2: usage`. */
function editLine(ref: DigestRef | undefined, words: string): string {
  const start = joinWords('digest edit', formatDigestRef(ref));
  return words.startsWith(':') ? `${start}${words}` : joinWords(start, words);
}

function unknownVerb(first: string, typed: string): UserError {
  const looksLikeAdd = typed.includes(':');
  return new UserError({
    code: 'unexpected-words',
    message: `${quote(first)} isn't something a digest can do.`,
    hint: 'You can add, list, show, edit, hand over, pause, resume, remove, restore and run a digest.',
    choices: [
      ...(looksLikeAdd ? [{ label: 'Add it', line: `digest add ${typed}` }] : []),
      { label: 'List the digests', line: 'digest list' },
    ],
    example,
  });
}
