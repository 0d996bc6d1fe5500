import type { Question } from '../line.ts';

const changed =
  "(?:what(?:'s| is| has|s)? (?:changed|moved|happened|new)|any(?:thing)? (?:new|changed|changes)|what are the changes|(?:are|were) there any changes|have there been any changes|what did (?:i|we) miss)";

const overnight = ' (?:overnight|last night|during the night)';

export const watchQuestions: readonly Question[] = [
  {
    example: 'What changed since Monday?',
    asked: [`${changed}(?!${overnight}){since}?`],
    words: 'changes {since}',
  },
  {
    example: 'What changed overnight?',
    asked: [`${changed}${overnight}`],
    words: 'changes since yesterday 18:00',
  },
  {
    example: 'How stable is MSC DIANA?',
    asked: [
      'how (?:stable|steady) (?:is|are|was|were) (?:the )?(?:eta|etas|prediction|predictions|forecast|forecasts)(?: of| for) {vessel}',
      `how (?:stable|steady) (?:is|are|was|were) {vessel}(?:'s|')? (?:eta|etas|predictions?|forecasts?)`,
      'how (?:stable|steady) (?:is|are|was|were) {vessel}',
    ],
    words: 'stability {vessel}',
  },
];
