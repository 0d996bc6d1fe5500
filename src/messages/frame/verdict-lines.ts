import { type Message, plainBlocksOf } from '../message.ts';

/**
 * The verdict of an answer in one line of mrkdwn, followed by the warning that stands under it, if any. `isWhole` is
 * true if only the small print and the buttons are left out.
 */
export function verdictLines(message: Message): { lines: string[]; isWhole: boolean } {
  const [first, ...others] = plainBlocksOf(message).filter(({ type }) => type !== 'actions');
  const [verdict = message.text, ...more] =
    first?.type === 'section' ? (first.text?.text.split('\n') ?? []) : [];
  const [second] = others;
  const small = second?.type === 'context' ? second.elements : [];
  const warning = small.flatMap((part) => ('text' in part && part.text.startsWith('🟠') ? [part.text] : []));
  const rest = others.slice(warning.length > 0 ? 1 : 0);
  // Every answer ends in its small print.
  const isWhole = more.length === 0 && rest.every(({ type }, index) => index === 0 && type === 'context');
  return { lines: [verdict, ...warning], isWhole };
}
