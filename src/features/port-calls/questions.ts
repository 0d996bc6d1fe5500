import type { Question } from '../line.ts';

const vessels = '(?:other )?(?:ships?|vessels?|arrivals|port calls)';
const due =
  '(?:coming|due|expected|arriving|calling|heading|headed|bound|going|sailing|on (?:its|their|the) way)';
const into = '(?: (?:in|at|to|into|for))*';

export const portCallQuestions: readonly Question[] = [
  {
    example: 'Who is coming to Rotterdam tomorrow?',
    asked: [
      `(?:who|what|which|any|how many|(?:is|are) there any)(?: ${vessels})?(?:'s|s| is| are| will be)? ${due}${into} {port}`,
      `(?:who|what|which|how many)(?: ${vessels})?(?: will| may| might)? (?:calls?|comes?|arrives?|gets?)${into} {port}`,
      `(?:who|what|which|how many)(?: ${vessels})? will be (?:in|at) {port}`,
      `(?:(?:what|who|which)(?: are|'s| is)? )?(?:the )?(?:next |expected )?${vessels}(?: ${due})? (?:in|at|to|into|for) {port}`,
      '(?:the )?(?:next |expected )?(?:arrivals|port calls) {port}',
      `when(?:'s| is| does| will) the next (?:ship|vessel) (?:${due}|arrive|call|come)${into} {port}`,
    ],
    words: '{port}',
  },
  {
    example: 'How busy is Rotterdam next week?',
    asked: [
      'how (?:busy|full) (?:is|are) {port}',
      'how (?:busy|full) (?:will|might|may) {port} (?:be|get)(?<when> .+)?',
    ],
    words: '{port}{when} by day',
  },
  {
    example: 'How many vessels are coming to Rotterdam per day?',
    asked: [
      `(?:who|what|which|how many)(?: ${vessels})?(?:'s|s| is| are| will be)? ${due}${into} {port} (?:per|each|every|a) day(?<when> .+)?`,
      `(?:(?:what|how many) (?:are )?)?(?:the )?(?:expected )?${vessels}(?: ${due})? (?:in|at|to|into|for) {port} (?:per|each|every|a) day(?<when> .+)?`,
    ],
    words: '{port}{when} by day',
  },
];
