import { type Choice, UserError } from '../../../errors.ts';
import { type LineHelp, quote, wordsError } from '../../../grammar/line-help.ts';
import { formatPage, joinWords, pageOption, scanOptions, wordOption } from '../../../grammar/options.ts';
import { channelOption, formatChannel, formatPerson, readPerson } from '../../../grammar/place-words.ts';
import type { VesselHelp } from '../../../grammar/vessel.ts';
import { nearest } from '../../../reference/nearest.ts';
import { parseChanges } from '../../changes/index.ts';
import { checkScope, formatScope, scopes } from '../../history/index.ts';
import type { ParseContext } from '../../line.ts';
import type { Scope } from '../../owned.ts';
import { parseStability, stability } from '../../stability/index.ts';
import type { VariantLine } from '../../variant.ts';
import { changes } from '../changes.ts';
import type { RuleWords } from '../rules/index.ts';
import { watchRules } from '../rules/registry.ts';
import { formatSnooze, type SnoozeWords, takeSnooze } from '../words/snooze.ts';
import { formatWatchSubject, isAboutPort, parseWatchSubject, type WatchSubject } from '../words/subject.ts';

export type WatchArgs =
  | ({ kind: 'add'; subject: WatchSubject; rules: RuleWords; isDryRun: boolean; toMe?: boolean } & InChannel)
  | ({ kind: 'list'; scope: Scope; page: number } & InChannel)
  | ({ kind: 'stop-all'; isSure: boolean } & InChannel)
  | ({ kind: 'stop'; isSure: boolean } & Target)
  | ({ kind: 'resume' | 'wake' | 'acknowledge' } & Target)
  | ({ kind: 'snooze'; snooze: SnoozeWords } & Target)
  | ({ kind: 'assign'; to: string } & Target)
  | ({ kind: 'hand-over'; to: string } & Target);

/** `channelId` is undefined for the channel in which the line is typed. */
interface InChannel {
  channelId?: string | undefined;
}

/** `subject` is undefined for the watch in whose thread the line is typed. */
interface Target extends InChannel {
  subject?: WatchSubject | undefined;
}

const example = 'watch 9461477 eta 6h';

const verbs = new Map<string, (words: string, context: ParseContext) => WatchArgs>([
  ['add', parseAdd],
  ['list', parseList],
  ['stop', parseStop],
  ['remove', parseStop],
  ['end', parseStop],
  ['snooze', parseSnooze],
  ['wake', (words, context) => parseOtherVerb(words, 'wake', context)],
  ['resume', (words, context) => parseOtherVerb(words, 'resume', context)],
  ['acknowledge', (words, context) => parseOtherVerb(words, 'acknowledge', context)],
  ['ack', (words, context) => parseOtherVerb(words, 'acknowledge', context)],
  ['assign', parseAssign],
  ['hand', parseHandOver],
  ['handover', parseHandOver],
]);

/** What has changed, and how stable predictions are. */
const views = new Map<string, (words: string, context: ParseContext) => VariantLine>([
  ['changes', (words) => changes.of(parseChanges(words))],
  ['changed', (words) => changes.of(parseChanges(words))],
  ['stability', (words, context) => stability.of(parseStability(words, context))],
]);

/** In `watch list : FEEDERS`, `list` is no verb: it names a list of vessels. */
const splitVerb = (words: string) => {
  const [, verb = '', rest = ''] = /^(\S+)\s*(.*)$/s.exec(words.trim()) ?? [];
  return { verb, rest, isVerb: !rest.startsWith(':') };
};

/** Undefined for any other line of the command. Throws UserError. */
export function readView(words: string, context: ParseContext): VariantLine | undefined {
  const { verb, rest, isVerb } = splitVerb(words);
  return isVerb ? views.get(verb.toLowerCase())?.(rest, context) : undefined;
}

/** Throws UserError. */
export function notAView(words: string): never {
  throw wordsError('unexpected-words', `${quote(words)} asks neither for changes nor for stability.`, {
    line: (fixed) => `watch ${fixed}`,
    example: 'watch changes',
  });
}

export function readWatchLine(words: string, context: ParseContext): WatchArgs {
  const { verb, rest, isVerb } = splitVerb(words);
  const parse = verbs.get(verb.toLowerCase());
  if (parse && isVerb) return parse(rest, context);
  try {
    return parseAdd(words, context);
  } catch (error) {
    throw (hasChoices(error) ? undefined : misspeltVerb(verb, rest, context)) ?? error;
  }
}

const hasChoices = (error: unknown): boolean => !(error instanceof UserError) || error.choices.length > 0;

/** Undefined if no verb is near, or if the words after it would be wrong too. */
function misspeltVerb(typed: string, rest: string, context: ParseContext): UserError | undefined {
  const lines = new Map([
    ...[...verbs].map(([key, parse]) => [key, () => formatWatchLine(parse(rest, context))] as const),
    ...[...views].map(([key, parse]) => [key, () => parse(rest, context).line] as const),
  ]);
  const known = [...lines].map(([key, lineOf]) => ({ key, value: { key, lineOf } }));
  const [near] = nearest(typed.toLowerCase(), known, 1);
  if (!near) return undefined;
  try {
    const line = near.lineOf();
    const choices = [{ label: line, line }];
    const message = `I don't know ${quote(typed)}. Did you mean “${near.key}”?`;
    return wordsError('unexpected-words', message, { line: () => line, example }, { choices });
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

function parseAdd(words: string, { vessels }: ParseContext): WatchArgs {
  const options = {
    dryRun: wordOption('dry run'),
    toMe: wordOption('to me'),
    channel: channelOption,
    ...watchRules.options,
  };
  const { rest, values, help } = scanOptions(words, options, { command: 'watch', example });
  const subject = parseSubject(rest, { ...help, vessels });
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
  if (isAboutPort(subject)) checkPortRules(subject, rules, help);
  // Quiet hours alone name nothing to be notified of.
  const { quiet: _, ...others } = rules;
  if (watchRules.format(others) === 'only') {
    const message = 'Only what? After “only” name the rules to be notified by; all others are off.';
    const line = (fixed: string) => joinWords('watch', formatWatchSubject(subject), fixed);
    throw wordsError('bad-rule', message, { line, example }, { fixes: ['only next port', 'only eta 6h'] });
  }
  return { kind: 'add', subject, rules, channelId, isDryRun, ...(toMe && { toMe }) };
}

/** Throws UserError. Words that name no vessel may end in a rule, and the name of a vessel in the words of a rule. */
function parseSubject(words: string, help: VesselHelp): WatchSubject {
  try {
    return parseWatchSubject(words, help);
  } catch (error) {
    throw watchRules.askValue(words, help) ?? error;
  }
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

function parseList(words: string): WatchArgs {
  const options = { page: pageOption, channel: channelOption };
  const { rest, values, help } = scanOptions(words, options, helpFor('list', 'watch list all'));
  const { page = 1, channel: channelId } = values;
  const scope = scopes.get(rest.toLowerCase());
  const all = { label: 'In all my channels', line: 'watch list all' };
  const mine = { label: 'My watches', line: 'watch list mine' };
  if (scope === undefined) {
    throw wordsError('unexpected-words', `${quote(rest)} isn't a list of watches.`, help, {
      hint: "To watch one of the provider's lists, write its name after a colon: list:FEEDERS.",
      choices: [{ label: 'In this channel', line: 'watch list' }, all, mine],
    });
  }
  const list = { kind: 'list', scope, page, channelId } as const;
  checkScope(list, help, formatWatchLine);
  return list;
}

function parseStop(words: string, context: ParseContext): WatchArgs {
  const options = { sure: wordOption('yes'), channel: channelOption };
  const { rest, values, help } = scanOptions(words, options, helpFor('stop', 'watch stop 9461477'));
  const { sure: isSure = false, channel: channelId } = values;
  if (/^all$/i.test(rest)) return { kind: 'stop-all', isSure, channelId };
  return { kind: 'stop', subject: parseTarget(rest, help, context), isSure, channelId };
}

function parseSnooze(words: string, context: ParseContext): WatchArgs {
  const options = { snooze: takeSnooze, channel: channelOption };
  const { rest, values, help } = scanOptions(words, options, helpFor('snooze', 'watch snooze 9461477 1h'));
  const { snooze, channel: channelId } = values;
  if (snooze) return { kind: 'snooze', subject: parseTarget(rest, help, context), snooze, channelId };
  throw wordsError('bad-snooze', 'How long should it be snoozed?', help, {
    hint: 'Write 1h, 2 days, “until 27 Nov 08:00”, “until 24h before eta” or “until next port”.',
    choices: [{ label: '1 hour', line: joinWords('watch snooze', rest, '1h', formatChannel(channelId)) }],
  });
}

function parseHandOver(words: string, context: ParseContext): WatchArgs {
  const options = { channel: channelOption };
  const { rest, values, help } = scanOptions(words, options, helpFor('hand over', 'watch list mine'));
  const [, before = '', person = ''] = /^(?:over\b\s*)?(.*?)(?:(?:^|\s)to)?\s*(\S+)$/is.exec(rest) ?? [];
  const to = readPerson(person);
  if (to !== undefined) {
    return { kind: 'hand-over', subject: parseTarget(before, help, context), to, channelId: values.channel };
  }
  throw wordsError('missing-argument', 'Who should it be handed over to?', help, {
    hint: 'Type @ and pick the person from the list that Slack shows.',
  });
}

function parseAssign(words: string, context: ParseContext): WatchArgs {
  const options = { channel: channelOption };
  const { rest, values, help } = scanOptions(words, options, helpFor('assign', 'watch list'));
  const [, before = '', person = ''] = /^(.*?)(?:(?:^|\s)to)?\s*(\S+)$/is.exec(rest) ?? [];
  const to = readPerson(person);
  if (to !== undefined) {
    return { kind: 'assign', subject: parseTarget(before, help, context), to, channelId: values.channel };
  }
  throw wordsError('missing-argument', 'Who should take its alerts?', help, {
    hint: 'Type @ and pick the person from the list that Slack shows.',
  });
}

function parseOtherVerb(
  words: string,
  kind: 'resume' | 'wake' | 'acknowledge',
  context: ParseContext,
): WatchArgs {
  const options = { channel: channelOption };
  const { rest, values, help } = scanOptions(words, options, helpFor(kind, 'watch list'));
  return { kind, subject: parseTarget(rest, help, context), channelId: values.channel };
}

const helpFor = (verb: string, example: string) => ({ command: `watch ${verb}`, example });

function parseTarget(words: string, help: LineHelp, { vessels }: ParseContext): WatchSubject | undefined {
  if (words.trim() === '') return undefined;
  return parseWatchSubject(words, { ...help, example: 'watch list', vessels });
}

/** Returns the canonical line. */
export function formatWatchLine(args: WatchArgs): string {
  const channel = formatChannel(args.channelId);
  const subject = 'subject' in args && args.subject ? formatWatchSubject(args.subject) : '';
  switch (args.kind) {
    case 'add':
      return joinWords(
        'watch',
        subject,
        watchRules.format(args.rules),
        channel,
        args.toMe ? 'to me' : '',
        args.isDryRun ? 'dry run' : '',
      );
    case 'list':
      return joinWords('watch list', formatScope(args.scope), channel, formatPage(args.page));
    case 'stop':
      return joinWords('watch stop', subject, channel, args.isSure ? 'yes' : '');
    case 'stop-all':
      return joinWords('watch stop all', channel, args.isSure ? 'yes' : '');
    case 'snooze':
      return joinWords('watch snooze', subject, formatSnooze(args.snooze), channel);
    case 'assign':
      return joinWords('watch assign', subject, formatPerson(args.to), channel);
    case 'hand-over':
      return joinWords('watch hand over', subject, formatPerson(args.to), channel);
    default:
      return joinWords('watch', args.kind, subject, channel);
  }
}
