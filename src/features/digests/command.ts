import { UserError } from '../../errors.ts';
import {
  formatPage,
  howToNamePerson,
  joinWords,
  pageOption,
  quote,
  scanOptions,
  takePerson,
} from '../../grammar/line.ts';
import { command, type VariantLine, variant } from '../command.ts';
import type { ParseContext, Question } from '../ctx.ts';
import { formatScope, scopes } from '../history/index.ts';
import { nextPortExample } from '../next-ports/index.ts';
import { listChoice } from '../owned/index.ts';
import type { Scope } from '../scope.ts';
import { digestsTable, planAnswer } from './answer.ts';
import { digestKind } from './digest.ts';
import { chooseDigest, chooseRemoved } from './digests.ts';
import { checkDigestLine, errorWithoutHelp, semicolonInName } from './lines.ts';
import { actionIn, checkNotEvery, digestMeanings, readAddition, readText } from './read-text.ts';
import { actOn, answerTo, digestActor, dryRun, edit, list, save } from './use-cases.ts';
import {
  canBeJoined,
  type DigestRef,
  type DigestWords,
  digestError,
  exampleLine,
  exampleLines,
  formatDigest,
  formatDigestRef,
  notUnderstood,
  parseDigest,
  takeDigestRef,
} from './words.ts';

const digestQuestions: readonly Question[] = [
  {
    example: 'Which digests do we have?',
    asked: [
      '(?:(?:what|which|how many)(?: are| is)? |list |show )?(?:the |our |all (?:the |our )?)?digests?(?: (?:do|have) (?:we|you)(?: have| got| get)?| are there| run| are (?:sent|planned)(?: here)?)?',
      "when(?:'s| is| does| do) (?:the |our )?(?:next )?digests?(?: come| run| sent| due)?",
    ],
    words: 'list',
  },
  {
    example: 'Which digests do I have?',
    asked: ['(?:(?:what|which)(?: are)? )?(?:my digests|digests (?:do|have) i(?: have| got| get)?)'],
    words: 'list mine',
  },
];

const changes = { effect: 'changes', of: 'place' } as const;

const adding = variant<{ words: DigestWords; isDryRun: boolean }>({
  ...changes,
  format: ({ words, isDryRun }) => joinWords('digest add', formatDigest(words), isDryRun ? 'dry run' : ''),
  confirmation: ({ isDryRun }) => (isDryRun ? 'Yes, try it' : 'Yes, add it'),
  // Some people in this channel may not see the digests of other channels.
  privacy: ({ words }) => (words.toMe || words.channelId !== undefined ? 'personal' : 'on-request'),
  run: async ({ words, isDryRun }, ctx) => (isDryRun ? dryRun(words, ctx) : (await save(words, ctx)).answer),
});

/** `digest add` alone: offers the form. */
const planning = variant<object>({
  ...changes,
  format: () => 'digest add',
  run: async () => planAnswer('What should be in the digest, and when should it be sent?'),
});

const listing = variant<{ scope: Scope; page: number }>({
  format: ({ scope, page }) => joinWords('digest list', formatScope(scope), formatPage(page)),
  effect: 'reads',
  privacy: ({ scope }) => (scope === 'channel' ? 'open' : 'not-public'),
  of: 'place',
  tables: [digestsTable],
  run: list,
});

const editing = variant<{ ref?: DigestRef; words: DigestWords }>({
  ...changes,
  format: ({ ref, words }) => editLine(ref, formatDigest(words)),
  confirmation: 'Yes, change it',
  run: ({ ref, words }, ctx) => edit(ref, words, ctx),
});

const verbs = ['show', 'restore', 'run', 'pause', 'resume', 'remove'] as const;
type Verb = (typeof verbs)[number];

const acting = variant<{ verb: Verb; ref?: DigestRef }>({
  format: ({ verb, ref }) => joinWords('digest', verb, formatDigestRef(ref)),
  effect: ({ verb }) => (verb === 'show' ? 'reads' : 'changes'),
  confirmation: ({ verb }) => `Yes, ${verb} it`,
  of: 'place',
  async run({ verb, ref }, ctx) {
    const choose = verb === 'restore' ? chooseRemoved : chooseDigest;
    const digest = await choose(ref, digestActor(ctx), ctx);
    return verb === 'show' ? answerTo('shown', digest, ctx) : await actOn(verb, digest.id, ctx);
  },
});

const namesZone = /\b[A-Z]\w+\/[A-Z]/;

export const digestCommand = command({
  name: 'digest',
  summary: 'Answers at set times in this channel, with what is new on top',
  usage:
    'add <when>: <line>; <line> … | list [mine|all] | show | edit | pause | resume | remove | restore | run | hand over [number]',
  usageHint: 'add <when>: <line>; <line> … | list | show | edit | run',
  examples: [
    `digest add weekdays 08:00 Europe/Berlin: ${exampleLines}`,
    `digest add "Monday" mon 07:30 only news to me: ${nextPortExample}`,
    'digest list',
    'digest list mine',
    'digest edit 2 daily 06:00, 18:00',
    'digest pause 2',
  ],
  options: [
    { typed: 'weekdays 08:00', help: 'when; also daily, mon wed, 1st 15th, and several times: 06:00, 18:00' },
    { typed: 'Europe/Berlin', help: 'the time zone; without it yours' },
    { typed: '"Monday"', help: 'its title' },
    { typed: 'only news', help: 'nothing is sent if nothing is new' },
    { typed: 'to me', help: 'sent to you alone, by direct message' },
    { typed: 'in #ops', help: 'sent in another channel' },
    { typed: 'dry run', help: 'shows it as it would be posted now, and saves nothing' },
  ],
  questions: digestQuestions,
  readText,
  meanings: digestMeanings,
  offerHint: (line) =>
    line.startsWith('digest add ') && !namesZone.test(line)
      ? 'The time is by your own clock; add another zone, such as Asia/Dubai, after it.'
      : undefined,
  wish: { words: 'Get answers every morning', form: { name: 'digest', label: 'Plan …' } },
  optionsNote: 'After the colon come the lines, separated by semicolons',
  variants: [adding, planning, listing, acting, editing],
  parse,
});

/** Reads a line of the digest. */
type ReadInner = NonNullable<ParseContext['readInner']>;

function parse(typed: string, context: ParseContext): VariantLine {
  const { readInner = notInTools } = context;
  const [, first = '', rest = ''] = /^([^\s:]*)\s*(.*)$/s.exec(typed.trim()) ?? [];
  const word = typed.trim() === '' ? 'list' : first.toLowerCase();
  switch (word) {
    case 'list':
      return parseList(rest);
    case 'add':
    case 'new':
    case 'create':
      return rest === '' ? planning.of({}) : parseAdd(rest, readInner);
    case 'edit':
    case 'change':
      return parseEdit(rest, readInner);
    case 'hand':
    case 'handover':
      return parseHandOver(rest);
    case 'run':
      return parseAction(word, rest.replace(/^now\b\s*/i, '').replace(/\s+now$/i, ''));
    case 'delete':
      return parseAction('remove', rest);
    default: {
      const verb = verbs.find((each) => each === word);
      // In `digest show me …`, the rest isn't a title.
      if (verb && !/^(?:me|us)\b/i.test(rest)) return parseAction(verb, rest);
      if (scopes.has(typed.trim().toLowerCase())) return parseList(typed);
      const acted = actionIn(`digest ${typed}`);
      // Of a sentence, nothing is done at once.
      if (acted !== undefined && typed.split(' ').length <= maxWords) return parse(acted, context);
      if (acted !== undefined)
        throw digestError('unexpected-words', `Nothing has changed yet. Do you want /digest ${acted}?`, {
          choices: [{ label: `/digest ${acted}`, line: `digest ${acted}` }],
        });
      checkNotEvery(`digest ${typed}`);
      const added = readAddition(`digest ${typed}`);
      if (added !== undefined) return parseAdd(added, readInner);
      const timed = readAddition(`digest ${typed} at 08:00`);
      if (timed !== undefined)
        throw digestError('bad-schedule', 'At what time of day should it be sent?', {
          choices: [{ label: '08:00', line: `digest add ${timed}` }],
        });
      throw unknownVerb(first || typed, stopped.exec(typed)?.[1]);
    }
  }
}

const maxWords = 5;

const parseAction = (verb: Verb, words: string): VariantLine =>
  acting.of({ verb, ...parseRef(words, `digest ${verb} 2`) });

function parseList(typed: string): VariantLine {
  const { rest, values } = scanOptions(
    typed,
    { page: pageOption },
    { command: 'digest list', example: exampleLine },
  );
  const scope = scopes.get(rest.toLowerCase());
  if (scope === undefined) throw notUnderstood(rest, 'digest list all');
  return listing.of({ scope, page: values.page ?? 1 });
}

function parseAdd(typed: string, readLine: ReadInner): VariantLine {
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
  return adding.of({ words: { ...words, lines }, isDryRun: dryRunWords !== '' });
}

const weekdayMornings = { days: { kind: 'week', weekdays: [1, 2, 3, 4, 5] }, minutes: [8 * 60] } as const;

function parseEdit(typed: string, readLine: ReadInner): VariantLine {
  const { ref, rest } = takeDigestRef(typed);
  const words = parseDigest(rest, {
    line: (fixed) => editLine(ref, fixed),
    example: 'digest edit 2 daily 06:00',
  });
  if (words.toMe || words.channelId !== undefined)
    throw digestError('unexpected-words', 'A digest stays where it is: add another one where you want it.', {
      example: `digest add weekdays 08:00 to me: ${nextPortExample}`,
    });
  const editCommand = (lines: string[]) => editLine(ref, formatDigest({ ...words, lines }));
  const lines = words.lines && readLines(words.lines, readLine, editCommand);
  return editing.of({ ...(ref && { ref }), words: { ...words, ...(lines && { lines }) } });
}

/** `2 to <@U024BE7LH>`: handing over is an edit of the owner. */
function parseHandOver(typed: string): VariantLine {
  const { rest, person: ownerId } = takePerson(typed.replace(/^over\b/i, ''));
  if (ownerId === undefined)
    throw digestError('missing-argument', 'Who should it be handed over to?', {
      hint: howToNamePerson,
      example: 'digest list',
    });
  return editing.of({ ...parseRef(rest, 'digest list'), words: { ownerId } });
}

/** Any words are a title, even without quotes. */
function parseRef(words: string, errorExample: string): { ref?: DigestRef } {
  const { ref, rest } = takeDigestRef(words);
  if (!ref && rest !== '') return { ref: { title: rest.replaceAll('"', '').trim() } };
  if (rest !== '') throw notUnderstood(rest, errorExample);
  return ref ? { ref } : {};
}

/** The canonical lines. An error names the number of its line; its choices are whole commands made by `commandOf`. */
function readLines(
  lines: readonly string[],
  readLine: ReadInner,
  commandOf: (lines: string[]) => string,
): string[] {
  const canonical = lines.map((typed, index) => {
    try {
      return checkDigestLine(readLine(typed)).line;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const { code, message, choices, ...details } = errorWithoutHelp(error);
      // “Do you want /portcalls Rotterdam?” is about the line alone: the button says that it adds the digest.
      const isAboutLine = choices.length === 1 && message.endsWith('?');
      throw digestError(code, lines.length === 1 ? message : `Line ${index + 1}: ${message}`, {
        ...details,
        choices: choices.map((choice) => {
          const line = commandOf(lines.with(index, choice.line));
          return { label: isAboutLine ? `/${line}` : choice.label, line };
        }),
      });
    }
  });
  if (canBeJoined(canonical)) return canonical;
  throw semicolonInName();
}

/** Tools have fields, and none of them is a digest's. */
const notInTools = (): never => {
  throw new Error('a line without a reader for the lines in it');
};

/** A colon follows without a space: `digest edit 2: usage`. */
function editLine(ref: DigestRef | undefined, words: string): string {
  const start = joinWords('digest edit', formatDigestRef(ref));
  return words.startsWith(':') ? `${start}${words}` : joinWords(start, words);
}

/** `stop 4` may mean either. */
const stopped = /^(?:stop|cancel|end|kill)\s+(?:no\.?\s*|#)?(\d{1,4})$/i;

const unknownVerb = (first: string, number?: string): UserError =>
  digestError('unexpected-words', `${quote(first)} isn't something a digest can do.`, {
    hint: 'You can add, list, show, edit, hand over, pause, resume, remove, restore and run a digest.',
    choices: [
      ...(number === undefined ? [] : ['pause', 'remove']).map((verb) => ({
        label: `/digest ${verb} ${number}`,
        line: `digest ${verb} ${number}`,
      })),
      listChoice(digestKind),
    ],
  });
