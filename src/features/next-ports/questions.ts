import { attempt } from '../../errors.ts';
import type { LineHelp } from '../../grammar/line.ts';
import { periodOption } from '../../grammar/parse-period.ts';
import { readPort } from '../../grammar/port.ts';
import { isCloseTo, nearestPorts, portOf } from '../../reference/ports.ts';
import type { LineContext, Question, Slots } from '../ctx.ts';
import { at, due, into, is, late, news, ship, splitsOf, will } from '../question-words.ts';

const reach =
  '(?:get (?:in)?to|go to|arrive (?:at|in)|reach|be (?:at|in)|call (?:at|in)|come (?:in)?to|berth (?:at|in)|dock (?:at|in)|sail to|make it to|make(?! it\\b))';
const arrived =
  '(?:arrived?|berthed?|docked?|called?|landed?|left|leave|departed?|sailed?|reached?|got(?:ten)?(?: in| there)?|come in|made it|make it|get in|been)';
const when = '(?:when|what time|at what time|how soon|how long until|what day)';
const eta = '(?:eta|etas|arrival(?: time| date)?|due date|estimated (?:time of )?arrival)';
const nextPort = '(?:next (?:port|stop|call)(?: of call)?|destination)';
const yet = '(?: (?:yet|already|now|still))?';

const noArrivals = 'calls are predicted: the service never reports that a vessel arrived or left';
const noPositions = 'only the next call is predicted, not where a vessel is in between';
const noSchedule =
  'the service gives no schedule, so only a promise says how late a vessel is: its history shows how the ETA moved';

export const nextPortQuestions: readonly Question[] = [
  {
    example: 'Where is EVER GIVEN?',
    asked: [
      `where${is} {vessel} ${due}${into}(?: next)?`,
      `where${is} {vessel}`,
      `where {vessel} (?:is|are)(?: ${due}${into})?(?: next)?`,
      `where ${will} {vessel} (?:be|call|go|head|arrive|sail|stop|berth|dock)(?: to)?(?: next)?`,
      `(?:what${is} )?(?:the )?${nextPort}(?: of| for)? {vessel}`,
      `(?:what${is} )?{vessel}(?:'s|') ${nextPort}`,
    ],
    words: '{vessel}',
  },
  {
    example: 'Any update on EVER GIVEN?',
    asked: [
      `${news}(?: (?:on|of|for|about|from|with))? {vessel}`,
      '(?:track|trace|check|find|locate|look up)(?: on)? {vessel}',
    ],
    words: '{vessel}',
  },
  {
    example: 'When is EVER GIVEN due?',
    asked: [
      `when${is} {vessel} (?:due|expected|arriving|coming|getting)(?: in| there| back)?`,
      `${when} ${will} {vessel} (?:arrive|get in|get there|come in|come|be there|be due|dock|berth)`,
      'when {vessel} (?:arrives|gets in|gets there|is due|is expected)',
      `(?:what${is} )?(?:the |an |any )?${eta} (?!list\\b)(?:(?:of|for|on) )?{vessel}`,
      `(?:what${is} )?{vessel}(?:'s|')? ${eta}`,
    ],
    words: '{vessel}',
  },
  {
    example: 'Is EVER GIVEN late?',
    asked: [
      `(?:is|are|was|will) {vessel} (?:be )?(?:still )?${late}`,
      `(?:has|have) {vessel} (?:been|become) ${late}`,
      `how (?:late|delayed|early|far behind) (?:is|are|was|will) {vessel}(?: be)?`,
      `(?:are there )?(?:any |the )?delays? (?:on|for|with|to|of|in) {vessel}`,
      `(?:does|did) {vessel} have (?:a|any) delays?`,
      `{vessel} (?:${late}|delays?)`,
    ],
    words: '{vessel}',
    caveat: noSchedule,
  },
  {
    example: 'Where will EVER GIVEN be tomorrow?',
    asked: [
      `where${is} {vessel} (?:exactly )?(?:today|now|right now|currently|at (?:this|the) (?:very )?moment)`,
      `where ${will} {vessel} be (?:today|tonight|tomorrow|tmrw|(?:this|next) (?:week|weekend|month)|on \\S+)`,
    ],
    words: '{vessel}',
    caveat: noPositions,
  },
  {
    example: 'Has EVER GIVEN arrived?',
    asked: [
      `(?:has|have|did) {vessel} (?:already )?${arrived}${yet}`,
      `(?:is|are) {vessel} (?:in|there|here|alongside|in port|in yet|at berth|at anchor|still at sea)${yet}`,
      `when (?:did|has) {vessel} ${arrived}`,
    ],
    words: '{vessel}',
    caveat: noArrivals,
  },
  {
    example: 'Will EVER GIVEN make it by 7 December?',
    asked: [
      `(?:${will}|can|could) {vessel} (?:still )?(?:make it|arrive|get in|get there|be there|be in|berth|dock|call) {deadline}`,
    ],
    words: ({ vessel = '', deadline = '' }) =>
      /^(?:by|before|on or before|no later than) /i.test(deadline) ? [`${vessel} ${deadline}`] : [],
  },
  {
    example: 'When does MSC DIANA get to Rotterdam?',
    asked: [
      `${when} ${will} {vessel} ${reach} {port}`,
      `(?:is|are) {vessel} (?:still )?${due}${into} {port}`,
      `(?:is|are) {vessel} going to ${reach} {port}`,
      'when {vessel} (?:gets to|arrives (?:at|in)|reaches|calls at|is (?:due|expected) (?:in|at)) {port}',
      `(?:what${is} )?{vessel}(?:'s|')? ${eta} (?:${at} )?{port}`,
    ],
    words: atPort,
  },
  {
    example: 'Has MSC DIANA arrived at Rotterdam?',
    asked: [
      `(?:has|have|did) {vessel} (?:already )?${arrived} (?:${at} )?{port}`,
      `(?:is|are) {vessel} (?:already |still )?(?:in|at) (?:the port of )?{port}`,
    ],
    words: atPort,
    caveat: noArrivals,
  },
  {
    example: 'Is MSC DIANA late for Rotterdam?',
    asked: [
      `(?:is|are|will) {vessel} (?:be )?(?:still )?${late} ${at} {port}`,
      `(?:any )?delays? (?:on|for|with|to|of) {vessel} ${at} {port}`,
    ],
    words: atPort,
    caveat: noSchedule,
  },
  {
    example: 'ETA MSC DIANA Rotterdam',
    asked: [`(?:(?:what${is} )?(?:the |any )?${eta} (?:(?:of|for) )?|when (?:is )?)?{visit}(?: ${eta})?`],
    words: visits,
  },
  {
    example: 'Where is EVER GIVEN on a map?',
    asked: [`(?:where${is} )?{vessel} (?:on|in) (?:a|the) map`],
    words: '{vessel} map',
  },
  {
    example: 'Where are our vessels?',
    asked: [
      `where${is} (?:all )?(?:of )?(?:our|my|the) (?:watched )?${ship}(?: ${due}| today)?`,
      `${news}(?: (?:on|of|for|about))? (?:all )?(?:our|my) (?:watched )?${ship}`,
      `how${is} (?:all )?(?:our|my) (?:watched )?${ship}(?: doing| getting on)?`,
    ],
    words: 'watched',
  },
  {
    example: 'Which of our vessels are late?',
    asked: [
      `(?:which|what|are|is)(?: any)?(?: of)? (?:our|my) (?:watched )?${ship}(?: are| is)? ${late}`,
      `(?:which|what|are any) ${ship}(?: are| is)? ${late}`,
    ],
    words: 'watched',
    caveat: noSchedule,
  },
  {
    example: 'Compare EVER GIVEN and MSC DIANA',
    asked: ['compare {vessel}'],
    words: ({ vessel = '' }, { vessels }) => {
      const typed = vessel.split(between);
      const areVessels = typed.length > 1 && typed.every((each) => isVessel(each, vessels));
      return areVessels ? [typed.join(', ')] : [];
    },
  },
];

/** Of one vessel, the answer says when: a date in a mail is rather what somebody else said. */
function atPort({ vessel, port = '' }: Slots): readonly string[] {
  const hasPeriod = attempt(() => periodOption('future')(`at ${port}`, () => noHelp)) !== undefined;
  return hasPeriod ? [] : [`${vessel} at ${port}`];
}

const noHelp: LineHelp = { example: '', line: (fixed) => fixed };

/** What stands between two vessels. */
const between = /\s*(?:,|&| and | vs\.? | versus | with | to )\s*/i;

/** `EVER GIVEN rotterdam`: nothing stands between, so both must be known; the text alone may be a vessel's name. */
function visits({ visit = '' }: Slots, { vessels }: LineContext): readonly string[] {
  if (isVessel(visit, vessels)) return [visit];
  return splitsOf(visit)
    .filter(([vessel, port]) => isVessel(vessel, vessels) && isPort(port))
    .map(([vessel, port]) => `${vessel} at ${port}`);
}

const isVessel = (words: string, { named, referenced }: LineContext['vessels']): boolean =>
  /^(?:imo )?\d{7}$/i.test(words) || named(words).length + referenced(words).length > 0;

/** Also misspelt. Any word of five letters has the shape of a UN/LOCODE. */
function isPort(words: string): boolean {
  const read = readPort(words);
  const isKnown = read.kind === 'several' || (read.kind === 'one' && portOf(read.port) !== undefined);
  return isKnown || nearestPorts(words).some(({ locode }) => isCloseTo(locode, words));
}
