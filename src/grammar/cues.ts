import { isMisspelt, meantBy } from '../reference/nearest.ts';
import { isPlainWord } from '../reference/plain-words.ts';

/** The word of a question that `wached` or `mapp` misspells. */
export function meantCue(word: string): string | undefined {
  const short = shortened.get(word);
  if (short !== undefined) return short;
  if (word.length < 4 || isPlainWord(word)) return undefined;
  // `watchin`, `rollin`
  if (word.endsWith('in') && isPlainWord(`${word}g`)) return `${word}g`;
  return meantBy(word, cues) ?? cues.find(({ key }) => isMisspelt(word, key))?.key;
}

const shortened = new Map(
  Object.entries({
    ...{ stp: 'stop', lemme: 'let me', gimme: 'give me', owt: 'anything' },
    wats: 'whats',
    wots: 'whats',
    wat: 'what',
    wot: 'what',
    rn: 'now',
    hist: 'history',
    u: 'you',
    ur: 'your',
    bout: 'about',
    ...{ chg: 'change', chgd: 'changed', chngd: 'changed', movd: 'moved', aftr: 'after' },
  }),
);

/** A folded text. */
export const withMeantCues = (text: string): string =>
  text
    .split(' ')
    .map((word) => meantCue(word) ?? word)
    .join(' ');

const cues =
  'alert alerts anything monitor arrival arrivals arriving calling change changed changes compare delayed digest everything expected history mute next notify reliability snooze stop track update updates usage vessel vessels watched watch watches watching where who map'
    .split(' ')
    .map((key) => ({ key, value: key }));
