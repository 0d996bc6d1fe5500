import { attempt, UserError } from '../../errors.ts';
import { formatCarriers } from '../../grammar/carriers.ts';
import { formatLanes, pairsOf } from '../../grammar/lanes.ts';
import { joinWords } from '../../grammar/line.ts';
import type { Mentions } from '../../grammar/mentions.ts';
import { parsePeriod } from '../../grammar/parse-period.ts';
import type { PortPair } from '../../grammar/port.ts';
import type { Topic } from '../../grammar/topics.ts';
import type { PortOrGroup } from '../../reference/codes.ts';
import { portName } from '../../reference/ports.ts';
import { cannotLeaveOut, oneQuestionEach, withoutLeftOut } from './words.ts';

const others: ReadonlySet<Topic> = new Set(['manage', 'wish', 'promises', 'unknown']);

/** Between other words, these say that a text is about how carriers perform. */
const performance =
  / (?:reliab\p{L}*|perform\p{L}*|punctual\p{L}*|omi(?:t|ss)\p{L}*|skip\p{L}*|blank(?:ed|s|ings?)?|rank\p{L}*|best|worst|better|worse|bad|good|late|lateness|delay\p{L}*|ontime|on time|otp|scorecards?|figures|stats|statistics|kpis?|track record|lanes?|trades?|pol|carriers?|lines?|everyone|everybody|side by side|next to|yoy) /u;

/** What would change the answer, or is something else than delays and omitted calls. */
const notShown =
  / (?:except|without|excl|excluding|not|besides|apart|other than|how much (?:is|are|does|for|to)|transit times?|frequency|(?<!blank )sailings|capacity|volumes?|expect\p{L}*|forecast\p{L}*|predict\p{L}*|will|would) /u;

const comparing = / (?:compared?|comparison|against|vs|versus|than|better|worse|next to|relative|as) /;
const byMonth =
  / (?:(?:by|per|each|every) (?:calendar )?(?:months?|mths?)|monthly|month ?wise|month by month|trend|trends|over time) /;
const byQuarter =
  / (?:(?:by|per|each|every) (?:calendar )?(?:quarters?|qtrs?)|quarterly|quarter (?:by|on|over) quarter) /;
const overYears = / (?:yoy|y y|(?:year|yr) (?:on|over) (?:year|yr)) /;
const gotWorse =
  / (?:(?:get|got|gotten|getting|gone|become|becoming) (?:\S+ )?(?:better|worse|late\p{L}*|(?:more|less) \p{L}+)|improv\p{L}*|deteriorat\p{L}*) /u;

/** Lanes; or two ports in a list with carriers or a word such as reliable, and without a vessel. */
export function readText(mentions: Mentions): string | undefined {
  const { vessels, groups, carriers, topic, rest, text } = mentions;
  const leavesOut = withoutLeftOut(text) !== undefined;
  if (vessels.length + groups.length > 0 || others.has(topic)) return undefined;
  if (notShown.test(rest) && !leavesOut) return undefined;
  const lanes = lanesIn(mentions);
  const periods = periodsIn(mentions);
  // The grammar says why: a carrier between two lanes may be of one of them, or of both.
  if (mentions.command !== undefined && lanes.length > 1 && carriers.length > 0) return undefined;
  const inLanes = new Set<PortOrGroup>(lanes.flatMap(({ origin, destination }) => [origin, destination]));
  // Two codes of one port make no lane.
  if (lanes.length === 0 || !periods || mentions.ports.some((port) => !inLanes.has(port))) return undefined;
  const [lane, ...otherLanes] = lanes;
  if (lane && belongTogether(mentions.sequence, { hasSeveralLanes: otherLanes.length > 0 }))
    throw askOneEach(mentions, { lanes });
  if (leavesOut) throw cannotLeaveOut(joinWords('lane', formatLanes(lanes), ...periods, partsIn(rest)));
  const compared = carriers.length === 1 && withOthers.test(rest) ? [] : carriers;
  return joinWords(formatLanes(lanes), formatCarriers(compared), ...periods, partsIn(rest));
}

/** `more reliable than everybody else`: the answer ranks all. */
const withOthers =
  / (?:(?:every|any)(?:one|body)|all|any) (?:else|others?|(?:other|the other) (?:lines?|carriers?)) | the (?:rest|others|competition|other (?:lines?|carriers?)) /;

/** Whatever else the text says. Throws UserError. */
export const readLane = (mentions: Mentions): string | undefined =>
  readText({
    ...mentions,
    topic: 'performance',
    rest: `${mentions.rest.replace(new RegExp(notShown, 'gu'), ' ')}lane `,
  });

/** `Maersk q2 vs MSC q3`, `Hapag Ningbo Hamburg, ONE Ningbo Rotterdam`: each carrier may have its own period or lane. */
const belongTogether = (sequence: string, { hasSeveralLanes }: { hasSeveralLanes: boolean }): boolean =>
  /(?:cd){2}|(?:dc){2}/.test(sequence.replaceAll('p', '')) ||
  (hasSeveralLanes && /(?:cpp){2}|(?:ppc){2}/.test(sequence.replaceAll('d', '')));

/** The first carrier with the first period or lane, the second with the second. */
function askOneEach(
  { carriers, periods, versus }: Mentions,
  { lanes }: { lanes: readonly PortPair[] },
): UserError {
  const allPeriods = [...periods, versus].filter((each) => each !== undefined);
  const lines = carriers.slice(0, 4).map((carrier, at) => {
    const lane = lanes[lanes.length > 1 ? at : 0];
    return joinWords(
      'lane',
      lane && formatLanes([lane]),
      formatCarriers([carrier]),
      allPeriods[allPeriods.length > 1 ? at : 0],
    );
  });
  return oneQuestionEach(lines);
}

/** `month by month`, `trend per quarter`. */
const partsIn = (rest: string): string | undefined =>
  byQuarter.test(rest) ? 'by quarter' : byMonth.test(rest) ? 'by month' : undefined;

function lanesIn({ command, ports, routes, carriers, versus, corrections, topic, rest }: Mentions) {
  const isSaid = command !== undefined || performance.test(rest);
  const isLane = isSaid || carriers.length > 0 || versus !== undefined;
  // `Has MSC left Shanghai for Rotterdam` is about a vessel.
  const mayBeOther = topic === 'past' || topic === 'busy' || topic === 'changes';
  if (mayBeOther && !isSaid) return [];
  // `who skipped Felixstowe coming from Ningbo`: the second may be the origin.
  const isReversed = / (?:from|ex) /.test(rest);
  if (routes.length === 0) return isLane && ports.length === 2 && !isReversed ? pairsOf(ports) : [];
  const isMisspelt = ({ origin, destination }: PortPair): boolean =>
    corrections.some(({ meant }) => meant === portName(origin) || meant === portName(destination));
  // The word may be part of a vessel's name.
  return !isLane && routes.some(isMisspelt) ? [] : routes;
}

const textBetween = (text: string, first: string, second: string): string =>
  text.slice(text.indexOf(first) + first.length, text.lastIndexOf(second));

/** Undefined if there are more than fit. */
function periodsIn({ periods, versus, rest, text }: Mentions): readonly string[] | undefined {
  const [period, other, ...more] = periods;
  if (more.length > 0) return undefined;
  if (versus !== undefined) return other === undefined ? [period ?? '', `versus ${versus}`] : undefined;
  if (period !== undefined && other !== undefined) {
    const isList = /^\s*(?:and|[,&+])\s*$/i.test(textBetween(text, period, other));
    if (comparing.test(rest) && !isList) return [period, `versus ${other}`];
    // `aug and oct` leaves one out.
    const first = period.replace(/^(?:in|for) /i, '');
    const isRange = !isList && / (?:to|until|till?|thru|through|between|from) /.test(rest);
    const both = isRange ? `${first}..${other}` : `${first} and ${other}`;
    const isRead = attempt(() => parsePeriod(both, { example: '', line: (fixed) => fixed }));
    return isRead instanceof UserError ? undefined : [both];
  }
  if (overYears.test(rest)) return [period ?? '', 'versus year earlier'];
  return [period ?? '', gotWorse.test(rest) ? 'versus previous' : ''];
}
