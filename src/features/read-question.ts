import { isPronoun } from '../grammar/pronoun.ts';
import type { Command } from './command.ts';
import type { LineContext } from './line.ts';

/** A line that a question may mean, before its command has parsed it. */
export interface Reading {
  command: string;
  words: string;
}

/** The lines that a text may mean if it is a question; none if it matches no pattern. */
export type ReadQuestion = (text: string, context: LineContext) => readonly Reading[];

/** The time to match grows with the square of the length. */
const maxLength = 300;

export function createReadQuestion(commands: readonly Command[]): ReadQuestion {
  const questions = commands.flatMap(({ name, questions }) =>
    questions.map(({ asked, words }) => ({ command: name, words, patterns: asked.map(patternOf) })),
  );
  return (text, context) => {
    if (text.length > maxLength) return [];
    const texts = withoutFillers(text);
    const readings = questions.flatMap(({ command, words, patterns }) =>
      texts.flatMap((typed) =>
        patterns.flatMap((pattern): Reading[] => {
          const slots = pattern.exec(typed)?.groups;
          return slots ? [readingOf({ command, words }, slots, context)] : [];
        }),
      ),
    );
    return [...new Map(readings.map((reading) => [keyOf(reading), reading])).values()];
  };
}

/** Whether somebody who types this, punctuation included, expects an answer. */
export const isQuestion = (typed: string): boolean =>
  questionWord.test(typed) || /^\s*\S+\s+\S+\s+\S.*\?\s*$/s.test(typed);

const questionWord =
  /^\W*(?:who|what|where|when|which|why|how|is|are|was|were|does|do|did|will|would|can|could|should|any|tell me|show me)(?:['’]?(?:s|re))?\s+\S+\s+\S/i;

const patternOf = (pattern: string): RegExp => {
  const source = pattern.replace(/\{(\w+)\}\?/g, '(?: (?<$1>.+?))?').replace(/\{(\w+)\}/g, '(?<$1>.+?)');
  // A pattern without slots has groups too.
  return new RegExp(`^(?<all>${source})$`, 'i');
};

const leadingFillers =
  /^(?:(?:hi|hello|hey|ok|okay|so|and|but|also|please|pls|landfall|there|team|all)[\s,:!.-]+)*(?:(?:(?:can|could|would|will) you (?:please )?)?(?:tell|show|give|let) (?:me|us)(?: know)?|do (?:you|we) know|(?:i|we)(?:'d| would) like to know|any idea)?[\s,:]*/i;
const trailingFillers =
  /(?:[\s,]+(?:please|pls|thanks|thank you|thx|right now|now|currently|at the moment|exactly|again|then|so far|to date))+$/i;

/** The text with and without polite words, since a vessel may be called HOPE NOW. The shortest comes first. */
function withoutFillers(text: string): string[] {
  const begun = text.replace(leadingFillers, '');
  return [...new Set([begun.replace(trailingFillers, ''), begun, text.replace(trailingFillers, ''), text])];
}

const keyOf = ({ command, words }: Reading): string => `${command} ${words}`;

function readingOf(
  { command, words }: { command: string; words: string },
  { vessel, ...slots }: Record<string, string | undefined>,
  context: LineContext,
): Reading {
  const values: Record<string, string | undefined> = {
    ...slots,
    vessel: vessel && vesselWords(vessel, context),
  };
  const filled = words.replace(/\{(\w+)\}/g, (_, slot: string) => values[slot] ?? '');
  return { command, words: filled.trim() };
}

/** `it` or `they` in the thread of a watch's card are its vessels, `fleet NORTH` is `fleet:NORTH`, unless a vessel has that name. */
function vesselWords(typed: string, { vessels, threadVessels = [] }: LineContext): string {
  if (vessels.named(typed).length > 0) return typed;
  if (isPronoun(typed) && threadVessels.length > 0) return threadVessels.join(', ');
  return typed.replace(/^(?:the |our |my )?(fleet|list)(?:\s*:\s*|\s+)(?=\S)/i, '$1:');
}
