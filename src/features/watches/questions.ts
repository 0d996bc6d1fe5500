import { findVessels } from '../../grammar/vessel.ts';
import type { Question } from '../ctx.ts';
import { late, oneOf } from '../question-words.ts';

const changed =
  "(?:what(?:'s| is| has|s)? (?:changed|moved|happened|new)|any(?:thing)? (?:new|changed|changes)|(?:did|does) (?:anything|something) (?:change|happen|move)|(?:has|is) (?:anything|something) (?:changed|happened|moved|new)|what are the changes|(?:are|were) there any changes|have there been any changes|what did (?:i|we) miss)";
const past =
  '(?:since|(?:(?:from|in|over) )?(?:today|yesterday|overnight|this|last|the (?:last|past|weekend)|(?:mon|tues|wednes|thurs|fri|satur|sun)day))';
const news = `(?:what(?:'s| is|s) )?(?:the |any )?(?:latest|news|updates?)(?: news| changes)?(?: (?<since>${past}\\b.*))?`;

const watching = '(?:watch|watches|watching|follow|follows|following|track|tracking|monitor|monitoring)';
const forecast = '(?:eta|etas|prediction|predictions|forecast|forecasts)';
const stable = '(?:stable|steady|reliable|accurate|good|trustworthy)';
const notified = 'You are notified in a thread when its next port or its ETA changes.';

/** The end of `tell me if EVER GIVEN …`. */
const changes = oneOf(
  '(?:ever )?(?:changes?|moves?|slips?|diverts?|deviates?|gets? (?:late|delayed|diverted|rerouted))(?: (?:port|course|destination|eta|its eta|its (?:next )?port|its destination|at all|again))?',
  `(?:is|gets|becomes|will be|runs?) (?:${late}|diverted|rerouted|cancelled)`,
  "(?:'s|') (?:eta|port|next port|destination) (?:changes|moves|slips)",
);

const notify = '(?:alert|notify|warn|ping|message|remind) (?:me|us|this channel)';

const tell = oneOf(
  notify,
  '(?:tell|inform|update) (?:me|us|this channel)',
  'let (?:me|us) know',
  'give (?:me|us) (?:a shout|a heads[- ]up|an? alert)',
);

const wishesToKnow = [
  `(?:${tell} )?(?:if|when|whenever|once|as soon as|in case|should) {vessel} ?${changes}`,
  `(?:${tell} )?(?:if|when|whenever|as soon as|in case) (?:there (?:is|are) |there's )?(?:any ?thing|something|(?:any |a )?changes?|(?:any )?news) ?(?:changes|happens|moves|new)? (?:for|with|on|to|about|at) {vessel}`,
  `(?:${tell} )?(?:if|when|whenever|once|as soon as|in case) the (?:eta|next port|destination) of {vessel} ?${changes}`,
  `${tell} (?:about|on|of|for) (?:any )?changes? (?:of|to|for|on|at) {vessel}`,
  `${notify} (?:about|on|of|for) (?!(?:any )?changes? ){vessel}`,
  `${notify} (?:if|when|whenever|once|as soon as|before) {vessel} (?:arrives|gets in|gets there|is due|is there|calls|leaves|departs|sails)(?: (?:in|at|to) .+)?`,
  `(?:please )?(?:keep|have) (?:an eye|a watch|watch|tabs|track|me posted|us posted|me updated|us updated) (?:on|for|of|over|about) {vessel}`,
  `(?:look out for|follow|monitor|subscribe(?: me| us)? to|start watching) {vessel}`,
  `(?:set(?: up)?|create|add|start|put) (?:an? )?(?:alerts?|watch|alarm|notifications?) (?:for|on|about) {vessel}`,
  `(?:alerts?|notifications?) (?:for|on|about) {vessel}`,
];

const hours = '(?<hours>\\d{1,3}) ?h(?:ours?|rs?)?';
const wishesBeforeArrival = [
  `${tell} ${hours} before {vessel} (?:arrives|gets in|gets there|is due|calls)`,
  `${tell} (?:if|when|once|as soon as) {vessel} is (?:within )?${hours} (?:out|away|from (?:arrival|port|arriving))`,
];

const promised = '(?:promises|due dates|commitments|deadlines)';
const bookings = '(?:bookings|shipments|consignments|orders|references|cargo)';
const atRisk = '(?:(?:running )?late|delayed|overdue|at risk|in danger)';
const listed =
  '(?:which|what(?: are)?|are any|any|show(?: me)?|list)(?: of)?(?: the| our| my| all)*(?: our| my)? ';

export const watchQuestions: readonly Question[] = [
  {
    example: 'Which promises are at risk?',
    asked: [
      `${listed}${promised}(?: are| is)?(?: ${late}| at risk| in danger)`,
      `${listed}${bookings}(?: are| is| will be)? ${atRisk}`,
      `(?:${promised}|${bookings}) at risk`,
      `(?:(?:is )?any(?:thing)?|what(?:'s| is|s)) ${atRisk}`,
    ],
    words: 'promises at risk',
  },
  {
    example: 'What is due this week?',
    asked: [
      "(?:what(?:'s| is|s)|which (?:bookings|shipments|promises) are|anything|is anything) due (?:today|tomorrow|(?:this|next) (?:week|month)|soon|by \\S+|on \\S+)",
    ],
    words: 'promises',
    caveat: "all promises, the most urgent first: a period can't be chosen",
  },
  {
    example: 'What are our promises?',
    asked: [`${listed}${promised}(?: are| is)?(?: due)?`, promised],
    words: 'promises',
  },
  {
    example: 'What changed at Antwerp overnight?',
    asked: [`${changed} (?:at|in|around) {place}`],
    words: 'changes at {place}',
  },
  {
    example: 'What changed since Monday?',
    asked: [`${changed}{since}?`, news, '(?:changes|changed) {since}'],
    words: 'changes {since}',
  },
  {
    example: 'Has EVER GIVEN changed since Monday?',
    asked: ['(?:has|have|did) {vessel} changed?{since}?'],
    words: 'changes of {vessel} {since}',
  },
  {
    example: 'How stable is MSC DIANA?',
    asked: [
      `how ${stable} (?:is|are|was|were) (?:the )?${forecast}(?: of| for) {vessel}`,
      `how ${stable} (?:is|are|was|were) {vessel}(?:'s|')? ${forecast}`,
      'how (?:stable|steady) (?:is|are|was|were) {vessel}',
    ],
    words: 'stability {vessel}',
  },
  {
    example: 'What are we watching?',
    asked: [
      `(?:what|which (?:vessels?|ships?|ports?)) (?:are|do|is) (?:we|you|this channel)(?: all)? ${watching}(?: in)?(?: here)?`,
      '(?:(?:what|which)(?: are| is)? |list |show )?(?:the |our )?(?:active |current )?(?:watches|watch ?list|watched (?:vessels|ships|ports))(?: (?:do we have|are there|have we got|here))?',
      'what is (?:being )?(?:watched|followed|monitored)(?: here)?',
    ],
    words: 'list',
  },
  {
    example: 'What am I watching?',
    asked: [
      `(?:what|which (?:vessels?|ships?|ports?)) (?:am|do) i ${watching}`,
      '(?:(?:what|which)(?: are)? )?my (?:watches|watch ?list)',
    ],
    words: 'list mine',
  },
  {
    example: 'Who watches what?',
    asked: [
      `who(?:'s|s| is)? ${watching} what`,
      '(?:(?:what|which)(?: are)? |list |show )?all (?:the |our |of the |of our )?(?:active |current )?(?:watches|watched (?:vessels|ships|ports))(?: (?:(?:of|in|across) (?:the|this|our) workspace|everywhere|of everybody|of everyone|we have|there are))?',
      '(?:(?:what|which)(?: are)? |list |show )?(?:the |our )?watches (?:of|in|across) (?:the|this|our) (?:whole )?workspace',
    ],
    words: 'list all',
    caveat: 'the watches that you may see: those of your channels',
  },
  {
    example: 'Who is watching EVER GIVEN?',
    asked: [
      `(?:who|does anybody|does anyone|do we|are we|is anybody|is anyone)(?:'s|s| is| else is)?(?: already)? ${watching} {watched}`,
      '(?:is|are) {watched} (?:being )?(?:watched|followed|monitored)',
    ],
    words: ({ watched = '' }, { vessels }) =>
      !/\d{7}/.test(watched) && findVessels(watched, vessels).length > 0 ? ['list all'] : [],
    caveat: "all watches that you may see, since one vessel's can't be listed alone",
  },
  {
    example: 'Tell me if EVER GIVEN changes',
    asked: wishesToKnow,
    words: '{vessel}',
    offer: notified,
  },
  {
    example: 'Alert me 24h before EVER GIVEN arrives',
    asked: wishesBeforeArrival,
    words: '{vessel} arriving {hours}h',
    offer: 'You are also notified in a thread when its next port or its ETA changes.',
  },
];
