import { UserError } from '../../errors.ts';
import { quote, wordsError } from '../../grammar/line.ts';
import { isPronoun } from '../../grammar/vessel.ts';
import { nearest } from '../../reference/nearest.ts';
import { isPlainWord } from '../../reference/plain-words.ts';
import { changes, changesHelp, parseChanges, sinceHelp } from '../changes/index.ts';
import { command, type VariantLine } from '../command.ts';
import type { ParseContext } from '../ctx.ts';
import { scopes } from '../history/index.ts';
import { watchRules } from '../rules/index.ts';
import { parseStability, stability, stabilityHelp, stabilityTool } from '../stability/index.ts';
import { add, parseAdd } from './add-line.ts';
import { changeVariants, changeVerbs } from './change-watches.ts';
import { parsePromises, promises } from './list-promises.ts';
import { list, parseList } from './list-watches.ts';
import { watchQuestions } from './questions.ts';
import { readText, watchMeanings } from './read-text.ts';

type ParseVerb = (words: string, context: ParseContext) => VariantLine;

const verbs = new Map<string, ParseVerb>([
  ['add', parseAdd],
  ['list', parseList],
  ['promises', parsePromises],
  ['promised', parsePromises],
  ['changes', (words, context) => changes.of(parseChanges(words, context))],
  ['changed', (words, context) => changes.of(parseChanges(words, context))],
  ['stability', (words, context) => stability.of(parseStability(words, context))],
  ...changeVerbs,
]);

export const watchCommand = command({
  name: 'watch',
  summary: 'Be notified in a thread when the next port or the ETA of a vessel changes',
  usage:
    '<vessel[, vessel …] | fleet:NAME | list:NAME [at PORT] | port PORT> [rules] [in #channel | to me] [dry run] | list | promises [of VESSELS | at PORT] | changes [at PORT | of VESSELS] [since WHEN] | stability [vessel | fleet:NAME | list:NAME | ORIGIN DESTINATION] | stop | snooze | acknowledge | assign @PERSON | hand over [in #channel]',
  usageHint: '<vessel> | fleet:NAME | port PORT [rules] | list | changes',
  examples: [
    'watch 9461477',
    'watch 9461477 eta 6h',
    'watch 9461477 due NLRTM friday 18:00',
    'watch list:FEEDERS only next port, eta 6h',
    'watch port Rotterdam quiet 22:00-06:00',
    'watch fleet:NORTH at Rotterdam',
    'watch 9461477 below 40% arriving 24h dry run',
    'watch list',
    'watch promises',
    'watch changes since yesterday',
    'watch changes at Rotterdam since monday',
    'watch stability 9461477',
    'watch snooze 9461477 until 24h before eta',
    'watch stop 9461477',
  ],
  options: [
    ...watchRules.help,
    ...changesHelp,
    ...sinceHelp.map(({ typed, help }) => ({ typed: `changes ${typed}`, help })),
    ...stabilityHelp,
  ],
  optionsNote:
    'Rules, in any order; what is not typed has its default. Changes are those in the channel (in a direct message: of your own watches), by default since midnight; in a digest, since the one before',
  questions: watchQuestions,
  readText,
  meanings: watchMeanings,
  offerHint: (line, [period]) =>
    period !== undefined && isPlainWatch.test(line) ? `${quote(period)} isn't part of it.` : undefined,
  wish: { words: 'Be alerted when something changes', form: { name: 'watch', label: 'Watch …' } },
  verbs: ['snooze', 'wake', 'stop', 'resume', 'acknowledge', 'ack', 'assign'],
  variants: [add, ...changeVariants, list, promises, changes, stability],
  tools: [stabilityTool],
  parse(words, context) {
    const [, verb = '', rest = ''] = /^(\S+)\s*(.*)$/s.exec(words.trim()) ?? [];
    const parse = verbs.get(verb.toLowerCase());
    // In `watch list : FEEDERS`, `list` is no verb: it names a list of vessels.
    if (parse && !rest.startsWith(':')) return parse(rest, context);
    try {
      return parseAdd(words, context);
    } catch (error) {
      throw (hasChoices(error) ? undefined : misspeltVerb(verb, rest, context)) ?? plainWord(words) ?? error;
    }
  },
});

const hasChoices = (error: unknown): boolean => !(error instanceof UserError) || error.choices.length > 0;

const isPlainWatch = /^watch (?!stop|snooze)(?!.* due )/;

/** In `watch settings` no vessel is named. */
function plainWord(typed: string): UserError | undefined {
  const word = typed.trim();
  if (!/^\p{Ll}+$/u.test(word) || !isPlainWord(word) || scopes.has(word) || isPronoun(word)) return undefined;
  const help = { line: (fixed: string) => fixed, example: 'watch 9461477 eta 6h' };
  return wordsError('unexpected-words', `${quote(word)} isn't something a watch can do.`, help, {
    hint: 'You can watch vessels, fleets, lists and ports, and list, stop, snooze, acknowledge, assign and hand over watches.',
    choices: [
      { label: 'List the watches here', line: 'watch list' },
      { label: 'List my watches', line: 'watch list mine' },
    ],
  });
}

/** Undefined if no verb is near, or if the words after it would be wrong too. */
function misspeltVerb(typed: string, rest: string, context: ParseContext): UserError | undefined {
  const known = [...verbs].map(([key, parse]) => ({ key, value: { key, parse } }));
  const [near] = nearest(typed.toLowerCase(), known, 1);
  if (!near) return undefined;
  try {
    const { line } = near.parse(rest, context);
    const help = { line: () => line, example: 'watch 9461477 eta 6h' };
    const message = `I don't know ${quote(typed)}. Did you mean “${near.key}”?`;
    return wordsError('unexpected-words', message, help, { choices: [{ label: line, line }] });
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}
