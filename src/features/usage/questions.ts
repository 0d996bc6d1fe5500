import type { Question } from '../line.ts';

const calls = '(?:(?:of )?(?:the |our )?api(?: calls| requests)?|calls|requests)';
const we = '(?:we|i|our account|this account|the account)';
const bot = '(?:landfall|the bot|this bot|you)';
const used = '(?:use|used|make|made|send|sent|spend|spent)';
const lead = '(?: in| for| during)?';

export const usageQuestions: readonly Question[] = [
  {
    example: 'How many API calls did we use last month?',
    asked: [
      `how (?:many|much) ${calls} (?:did|do|have|has) ${we} ${used}${lead}{month}?`,
      `what(?:'s| is| was) (?:our|my|the) (?:api )?usage${lead}{month}?`,
    ],
    words: '{month}',
  },
  {
    example: 'How many calls did the bot make last month?',
    asked: [
      `how (?:many|much) ${calls} (?:did|do|does|have|has) ${bot} ${used}${lead}{month}?`,
      `what (?:did|do|does|has) ${bot} (?:cost|use|used)(?: us)?${lead}{month}?`,
    ],
    words: 'bot {month}',
  },
];
