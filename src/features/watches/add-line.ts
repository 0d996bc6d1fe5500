import { z } from 'zod';
import type { Answer } from '../../answers/answer.ts';
import type { Choice, UserError } from '../../errors.ts';
import {
  channelOption,
  formatChannel,
  joinWords,
  type LineHelp,
  quote,
  scanOptions,
  wordOption,
  wordsError,
} from '../../grammar/line.ts';
import type { VesselHelp } from '../../grammar/vessel-help.ts';
import { type VariantLine, variant } from '../command.ts';
import { type AskCtx, type ParseContext, vesselHelp } from '../ctx.ts';
import { flagInput, type InputField, optional, textField } from '../fields.ts';
import { withDetails } from '../outsiders.ts';
import { withPausedWork } from '../owned/index.ts';
import { type RuleWords, watchRules } from '../rules/index.ts';
import { previewWatch } from './add-watch.ts';
import { addAnswer, previewAnswer } from './added-answer.ts';
import {
  fieldsOfSubject,
  formatWatchSubject,
  isAboutPort,
  isOneVessel,
  parseWatchSubject,
  type SubjectParts,
  subjectInputs,
  subjectOfParts,
  type WatchSubject,
} from './words/subject.ts';

interface AddLine {
  subject: WatchSubject;
  /** As typed. */
  rules: RuleWords;
  isDryRun: boolean;
  /** Undefined for the line's own channel. */
  channelId: string | undefined;
  /** Notifies only the person, in a direct message. */
  toMe: boolean;
}

const example = 'watch 9461477 eta 6h';

const isOnByDefault = ({ defaultValue }: { defaultValue: unknown }): boolean => defaultValue === true;

const listed = (rules: readonly { typed: string; help: string }[]): string =>
  rules.map(({ typed, help }) => `“${typed}”: ${help}`).join('; ');

const rulesInput: InputField<RuleWords> = {
  schema: textField({
    description: [
      'When to notify, several separated by spaces; left out: the defaults.',
      `${listed([...watchRules.all.filter((rule) => !isOnByDefault(rule)), ...watchRules.limits])}.`,
      'On by default, so named only after “only”, which turns all others off, as in “only diverted eta 6h”:',
      listed(watchRules.all.filter(isOnByDefault)),
    ].join(' '),
    examples: ['eta 6h', 'only diverted', 'below 40% quiet 22:00-06:00'],
  }),
  parse(given) {
    const about = { command: '', example: 'eta 6h' };
    const { rest, values, help } = scanOptions(String(given), watchRules.options, about);
    if (rest === '') return values;
    throw wordsError('bad-rule', `${quote(rest)} isn't a rule of a watch.`, help);
  },
  format: (rules) => watchRules.format(rules) || undefined,
};

interface AddParts extends SubjectParts {
  rules: RuleWords | undefined;
  dryRun: boolean;
}

const format = ({ subject, rules, channelId, toMe, isDryRun }: AddLine): string =>
  joinWords(
    'watch',
    formatWatchSubject(subject),
    watchRules.format(rules),
    formatChannel(channelId),
    toMe ? 'to me' : '',
    isDryRun ? 'dry run' : '',
  );

export const add = variant<AddLine, AddParts>({
  tool: {
    name: 'watch_add',
    title: 'Watch vessels or a port',
    description:
      'Adds a watch for the person who asks: Landfall then notifies them in a direct message when the predicted next port or ETA changes. Nobody else is notified. If they watch the same already, `rules` is added to its rules, and a rule of the same kind takes the new figure; after “only” they replace all of them. Ask the person before you add one; with `dryRun`, the answer only says what it would cost.',
    effect: 'adds',
    outcome: {
      outcome: z
        .enum(['added', 'changed', 'same', 'would-be-added'])
        .describe('`same`: it was there already; `changed`: its rules were others before'),
      watch: z.string().describe('What is watched'),
      rules: z.array(z.string()).describe('When it notifies'),
      callsPerMonth: z.int().min(0).describe('API calls that it adds'),
    },
  },
  input: { ...subjectInputs, rules: optional(rulesInput), dryRun: flagInput('Saves nothing') },
  // For the person who asks, in the direct message with the bot: an assistant posts in no channel.
  settle({ rules = {}, dryRun: isDryRun, ...parts }) {
    const subject = subjectOfParts(parts);
    const help = { example, line: (fixed: string) => `watch ${fixed}` };
    return checked({ subject, rules, isDryRun, channelId: undefined, toMe: true }, help);
  },
  // In a direct message, where assistants ask, a watch notifies the person with or without “to me”.
  fields: ({ subject, rules, channelId, isDryRun }) =>
    channelId === undefined
      ? { ...fieldsOfSubject(subject), ...rulesField(rules), ...(isDryRun && { dryRun: true }) }
      : undefined,
  format,
  effect: 'changes',
  confirmation: ({ subject, isDryRun }) =>
    isDryRun ? 'Yes, try it' : `Yes, watch ${'imos' in subject && subject.imos.length > 1 ? 'them' : 'it'}`,
  privacy: ({ channelId }) => (channelId === undefined ? 'on-request' : 'personal'),
  of: 'place',
  run,
});

function rulesField(rules: RuleWords) {
  const words = watchRules.format(rules);
  return words === '' ? {} : { rules: words };
}

async function run(line: AddLine, ctx: AskCtx): Promise<Answer> {
  const { subject, channelId, toMe, isDryRun } = line;
  const rules = watchRules.resolve(line.rules, {
    now: ctx.now(),
    zone: ctx.actor.zone,
    example: (rule) => `watch 9461477 ${rule}`,
    isOneVessel: isOneVessel(subject),
  });
  const { only, ...typed } = line.rules;
  const typedRules = only ? undefined : Object.keys(typed);
  const values = { subject, rules, typedRules, channelId, isPersonal: toMe };
  if (isDryRun) {
    const asList = (name: string) => format({ ...line, subject: { kind: 'list', name }, isDryRun: false });
    const save = { line: format({ ...line, isDryRun: false }), asList };
    return previewAnswer({ ...(await previewWatch(values, ctx)), save }, ctx);
  }
  const privately = format({ ...line, channelId: undefined, toMe: true });
  const answer = await addAnswer(values, ctx, { privately }).catch(
    withDetails({ toMe: { value: privately } }),
  );
  return await withPausedWork(answer, ctx);
}

/** The words after `watch`. Throws UserError. */
export function parseAdd(words: string, context: ParseContext): VariantLine {
  const options = {
    dryRun: wordOption('dry run'),
    toMe: wordOption('to me'),
    channel: channelOption,
    ...watchRules.options,
  };
  const { rest, values, help } = scanOptions(words, options, {
    command: 'watch',
    ...{ example, dateOrder: context.dateOrder, groups: context.vessels },
  });
  const subject = parseSubject(rest, { ...help, ...vesselHelp(context) });
  const { dryRun: isDryRun = false, toMe = false, channel: channelId, ...rules } = values;
  if (toMe && channelId !== undefined) {
    const line = (place: string) =>
      joinWords('watch', formatWatchSubject(subject), watchRules.format(rules), place);
    throw wordsError('unexpected-words', 'Should it be posted to you alone, or in that channel?', help, {
      choices: [
        { label: 'To me', line: line('to me') },
        { label: 'In that channel', line: line(formatChannel(channelId)) },
      ],
    });
  }
  return add.of(checked({ subject, rules, isDryRun, channelId, toMe }, help));
}

/** Throws UserError. Words that name no vessel may end in a rule, and the name of a vessel in the words of a rule. */
function parseSubject(words: string, help: VesselHelp): WatchSubject {
  try {
    return parseWatchSubject(words, help);
  } catch (error) {
    throw watchRules.askValue(words, help, (before) => isSubject(before, help)) ?? error;
  }
}

function isSubject(words: string, help: VesselHelp): boolean {
  try {
    return parseWatchSubject(words, help) !== undefined;
  } catch {
    return false;
  }
}

/** Throws UserError for rules that don't fit the subject, or that notify of nothing. */
function checked(values: AddLine, help: LineHelp): AddLine {
  const { subject, rules } = values;
  if (isAboutPort(subject)) checkPortRules(subject, rules, help);
  else if (rules.due && !isOneVessel(subject)) throw notOneVessel(subject, rules);
  // Quiet hours alone name nothing to be notified of.
  const { quiet: _, ...others } = rules;
  if (watchRules.format(others) !== 'only') return values;
  const message = 'Only what? After “only” name the rules to be notified by; all others are off.';
  const line = (fixed: string) => joinWords('watch', formatWatchSubject(subject), fixed);
  throw wordsError('bad-rule', message, { line, example }, { fixes: ['only next port', 'only eta 6h'] });
}

/** Each of a few vessels is offered. */
function notOneVessel(subject: WatchSubject, rules: RuleWords): UserError {
  const imos = subject.kind === 'vessels' ? subject.imos.slice(0, 3) : [];
  const words = watchRules.format(rules);
  const help = {
    line: (vessel: string) => joinWords('watch', vessel, words),
    example: 'watch 9461477 due NLRTM friday 18:00',
  };
  return wordsError('bad-rule', 'A due date is about one vessel.', help, {
    hint: 'Watch that vessel with its due date.',
    choices: imos.map((imo) => ({ label: `Watch ${imo} with it`, line: help.line(String(imo)) })),
  });
}

/** Throws UserError for a rule about a vessel's next port or due dates, which a port doesn't have. */
function checkPortRules(subject: WatchSubject, rules: RuleWords, help: LineHelp): void {
  const allowed = new Set(watchRules.rulesFor({ isPort: true }).map(({ key }) => key)).add('quiet');
  const { only = false, ...named } = rules;
  // A rule without a value, such as `lost`, changes nothing for a port, unless it is one of the only ones. `until next port`
  // ends the watch.
  const isForVessels = ([key, value]: [string, unknown]) =>
    !allowed.has(key) && (value !== true || only || key === 'untilNextPort');
  const vesselRules = watchRules.format(Object.fromEntries(Object.entries(named).filter(isForVessels)));
  if (vesselRules === '') return;
  const portHelp = { ...help, example: 'watch port Rotterdam eta 6h' };
  throw wordsError('bad-rule', `${quote(vesselRules)} is a rule for vessels, not for a port.`, portHelp, {
    hint: 'A watch of a port notifies you of vessels newly expected or no longer expected, and of ETAs that moved.',
    choices: subject.kind === 'port' ? [] : [atAnyPort(subject, help)],
  });
}

function atAnyPort(
  { at: _, ...subject }: Exclude<WatchSubject, { kind: 'port' }>,
  { line }: LineHelp,
): Choice {
  const vessels = formatWatchSubject(subject);
  return { label: `${vessels} at any port`, line: line(vessels) };
}
