import { fold } from '../reference/nearest.ts';
import { isCommonWord, isPlainWord } from '../reference/plain-words.ts';
import { isNearPeriodWord } from './nearest-period.ts';

/**
 * What a text says of what it names. `next`: nothing else. `manage`: a change. `unknown`: what the service doesn't know.
 * `promise`: a date that must be met; `promises`: how those that are stored stand. `past`: what it knows of lanes alone.
 */
export type Topic =
  | 'manage'
  | 'promise'
  | 'promises'
  | 'next'
  | 'changes'
  | 'history'
  | 'compare'
  | 'map'
  | 'busy'
  | 'performance'
  | 'wish'
  | 'past'
  | 'unknown';

const promised =
  '(?:promises?|promised(?: (?:dates?|people|customers))?|commitments?|deadlines?|bookings?|bkgs?|shipments?|consignments?|orders?)';
const broken = '(?:at risk|in (?:danger|trouble|jeopardy)|broken|late|delayed|overdue|missed|risky)';
const missed = `(?:(?:wont|will not|cant|cannot|may not|might not|not going to|unlikely to|will) (?:make|meet|miss|arrive|be (?:late|in time|on time))|${broken})`;
/** `which promises are broken`, `what's at risk`, `which bookings wont make`. */
const asksOfPromises = new RegExp(
  ` (?:${[
    'promises(?! (?:to|that|us|me|you|\\d\\S*) )',
    '(?:which|what|any|our|my|all|the)(?: \\S+){0,3}? promise',
    `(?:which|what|any|our|my|all)(?: \\S+){0,4}? ${promised}(?: \\S+){0,8}? ${missed}`,
    `${broken} ${promised}`,
    '(?:whats|what is|what are|who is|whos|anything) (?:at risk|in danger|in jeopardy)',
    'what (?:wont|will not|cant|cannot) make',
  ].join('|')}) `,
);

/** The first that matches; before and after each word is a space. */
const topics: readonly (readonly [Topic, RegExp])[] = [
  [
    'manage',
    / (?:digests?|should read|change (?:it|this|that)|fleets|(?:who|which (?:user|person|admin|colleague)) (?:has |had )?(?:deleted|removed|stopped|turned off|switched off|paused|snoozed|renamed)|from now on|add|attach|drop(?= from )|drop the (?:booking|ref|reference)|remove|delete|forget|rename|link|store|save|(?:make|create|build) (?:(?:a|the) )?(?:new )?|(?:make|create|define|new|set up) (?:\S+ ){0,2}group|joins?|set up|put(?! back| next to| (?:\S+ ){0,6}side by side)|take|stop|bin (?:the|my|our|all)|unwatch|unfollow|unsubscribe|snooze|mute|silence|pause|cancel|kill|(?:turn|switch|come) off|be quiet|shut up|no (?:more )?alerts?|no (?:more|longer(?! (?:likely|going|expected))|further|need)|drop (?:\S+ ){0,4}?(?:watch|alerts?)|(?:show|known?|register) (?:\S+ )?as|nobody needs|enough (?:about|of|with)|quit|dont (?:watch|alert|notify|need|want)|do not (?:watch|alert|notify|need|want)) /,
  ],
  [
    'wish',
    / (?:(?<! pre )alerts?|alrt|alarm|notify|notified|monitor|monitoring|ping|track|tracking|(?<! we )(?<! i )watch|shout (?:if|when|once|as soon)|flag (?:it|if|when|any|up|us|me|to|changes)|heads up|posted|in the loop|keep (?:me|us) (?:updated|informed)|(?:get|be) alerted|(?:be|get) (?:told|warned|messaged|pinged) (?:if|when(?! (?:the )?(?:(?:is|are) (?:due|expected)|will))|whenever|once|as soon as)|(?<!please )be informed(?! that)|let (?:me|us) know|lmk|to know (?:right away|straight away|immediately|at once|asap|as soon as|the moment)|as soon as (?!possible)|(?:tell|inform) (?:me|us|(?:this|the) channel)(?: here)? (?:if|when(?! (?:the )?(?:(?:is|are) (?:due|expected)|will))|whenever|once|as soon as|the moment|in case)|drop (?:me|us) a (?:line|note)|warn|keep an eye|should be (?:watch|follow|track|monitor)ed|start(?: to)? (?:watch|follow|track)(?:ing)?|(?:every|each) time|whenever) /,
  ],
  ['promises', asksOfPromises],
  [
    'changes',
    / (?:(?:wh?at|whats|any|anything|something) (?:\S+ )*?(?:slipp?(?:ed|s)?|drift(?:ed)?|moved?|moves|movements?|shift(?:ed|s)?|revis\p{L}*|slid|updated)) /u,
  ],
  [
    'history',
    / (?:slip(?:p?ed|ping|s)?|drift\p{L}*|history|moved?|moves|moving|shift(?:ed)?|develop\p{L}*|evol\p{L}*|jump\p{L}*|put back|pushed back|track record|all along|predictions? (?:run|been|gone)) /u,
  ],
  // In “the new ETA Hamburg”, the ETA is asked for.
  ['changes', / (?:chang\p{L}*|new(?! etas?)|happened) /u],
  [
    'unknown',
    / (?:(?:which|what) (?:berth|quay|terminal)|berth (?:for|of|number|no|confirmed|plan|window)|same (?:again|but|for|thing|question)|weather|wind|storm|(?<!(?:omission|delay|time) )rates?|spot|fak|price|costs?|costing|quote|demurrage|detention|customs|crew|freight (?:rates?|costs?|levels?|charges?)|freight (?=.* how much )|how much (?:ah|is it|for)|speed|draft|lat|latitude|captain|bunker|gate[ds]?|anchor\p{L}*|empty|empties) /u,
  ],
  [
    'past',
    / (?:did (?:\S+ )*?(?:arrive|call|come|leave|sail|depart|berth|discharge)|arrived|came|called|left|sailed|departed|was|were|discharged|berthed|docked|moored) /,
  ],
  ['performance', / (?:omi(?:t|s)\p{L}*|blank(?:ed|ing)?) /u],
  [
    'compare',
    /^ compare $| (?:same|agrees?|matches|match|corresponds?|in line|fits?) (?:with|as|to) (?:what )?(?:the )?(?:carriers?|liners?|lines?) | (?:carriers?|liners?|lines?|pro ?forma)(?: s)?(?: own)? (?:schedule|website|site) | (?:vs|versus|against|behind|ahead of) (?:the |its |their |her )?(?:carriers? s? ?|lines? s? ?)?(?:own |published )?(?:pro ?forma|schedule) | (?:both|two|2)(?: different| diff)? (?:forecasts|views|predictions) /,
  ],
  ['map', / map /],
  [
    'busy',
    / (?:bus(?:y|ier|iest)|bad|congest\p{L}*|crowded|jammed|clogged|full(?! (?:list|line ?up|picture))|(?:per|each|a|by|which|what) day|day ?wise|day (?:by|per) day|daily|how many) /u,
  ],
  [
    'performance',
    / (?:reliab\p{L}*|perform\p{L}*|punctual\p{L}*|rank\p{L}*|scorecard|best|worst|compare|vs|versus|lane|pol|late|delay\p{L}*) /u,
  ],
];

interface Around {
  hasVessel: boolean;
  /** Or a fleet or a list. */
  hasSubject: boolean;
  isLane: boolean;
  text: string;
  promise: string | undefined;
  /** As typed. */
  periods: readonly string[];
  /** A word stands where a name would, and isn't known. */
  hasUnknownName: boolean;
  /** Whether it was typed with a question mark at its end. */
  isAsked: boolean;
}

/** Figures, words of time and names that aren't understood would change the answer. */
export function topicOf(rest: string, around: Around): Topic {
  const { hasUnknownName, hasVessel, hasSubject, isLane, text, promise, periods, isAsked } = around;
  const whole = ` ${fold(text)} `;
  if (isPlanned(text) || namesNumber.test(text) || quietFor.test(text)) return 'manage';
  const hasMoved = movement.test(rest) && periods.some((period) => sinceThen.test(period));
  const found = topics.find(([, cue]) => cue.test(rest))?.[0] ?? 'next';
  const topic = hasMoved && found !== 'manage' && found !== 'wish' ? 'changes' : found;
  if (topic === 'manage' || topic === 'wish') return topic;
  if (denied.test(whole)) return 'unknown';
  if (promise !== undefined && hasVessel && obligation.test(whole) && !isAsked && !asks.test(text))
    return 'promise';
  const asked = isLane ? rest.replace(partsOfPeriod, ' ') : rest;
  const timed = topic === 'changes' && periods.length > 0 ? asked.replaceAll(' since ', ' ') : asked;
  const isUnread = hasSubject && timeless.has(topic) ? longNumber.test(rest) : hasUnreadTime(timed);
  return isUnread || hasUnknownName ? 'unknown' : topic;
}

const movement =
  / (?:dropped|added|removed|disappeared|slipp?(?:ed|s)?|drift(?:ed)?|moved?|moves|movements?|shift(?:ed|s)?|revis\p{L}*|slid|updated|news|miss(?:ed)?) /u;
const sinceThen = /^(?:since|overnight|last night|over)\b/i;

export const quietFor = /\bquiet (?:for|until|till)\b/i;

/** `9778791 is the Madrid Maersk` */
const namesNumber =
  /^\W*(?:(?:IMO|imo)\W*)?\d{7}\)? (?:is|=) (?:the |mv )?(?!(?:NOT|LATE|DUE|IN|AT|ON)\b)\p{Lu}\S* \p{Lu}/u;

/** A day that recurs, and a time of day: that of a digest. */
const isPlanned = (text: string): boolean =>
  recurring.test(` ${fold(text)} `) && timeOfDay.test(` ${fold(text)} `) && !timeRange.test(text);

const timeRange = /\d{1,2}[:.]?\d\d ?(?:-|to|until|till) ?\d{1,2}[:.]?\d\d/i;

const recurring =
  / (?:(?:every|each) (?:(?:working |business |week)?day|morning|afternoon|evening|mon|tue|wed|thu|fri|sat|sun)\S*|daily|everyday|(?:week|work)days?|(?:working|business) days|(?:mon|tues|wednes|thurs|fri|satur|sun)days|mon(?:day)? (?:to )?fri(?:day)?) /;
const timeOfDay =
  / (?:\d{1,2} \d{2}|[012]\d[0-5]\d|\d{1,2} ?[ap]m|at (?:\d{1,2}|noon|midnight)|(?:half|quarter) (?:past|to) \S+|\d{1,2} ?h ?(?:\d\d)?|\d{1,2} o ?clock) /;

const obligation =
  / (?:must|(?:has|have) (?:got )?to|needs?(?! (?:(?:the|an?|latest|new) )*(?:eta|etas|info|list)\b)|needed|required?|requires|promised?|confirmed|(?:we|i) confirm|guaranteed?|committed|agreed|deadline|latest|(?:no|not) later than|insists|due|new date|(?:date|promise)(?: \S+){0,8}? (?:to|now)) /;
/** `must not arrive before`, `we never promised`. */
const denied =
  / (?:(?:must|should|may|shall|can|need) ?(?:nt|n t|not)|never (?:promised|agreed|confirmed|committed)|not (?:promised|agreed|confirmed|committed|due)|no promise) /;
const asks =
  /(?:^|[.!?,]\s)\W*(?:is|are|was|will|would|can|could|does|do|did|has|have|wh\p{L}+|how|any)\b|(?<!we )(?<!i )\bconfirm\b|\b(?:status|updates?|check|advise|whether|(?:confirm|know|see|tell (?:me|us)) if|latest (?:eta|news|status))\b/iu;

/** `which customers are on MSC DIANA`. */
export const asksOfReferences =
  /^ (?:(?:and|so|please|pls) )*(?:which|what|whose|show|list|all)(?: (?:all|of|our|my|the|me))* (?:customers?|clients?|bookings?|bkgs?|refs?|references?|shipments?|cargo)(?: (?:do|does|have|has|are|is|we|i|you|got|there|booked|loaded|stored|now|sit|ride|riding|sitting|and|references?|bookings?|customers?))* (?:on|aboard|for|with|under|of|have|has) (?:board )?$/;

/** About a vessel, an unread time changes nothing: the answer says when. */
const timeless: ReadonlySet<Topic> = new Set(['next', 'history', 'compare', 'map', 'performance']);
const longNumber = / \S*\d{6}\S* /;

/** `month by month`, `each quarter of`. */
const partsOfPeriod =
  / (?:(?:per|each|every|by) (?:calendar )?(?:months?|quarters?)|(?:month|quarter) (?:by|on|over) (?:month|quarter)(?= trend)|(?:month by month|month ?wise|quarter by quarter|quarter ?wise))(?= )/g;

const hasUnreadTime = (rest: string): boolean =>
  unreadTime.test(
    rest.replace(
      / (?:(?:per|each|a|by|busiest|which|what) day|day ?wise|day (?:by|per) day|these days) /,
      ' ',
    ),
  ) ||
  rest
    .split(' ')
    .some((word) => word.length >= 5 && !isCommonWord(word) && !isPlainWord(word) && isNearPeriodWord(word));

const unreadTime =
  / (?:at least|\S*\d\S*|weeks?|wks?|wknd|weekends?|months?|mths?|days?|hours?|hrs|quarter|years?|today|tdy|tomorrow|tmrw|tonight|yest|yday|eo[dwm]|am|pm|morning|evening|noon|midnight|until|untill|till?|thru|since|before|thanksgiving|christmas|xmas|easter|holidays?|ramadan|diwali|golden week|hoy|manana|hasta|heute|morgen|bis|demain|vandaag|hoje|amanha|ate) /;
