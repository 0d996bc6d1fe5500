import type { Question } from '../line.ts';

const late = '(?:late|delayed|punctual|reliable|often late|often delayed|often on time)';
const perform = '(?:perform|performed|performing|do|doing|done)';
const changed = '(?:any )?(?:better|worse|later|more punctual|less punctual|more reliable|less reliable)';
const laneWord = '(?:on |for |in )?(?:the )?(?:trade lane|lane|route|trade)(?: from| between)?';
const from = `(?:${laneWord}|from|between|on)`;
const everybody = '(?:ships|vessels|carriers|all carriers|they|we|calls)';

export const laneQuestions: readonly Question[] = [
  {
    example: 'How late is MSC from Singapore to Xiamen?',
    asked: [
      `how ${late} (?:is|are|was|were) {carrier} ${from} {lane}`,
      `how (?:does|do|did|is|are|has|have) {carrier} ${perform} ${from} {lane}`,
    ],
    words: '{lane} carriers {carrier}',
  },
  {
    example: 'Has MSC got worse on Singapore Xiamen?',
    asked: [
      `(?:has|have|did|is|are) {carrier} (?:got|gotten|become|get|getting) ${changed} ${from} {lane}`,
      `(?:has|have) {carrier} (?:improved|deteriorated) ${from} {lane}`,
    ],
    words: '{lane} carriers {carrier} versus previous',
  },
  {
    example: 'How does the lane Rotterdam to Singapore perform?',
    asked: [
      `how (?:does|do|did|is|has) (?:${laneWord} )?{lane} ${perform}{period}?`,
      `how ${late} (?:is|are|was|were) (?:${everybody} ${from}|${laneWord}) {lane}`,
      `(?:which|what) carriers? (?:is|are|was|were) (?:the )?(?:best|most reliable|most punctual|least delayed) ${from} {lane}`,
      `who(?:'s| is) (?:the )?(?:best|most reliable|most punctual|least delayed)(?: carrier)? ${from} {lane}`,
      `(?:what are )?(?:the )?delays ${from} {lane}`,
    ],
    words: '{lane} {period}',
  },
];
