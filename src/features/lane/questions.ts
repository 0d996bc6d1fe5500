import { attempt, UserError } from '../../errors.ts';
import { carriersIn, formatCarriers } from '../../grammar/carriers.ts';
import { joinWords, scanOptions } from '../../grammar/line.ts';
import { formatPeriod } from '../../grammar/period.ts';
import { readPort } from '../../grammar/port.ts';
import { findVessels } from '../../grammar/vessel.ts';
import { portName } from '../../reference/ports.ts';
import type { LineContext, Question, Slots } from '../ctx.ts';
import { splitsOf } from '../question-words.ts';
import { example, laneOptions, parse } from './words.ts';

const late = '(?:late|delayed|punctual|reliable|good|often late|often delayed|often on time)';
const perform = '(?:perform|performed|performing|do|doing|done)';
const changed = '(?:any )?(?:better|worse|later|more punctual|less punctual|more reliable|less reliable)';
const laneWord = '(?:on |for |in )?(?:the )?(?:trade lane|lane|route|trade)(?: from| between)?';
const from = `(?:${laneWord}|from|between|on)`;
const atOrFrom = `(?:${from}|at|in|to|of)`;
const everybody = '(?:ships|vessels|carriers|all carriers|they|we|calls)';
const carriers = '(?:carriers?|shipping lines?|liners?|lines?)';
const performance =
  '(?:on[- ]?time(?: (?:performance|share|arrivals?))?|otp|(?:schedule )?reliability|punctuality|(?:carrier )?performance|delays?|omissions|carrier ranking|omitted calls)';
const choose =
  "(?:compare|(?:(?:who(?:'s| is)|which is|what(?:'s| is)) )?(?:better|best)[:,]?|should (?:i|we) (?:book|use|take|choose))";
const omitted = '(?:omitted|skipped|missed|omit|skip|miss|blanked|cancelled)';
const portCalls = '(?:(?:port )?calls|ports|omissions)';

export const laneQuestions: readonly Question[] = [
  {
    example: 'How late is MSC from Singapore to Xiamen?',
    asked: [
      `how ${late} (?:is|are|was|were) {carrier} ${from} {lane}`,
      `{carrier} ${from} {lane}`,
      `{carrier} ${performance} (?:${from} )?{lane}`,
    ],
    words: carriersOnLane,
  },
  {
    example: 'MSC vs Maersk Shanghai Rotterdam',
    asked: [`(?:${choose} )?(?:the )?(?:${performance} )?(?:(?:of|for|from) )?{words}`],
    words: carriersThenLane,
  },
  {
    example: 'Is MSC better than Maersk from Shanghai to Rotterdam?',
    asked: [`(?:is|are|was|were) {carrier} ${changed} than {other} (?:${from} )?{lane}`],
    words: '{lane} carriers {carrier}, {other}',
  },
  {
    example: 'On-time performance Singapore Xiamen',
    asked: [`(?:the )?${performance} {words}`],
    words: ({ words = '' }, { vessels }) => [words].filter((each) => canParse(each, vessels)),
  },
  {
    example: 'How many calls did MSC omit from Singapore to Rotterdam?',
    asked: [
      `how many ${omitted} ${portCalls} (?:did|does|do|has|have|had) {carrier} (?:have|had|make|made)? ?${atOrFrom} {lane}`,
      `how many ${portCalls} (?:did|does|do|has|have|had) {carrier} ${omitted} ${atOrFrom} {lane}`,
      `how often (?:did|does|do|has|have) {carrier} ${omitted} {lane}`,
    ],
    words: omittedOnLane,
  },
  {
    example: 'Has MSC got worse on Singapore Xiamen?',
    asked: [`(?:has|have|did|is|are) {carrier} (?:got|gotten|become|get|getting) ${changed} ${from} {lane}`],
    words: '{lane} carriers {carrier} versus previous',
  },
  {
    example: 'How does the lane Rotterdam to Singapore perform?',
    asked: [
      `how (?:does|do|did|is|has) (?:${laneWord} )?{lane} ${perform}{period}?`,
      `how ${late} (?:is|are|was|were) (?:${everybody} ${from}|${laneWord}) {lane}`,
      `(?:rank|compare|ranking of)(?: the| all)? ${carriers} (?:(?:${from}|for) )?{lane}`,
    ],
    words: '{lane} {period}',
  },
];

function carriersOnLane({ lane = '', carrier = '' }: Slots): readonly string[] {
  return [`${lane} carriers ${carrier}`];
}

/** `MSC vs Maersk Shanghai Rotterdam`: nothing stands between, so all must be known, unless two carriers are. */
function carriersThenLane({ words = '' }: Slots, { vessels }: LineContext): readonly string[] {
  // `MSC DIANA Antwerp` is about that vessel, not about a lane from DIANA.
  if (findVessels(words, vessels).length > 0) return [];
  const named = splitsOf(words).filter(([typed]) => carriersIn(typed).length > 0);
  const lines = named
    .map(([typed, ports]) => `${ports} carriers ${typed}`)
    .filter((line) => canParse(line, vessels));
  const [typed = '', ports] = named.at(-1) ?? [];
  return lines.length === 0 && carriersIn(typed).length > 1 ? [`${ports} carriers ${typed}`] : lines;
}

/** Omitted calls are counted for carriers between two ports. At one port alone they aren't known. */
function omittedOnLane(slots: Slots): readonly string[] {
  const [words = ''] = carriersOnLane(slots);
  const { rest, values } = scanOptions(words, laneOptions, { command: 'lane', example });
  const read = readPort(rest);
  if (read.kind !== 'one') return [words];
  const other = read.port === 'SGSIN' ? 'Rotterdam' : 'Singapore';
  throw new UserError({
    code: 'missing-argument',
    message: `On which trade lane? Omitted calls are counted by carrier from one port to another, not for ${portName(read.port)} alone.`,
    hint: 'Name both ports, origin first.',
    example: joinWords(
      `lane ${other} ${portName(read.port)}`,
      values.carriers && formatCarriers(values.carriers),
      values.period && formatPeriod(values.period),
    ),
  });
}

const canParse = (words: string, vessels: LineContext['vessels']): boolean =>
  !(attempt(() => parse(words, { vessels })) instanceof UserError);
