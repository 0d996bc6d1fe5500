import { nextPortsOf } from '../answers/answer.ts';
import { type Choice, UserError } from '../errors.ts';
import { cleanLine, quote } from '../grammar/line.ts';
import { findVessels, isPronoun } from '../grammar/vessel.ts';
import type { VesselDirectory } from '../grammar/vessel-directory.ts';
import { type Imo, isImo } from '../reference/codes.ts';
import { portOf } from '../reference/ports.ts';
import type { Command, ParsedLine, PreparedLine } from './command.ts';
import { type LineContext, offer, type ParseContext } from './ctx.ts';

/** Either of the two. */
export interface Tried {
  prepared?: PreparedLine;
  error?: UserError;
}

/** Parses the words after a command's name with the command's own parser. */
type TryPrepare = (command: string, words: string) => Tried;

export type Questions = ReturnType<typeof createQuestions>;

/** Plain questions, as the commands declare them. */
export function createQuestions(commands: readonly Command[], showAllCommands: Choice) {
  const readQuestion = createReadQuestion(commands);

  const tryReadings = (question: string, context: LineContext, tryPrepare: TryPrepare): readonly Tried[] =>
    readQuestion(question, context).map((reading) =>
      withoutGuessedPort(tryPrepare(reading.command, reading.words), question),
    );

  /** At most one for each command, about vessels that are known here. */
  const examples = (context: LineContext, tryPrepare: TryPrepare): Choice[] =>
    commands.flatMap(({ questions }) => {
      const answerable = questions.flatMap(({ example }) =>
        tryReadings(cleanLine(example), context, tryPrepare)
          .flatMap(({ prepared }) => (prepared ? [{ label: example, line: prepared.line }] : []))
          .slice(0, 1),
      );
      return answerable.slice(0, 1);
    });

  return {
    /**
     * The line that a question means; undefined if it matches no pattern. Throws UserError if it can mean several lines,
     * and the error of the command that can't read its words.
     */
    parse(question: string, context: LineContext, tryPrepare: TryPrepare): ParsedLine | undefined {
      const results = tryReadings(question, context, tryPrepare);
      // A question never changes anything.
      const answerable = results.flatMap(({ prepared }) => (prepared?.repeatable ? [prepared] : []));
      const meanings = new Map(answerable.map((prepared) => [prepared.line, prepared]));
      const [first, ...others] = meanings.values();
      if (first && others.length > 0) throw severalMeanings([...meanings.keys()], context.vessels);
      if (first) return { ...first, understoodAs: first.line };
      const errors = results.flatMap(({ error }) => error ?? []);
      const error = errors.find(({ choices }) => choices.length > 0) ?? errors[0];
      if (error) throw error;
      return undefined;
    },

    /** Offers the vessels that the text names, and questions of three commands. */
    unknown(question: string, context: ParseContext, tryPrepare: TryPrepare): UserError {
      const named = findVessels(question, context.vessels).slice(0, 2);
      const nameOf = (imo: Imo) => context.vessels.nameOf(imo) ?? `IMO ${imo}`;
      const choices = [
        ...named.flatMap((imo) => offer(`Where is ${nameOf(imo)}?`, nextPortsOf(imo), context)),
        ...examples(context, tryPrepare).slice(0, 3),
        showAllCommands,
      ];
      return new UserError({
        code: 'unknown-command',
        message: `I can't answer ${quote(question)}.`,
        choices: [...new Map(choices.map((choice) => [choice.line, choice])).values()],
      });
    },
  };
}

/** Any word of five letters has the shape of a UN/LOCODE: “who is coming to lunch” isn't about a port LUNCH. */
function withoutGuessedPort(tried: Tried, question: string): Tried {
  const { line, ports } = tried.prepared ?? { line: '', ports: [] };
  const guessed = ports.find((code) => portOf(code) === undefined && !question.includes(code));
  if (guessed === undefined) return tried;
  const error = new UserError({
    code: 'unknown-port',
    message: `I don't know a port called ${quote(guessed.toLowerCase())}.`,
    hint: 'Is it a UN/LOCODE?',
    choices: [{ label: `Yes, ${guessed}`, line }],
  });
  return { error };
}

function severalMeanings(lines: readonly string[], vessels: VesselDirectory): UserError {
  const nameOf = (digits: string) => {
    const imo = Number(digits);
    return (isImo(imo) && vessels.nameOf(imo)) || digits;
  };
  return new UserError({
    code: 'ambiguous-vessel',
    message: 'That question can mean several things. Which one?',
    choices: lines.map((line) => ({ label: `/${line.replace(/\b\d{7}\b/g, nameOf)}`, line })),
  });
}

/** A line that a question may mean, before its command has parsed it. */
interface Reading {
  command: string;
  words: string;
}

/** The time to match grows with the square of the length. */
const maxLength = 300;

/** Returns a function that reads the lines that a text may mean if it is a question; none if it matches no pattern. */
function createReadQuestion(commands: readonly Command[]) {
  const questions = commands.flatMap(({ name, questions }) =>
    questions.map(({ asked, words }) => ({ command: name, words, patterns: asked.map(patternOf) })),
  );
  return (text: string, context: LineContext): readonly Reading[] => {
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

/** `it` or `they` in the thread of a watch's card are its vessels, unless a vessel has that name. */
function vesselWords(typed: string, { vessels, threadVessels = [] }: LineContext): string {
  if (vessels.named(typed).length > 0) return typed;
  if (isPronoun(typed) && threadVessels.length > 0) return threadVessels.join(', ');
  return typed;
}
