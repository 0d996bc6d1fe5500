import type { Question } from '../ctx.ts';

const is = "(?:'s|s| is| are|'re)";
const will = '(?:will|does|do|should|would)';
const reach =
  '(?:get (?:in)?to|go to|arrive (?:at|in)|reach|be (?:at|in)|call (?:at|in)|come (?:in)?to|berth (?:at|in)|dock (?:at|in)|sail to)';
const due =
  '(?:due|expected|arriving|coming|going|getting|calling|heading|headed|bound|sailing|on (?:its|her|the) way)';
const into = '(?: (?:in|at|to|into|for|towards))*';

export const nextPortQuestions: readonly Question[] = [
  {
    example: 'Where is EVER GIVEN?',
    asked: [
      `where${is} {vessel} ${due}${into}(?: next)?`,
      `where${is} {vessel} (?:today|now)`,
      `where${is} {vessel}`,
      `where {vessel} (?:is|are)(?: ${due}${into})?(?: next)?`,
      `where ${will} {vessel} (?:be|call|go|head|arrive|sail|stop|berth|dock)(?: to)?(?: next)?`,
      `(?:what${is} )?(?:the )?next port(?: of call)?(?: of| for)? {vessel}`,
      `(?:what|which) port${is} {vessel} ${due}${into}(?: next)?`,
      `(?:what|which) port ${will} {vessel} (?:call at|go to|head for|head to|arrive at|arrive in|reach)(?: next)?`,
      `(?:what${is} )?{vessel}(?:'s|') next port(?: of call)?`,
    ],
    words: '{vessel}',
  },
  {
    example: 'When is EVER GIVEN due?',
    asked: [
      `when${is} {vessel} (?:due|expected|arriving|coming|getting)(?: in| there| back)?`,
      `when ${will} {vessel} (?:arrive|get in|get there|come in|come|be there|be due|dock|berth)`,
      'when {vessel} (?:arrives|gets in|gets there|is due|is expected)',
      `(?:what${is} )?(?:the )?eta (?:of|for) {vessel}`,
      `(?:what${is} )?{vessel}(?:'s|')? eta`,
      'eta {vessel}',
    ],
    words: '{vessel}',
  },
  {
    example: 'When does MSC DIANA get to Rotterdam?',
    asked: [
      `(?:when|what time|at what time|how soon) ${will} {vessel} ${reach} {port}`,
      `${will} {vessel} (?:still )?${reach} {port}`,
      `when${is} {vessel} ${due}${into} {port}`,
      `(?:is|are) {vessel} (?:still )?${due}${into} {port}`,
      'when {vessel} (?:gets to|arrives (?:at|in)|reaches|calls at|is (?:due|expected) (?:in|at)) {port}',
      `(?:what${is} )?(?:the )?eta (?:(?:of|for) )?{vessel} (?:at|in|to|for) {port}`,
    ],
    words: '{vessel} at {port}',
  },
  {
    example: 'Where is EVER GIVEN on a map?',
    asked: [`(?:where${is} )?{vessel} (?:on|in) (?:a|the) map`, '(?:a |the )?map (?:of|for|with) {vessel}'],
    words: '{vessel} map',
  },
  {
    example: 'Where are our vessels?',
    asked: [`where${is} (?:all )?(?:of )?(?:our|my|the) (?:watched )?(?:ships|vessels)(?: ${due}| today)?`],
    words: 'watched',
  },
];
