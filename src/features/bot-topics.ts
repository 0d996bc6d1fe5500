import { withMeantCues } from '../grammar/cues.ts';
import { joinWords } from '../grammar/line.ts';
import type { Mentions } from '../grammar/mentions.ts';
import { isNearPeriodWord } from '../grammar/nearest-period.ts';
import { fold } from '../reference/nearest.ts';
import { isPlainWord } from '../reference/plain-words.ts';
import type { Meaning } from './ctx.ts';

/** What people ask about the bot itself, and about what is set up in their workspace. */
export type BotTopic =
  | 'audit'
  | 'help'
  | 'pause'
  | 'resume'
  | 'settings'
  | 'limit'
  | 'own usage'
  | 'usage'
  | 'account'
  | 'status'
  | 'overview'
  | 'promises'
  | 'digests'
  | 'fleets'
  | 'port groups'
  | 'watches'
  | 'names';

/** How a command that is about one of them reads texts. `words`: those after its name, by default none. */
export const readAbout = (
  topic: BotTopic,
  words: Meaning['words'] = nowhere,
): { readText: Meaning['words']; meanings: readonly Meaning[] } => ({
  readText: (mentions) => (botTopicOf(mentions) === topic ? words(mentions) : undefined),
  meanings: [{ name: topic, words }],
});

const nowhere = ({ text }: Mentions): string | undefined => (placesIn(text).length > 0 ? undefined : '');

/**
 * Undefined also for a text that names a vessel, a port or the like: it is about that, unless it asks who changed its watch,
 * name or fleet.
 */
export function botTopicOf(mentions: Mentions): BotTopic | undefined {
  const { text, command } = mentions;
  const places = text.match(/[#@]\w/g)?.length ?? 0;
  if (places > placesIn(text).length) return undefined;
  // The name of the command says what the text is about.
  const words = ` ${withMeantCues(fold(joinWords(command, text.replaceAll(/'re\b/gi, ' are'))))} `;
  const isShort = words.split(' ').length <= maxWords;
  const isRequest = isShort || text.includes('?') || asks.test(` ${fold(text)} `);
  const topic =
    isRequest && (asksFirst.test(words) || !recurs.test(words))
      ? rules.find(({ matches }) => matches(words))?.topic
      : undefined;
  const unread = withoutPlaces(mentions);
  const isDropped =
    topic !== 'limit' && (unreadNumber.test(unread) || unread.split(' ').some(isMisspeltTime));
  const isNarrowed = topic === 'audit' && narrowed.test(unread);
  const isOfOne = topic === 'audit' && mentions.vessels.length === 1 && !/\bdigest\W*\d/i.test(text);
  if (isDropped || isNarrowed || (!isOfOne && /\b\d{7}\b/.test(text))) return undefined;
  const isOfNamed = topic === 'audit' && (ownThings.test(words) || asksWhoChanged.test(text));
  return namesSomething(mentions) && !isOfNamed ? undefined : topic;
}

/** `who added EVER GIVEN`, perhaps after the name of a command. */
export const asksWhoChanged =
  /^(?:vessel |watch |digest )?(?:who|which (?:user|person|admin|colleague))(?: has| had| did|'s)? (?:put (?:the|an?|this) (?:watch|alert)|added|named|renamed|removed|deleted|forgot|changed|edited|created|stopped|paused|snoozed|set up)\b(?! to\b)/i;

/** The words that nothing has read. */
const withoutPlaces = ({ rest, text, codes }: Mentions): string =>
  [...placesIn(text), ...codes].reduce((words, each) => words.replace(fold(each), ' '), rest);

const isMisspeltTime = (word: string): boolean =>
  word.length >= 5 && !isPlainWord(word) && isNearPeriodWord(word);

const unreadNumber = / \S*\d{4}\S* /;
/** `by ben`: a person or a channel whose id isn't known. */
const narrowed =
  / (?:by|of) (?!(?:the|our|my|this|all|what|who|any|some|everything|changes|whom|mistake|accident) )\S+ /;

const namesSomething = ({ vessels, groups, ports, carriers, codes }: Mentions): boolean =>
  [vessels, groups, ports, carriers, codes.filter((code) => !invoice.test(code))].some(
    ({ length }) => length > 0,
  );

const invoice = /^inv/i;

/** `of <#C024BE7LR>`, `by <@U024BE7LH>`, as typed. */
export const placesIn = (text: string): string[] =>
  text.match(/\b(?:(?:of|in) <#[CDG][A-Z0-9]+>|by <@[UW][A-Z0-9]+>)/gi) ?? [];

/** A digest that should be sent. */
const recurs =
  / (?:(?:every|each) (?:morning|day|evening|week|month|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|(?:week|work|mon|tues|wednes|thurs|fri|satur|sun)days|mon(?:day)? (?:to )?fri(?:day)?) /;

const asksFirst = /^ (?:which|what|whats|who|how|do|does|is|are|any) /;

/** A request without a word that asks is short. Two more, for the spaces around it. */
const maxWords = 5 + 2;

/** Whole words of a folded text. */
const has = (...words: readonly string[]): RegExp => new RegExp(` (?:${words.join('|')}) `, 'u');

const asks = has(
  'who|whos|whose|what|whats|wot|wat|which|where|when|how|hows|why|is|are|am|do|does|did|can|could|any',
  'anything|anybody|anyone|list|show|give|get|see|needs?|wants?|send|share|pull|tell|check|look|please|pls',
  'plz|kindly|overview|put|hold|stop|pause|halt|freeze|suspend|shut|switch|turn|set|raise|lower|again|no more',
);

const ownThings = has(
  'watch|watches|watching|digests?|names?|fleets?|references?|promises?|alerts?|groups?|set ?up|rules?',
);

const ships = 'vessels?|ships?|boats?|vsls?';
/** Ships, customers and prices: more than is asked about the bot. */
const trade = `${ships}|arrivals?|departures?|line ?up|port calls|ports?|etas?|etd|rotations?|schedules?|berths?|terminals?|rout(?:es?|ing)|cargo|containers?|box|boxes|bookings?|shipments?|freight|rates?|prices?|demurrage|detention|customs|customers?|carriers?|bunkers?|fuel|draft|crew|cranes?|voyages?|lanes?|loops?|course|speed|destinations?`;

const someone = '(?:whos?|whom|whose|somebody|someone|anybody|anyone|which (?:user|person|admin|colleague))';
const changed =
  'put (?:the|an?|this) (?:watch|alert)|(?:chang|edit|delet|remov|stopp|paus|add|touch|mess|fiddl)(?:e|ed|ing)|(?:turned|switched)(?: \\S+){0,6} (?:on|off)|deleted|removed|touched|stopped|paused|resumed|named|renamed|created|edited|added|modified|altered|snoozed|disabled|enabled|cancell?ed|killed|messed|fiddled|reset|raised|lowered|bumped|upped|connected|disconnected|revoked|(?:mess|fiddle|tamper) with';
const spent =
  'usage|spen[dt]|spending|burn(?:s|ed|t|ing)?|consum\\p{L}*|costs?|costing|expensive|invoiced?|bill(?:ed|ing)?|charged|paid|(?:number of|api) calls|requests|(?:go|went|gone|going) through|eat(?:s|ing)?';
/** At the beginning, `landfall` is a command. */
const bot =
  'bots?|(?<!^ )landfalls?|this thing|itself|its own|automatic(?:ally)?|background|polling|apps?|your own';
const service =
  'bots?|landfalls?|service|provider|api|feed|data|workspace|connected|logged in|signed in|running on';
const whole =
  'everything|it all|all (?:(?:the )?(?:automatic )?(?:things|stuff|work|lookups?|queries|requests|polling|jobs|checks)|of it|activity|activities|(?:the )?(?:api )?calls)|whole (?:thing|bot)|api calls|(?:the|this) bot|landfall|(?:polling|polls|jobs)|any(?:thing)? (?:that )?costs';
const digests =
  'digests?|(?:scheduled|morning|daily|weekly|planned|which|what) (?:reports?|messages|posts|summar(?:y|ies))';
const watches =
  'watch(?:es|ing|ed)?|follow(?:s|ed|ing)?|monitor(?:s|ed|ing)?|track(?:s|ed|ing)?|alerts|notifications|alarms';
/** A list is asked for. */
const exists =
  'have|got|there|exist|runs?|running|set ?up|configured|defined|planned|active|saved|stored|on file|known?|lists?|listed|show|all|which|whats?|wot|who|where|mine|my|our|any|every(?:one|body)s?';
const isQuestionOf = 'who|why|when|what|which|how|did|dont|do not|never';

interface TopicCues {
  topic: BotTopic;
  /** Words of each of them. */
  cues: readonly [string, ...string[]];
  unless?: string;
  /** What changed there, and how to change it, is another question. */
  isList?: true;
}

/** The first that matches. */
const topics: readonly TopicCues[] = [
  {
    topic: 'audit',
    cues: [
      'audit(?: (?:log|trail|entries|history))?|change ?log|change history|who did what|(?:logs?|history) of (?:what|(?:the |all )*changes)',
    ],
    unless: '(?:it|the|an) audit|audit (?:is )?(?:over|today|tomorrow)|pause|stop',
  },
  { topic: 'audit', cues: [someone, changed], unless: trade.replace(`${ships}|`, '') },
  {
    topic: 'help',
    cues: [
      '(?:list of|which|what|all|the) commands?|cheat ?sheet|manual|user guide|instructions|tutorial|how (?:do|can|should|to) (?:(?:i|we|you|one) )?(?:use|ask|work|operate) (?:this|you|it|the bot|landfall|the thing)|(?:what|how)(?: all)? (?:can|could|may|should) (?:i|we|you|he|she|they|one|(?:(?:my|our|a|the|new) )*(?:colleagues?|team|people|guy)) (?:type|ask|do|say|use|write)',
    ],
    unless: `${trade}|costs?|most (?:api )?calls`,
  },
  {
    topic: 'pause',
    cues: ['stop|paused?|halt|freeze|suspend|hold|disable|kill|no more', whole],
    unless: `${isQuestionOf}|digest|resume|if|unless`,
  },
  { topic: 'pause', cues: ['shut|switch|turn|power', 'off|down', whole], unless: `${isQuestionOf}|digest` },
  {
    topic: 'resume',
    cues: [
      'resume|un ?pause|reactivate|back on|on again|(?:start|run|go|work)(?: it| them)?(?: all)? again|restart',
    ],
    unless: `${isQuestionOf}|digest|watch|${trade}`,
  },
  {
    topic: 'settings',
    cues: [
      'settings|config(?:uration)?|(?:default|time) ?zones?|date format|guests|preferences|(?:channel|this|it) (?:is )?(?:configured|set up)|who (?:is|are) allowed|who (?:may|can) (?:add|see|change|read|use)|answers (?:only )?(?:visible|public|private)',
    ],
    unless: trade,
  },
  {
    topic: 'limit',
    cues: [
      'limit(?:s|ed)?|cap(?:s|ped)?|budgets?(?! (?:paper|meeting|report|review|round|talks|planning))|quotas?|allowance|ceiling',
    ],
    unless: `${trade}|bill|costs?|meeting`,
  },
  {
    topic: 'own usage',
    cues: [`${spent}|how (?:much|many)|calls?|use[ds]?|using|makes?|made|automatic`, bot],
    unless: `${trade}|accounts?|login|key|down|broken|slow|(?:switch|turn)(?:ed)? (?:on|off)`,
  },
  {
    topic: 'own usage',
    cues: [
      `${spent}|(?:most|how many) (?:api )?(?:calls|requests)`,
      'watch|watches|digests?|channels?|commands?',
    ],
    unless: trade,
  },
  {
    topic: 'usage',
    cues: [
      `${spent}|calls?|used?|numbers?|figures?|invoice`,
      'api|we|our|us|accounts?|finance|controlling|accounting|invoice|bill|usage|month|i|total|(?:number of|api) calls|how (?:much|many)',
    ],
    unless: `${trade}|names?|${watches}|digests?|use (?:this|it|you)|contract|login|key|this week|tomorrow|complain\\p{L}*|who`,
  },
  {
    topic: 'account',
    cues: [
      'accounts?|credentials|api key|login|licen[cs]e|subscription|tenant|contract|plan|key',
      `${service}|we|our|on whose|is this|(?:dis)?connect`,
    ],
    unless: `${trade}|${spent}|manager|tomorrow`,
  },
  {
    topic: 'status',
    cues: [
      `${service}|system|server|are you|is it|this thing|anything|everything|something|nothing|no alerts`,
      'slow|down|broken|quiet|silent|ok|okay|alive|dead|stuck|hanging|offline|online|responding|answering|healthy?|lagging|asleep|frozen|maintenance|trouble|wrong|working|up|running|status|version',
    ],
    unless: `${trade}|overview|set up|picture|watch|watches|digests?|names?|fleets?|who|configured|promises?`,
  },
  {
    topic: 'status',
    cues: [
      'outages?|down ?time|your status|no (?:alerts|messages|updates|digests?) since|nothing (?:came|received|arrived|posted)',
    ],
    unless: trade,
  },
  { topic: 'overview', cues: [watches, `${digests}|reports`, exists], isList: true },
  {
    topic: 'promises',
    cues: ['promises?|promised|commitments?|committed|due dates?|deadlines?'],
    isList: true,
  },
  {
    topic: 'overview',
    cues: [
      'overview|everything|all thats?|all (?:that|what) is|whatever is|(?:full|complete|whole|big) picture|inventory|what have people',
      'set ?up|configured|running|workspace|in place|defined|overview|exists?|have',
    ],
    unless: `${trade}|watched`,
  },
  { topic: 'digests', cues: [digests, exists], unless: 'digest \\d+', isList: true },
  { topic: 'fleets', cues: ['fleets'], isList: true },
  { topic: 'port groups', cues: ['port groups?|groups? of ports', exists], isList: true },
  {
    topic: 'watches',
    cues: [watches, exists],
    unless:
      'not (?!only|just)\\S+|dont|isnt|arent|without|if|when|whenever|next|etas?|arriv\\p{L}*|late|delay\\p{L}*|due',
    isList: true,
  },
  { topic: 'names', cues: [`(?:${ships}) (?:names?|list)|names`, exists], isList: true },
  {
    topic: 'names',
    cues: [
      ships,
      'on file|saved|stored|by name|you know|do you know|(?:you|it) already knows?|taught|understands?',
    ],
    isList: true,
  },
];

const past = has('yesterday|today|last|were|was|happened|fired|sent|new|chang\\p{L}*|moved|missed');
/** It begins with a change, not with a question. */
const changesIt =
  /^ (?:(?!(?:who|whos|what|whats|which|how|where|list|show|see|any|do|are|is) )\S+ )*?(?:add|create|remove|delete|stop|rename|cancel|resume|snooze|mute|edit|move|restore|put|start|forget|drop|kill) /;

const rules = topics.map(({ topic, cues, unless, isList = false }) => {
  const [needed, exceptions] = [cues.map((words) => has(words)), unless === undefined ? [] : [has(unless)]];
  const others = isList ? [...exceptions, past, changesIt] : exceptions;
  return {
    topic,
    matches: (words: string) =>
      needed.every((cue) => cue.test(words)) && !others.some((exception) => exception.test(words)),
  };
});
