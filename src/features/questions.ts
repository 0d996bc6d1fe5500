import { type Choice, UserError } from '../errors.ts';
import { cleanLine } from '../grammar/clean.ts';
import { quote } from '../grammar/line-help.ts';
import { findVessels } from '../grammar/vessel.ts';
import type { VesselDirectory } from '../grammar/vessel-directory.ts';
import { type Imo, isImo } from '../reference/imo.ts';
import { isLocode } from '../reference/locode.ts';
import { portOf } from '../reference/ports.ts';
import type { Command, ParsedLine, PreparedLine } from './command.ts';
import type { LineContext } from './line.ts';
import { createReadQuestion } from './read-question.ts';

/** Either of the two. */
export interface Tried {
  prepared?: PreparedLine;
  error?: UserError;
}

/** Parses the words after a command's name with the command's own parser. */
type TryPrepare = (command: string, words: string) => Tried;

export type Questions = ReturnType<typeof createQuestions>;

/** Plain questions, as the commands declare them. */
export function createQuestions(commands: readonly Command[]) {
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
    unknown(question: string, context: LineContext, tryPrepare: TryPrepare): UserError {
      const named = findVessels(question, context.vessels).slice(0, 2);
      const nameOf = (imo: Imo) => context.vessels.nameOf(imo) ?? `IMO ${imo}`;
      const choices = [
        ...named.map((imo) => ({ label: `Where is ${nameOf(imo)}?`, line: `nextport ${imo}` })),
        ...examples(context, tryPrepare).slice(0, 3),
        { label: 'Show all commands', line: 'landfall' },
      ];
      return new UserError({
        code: 'unknown-command',
        message: `I can't answer ${quote(question)}.`,
        choices: [...new Map(choices.map((choice) => [choice.line, choice])).values()],
      });
    },
  };
}

const portsInLine = /^(?:portcalls|lane) [A-Z2-9, ]+| at [A-Z2-9]{5}\b/g;

/** Any word of five letters has the shape of a UN/LOCODE: “who is coming to lunch” isn't about a port LUNCH. */
function withoutGuessedPort(tried: Tried, question: string): Tried {
  const { line } = tried.prepared ?? { line: '' };
  const codes = (line.match(portsInLine) ?? []).join().match(/\b[A-Z]{2}[A-Z2-9]{3}\b/g) ?? [];
  const guessed = codes.find(
    (code) => isLocode(code) && portOf(code) === undefined && !question.includes(code),
  );
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
