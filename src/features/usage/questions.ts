import type { Question } from '../question.ts';

const calls = '(?:(?:of )?(?:the |our )?api(?: calls| requests)?|calls|requests)';
const we = '(?:we|i|our account|this account|the account)';
const lead = '(?: in| for| during)?';

export const usageQuestions: readonly Question[] = [
  {
    example: 'How many API calls did we use last month?',
    asked: [
      `how (?:many|much) ${calls} (?:did|do|have|has) ${we} (?:use|used|make|made|send|sent|spend|spent)${lead}{month}?`,
      `what(?:'s| is| was) (?:our|my|the) (?:api )?usage${lead}{month}?`,
    ],
    words: '{month}',
  },
];
