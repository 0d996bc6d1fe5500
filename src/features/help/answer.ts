import { type Answer, type AnswerButton, lines, type RowsSection } from '../../answers/answer.ts';
import { uncapitalised } from '../../answers/formatting/words.ts';
import { field, text } from '../../answers/kinds.ts';
import { clip } from '../../answers/message.ts';
import { table } from '../../answers/table.ts';
import { joined, onlyInTable, type Text } from '../../answers/text.ts';
import { afterMention, type Choice, ownLines } from '../../errors.ts';
import { exportFormats, joinWords } from '../../grammar/line.ts';
import type { CommandHelp, Option, Place } from '../ctx.ts';

/** Where the examples will be typed. */
type TypedIn = Pick<Place, 'needsMention'>;

export interface ShownCommand extends CommandHelp {
  /** Examples for buttons: the label is the example as typed, the line its canonical form. */
  runs: readonly Choice[];
}

const commandsTable = table<CommandHelp>({
  name: 'commands',
  about: 'A command',
  columns: {
    command: text('Command', 'its name', ({ name }) => name, { words: ({ name }) => ({ code: `/${name}` }) }),
    summary: text('What it answers or does', 'what it does', ({ summary }) => summary),
    usage: field('text', 'the words after its name', ({ usage }) => usage),
  },
});

export const allCommands = (commands: readonly ShownCommand[], place?: TypedIn): Answer => ({
  isOwn: true,
  verdict: { strong: 'Ask me where vessels call next, and when' },
  sections: [
    { kind: 'rows', rows: commands.flatMap(wishRow) },
    ...lines(
      inPlainWords(
        commands.flatMap(({ questions = [] }) => questions.slice(0, 1)),
        place,
      ),
    ),
    {
      kind: 'details',
      title: 'All commands',
      sections: [commandsTable.of({ caption: 'Commands', rows: commands })],
    },
  ],
  notes: [
    [codeOf(helpFor(commands)), ' explains one command'],
    ['the same lines work in a direct message, after mentioning me, and after ', codeOf(ownLines.all)],
    [
      ...['only you see an answer unless the line ends in ', { code: 'public' }],
      ', you press Share, or the channel shows answers to everyone',
    ],
    [
      ...exportFormats.flatMap((format, index) => [
        index === 0 ? '' : index === exportFormats.length - 1 ? ' or ' : ', ',
        { code: `as ${format}` },
      ]),
      ' at the end sends you the whole table as a file',
    ],
  ],
});

function wishRow({ wish, runs: [run], examples: [example] }: ShownCommand): RowsSection['rows'] {
  if (!wish) return [];
  const { words, form } = wish;
  const asks = run && { label: 'Ask', line: run.line };
  const button: AnswerButton | undefined = form
    ? { label: form.label, form: form.name, target: {}, isForAll: true }
    : asks;
  return [{ lines: [words, codeOf(example)], text: uncapitalised(words), button }];
}

const optionsTable = table<Option>({
  name: 'options',
  about: 'What can be typed after the command',
  columns: {
    option: text('Option', 'as it is typed', ({ typed }) => typed, {
      words: ({ typed, help }) => ({ inTable: typed, inLine: `${typed}: ${help}` }),
    }),
    meaning: text('What it does', 'what it does', ({ help }) => help, {
      words: ({ help }) => onlyInTable(help),
    }),
  },
});

const maxExampleButtons = 4;

export function oneCommand(shown: ShownCommand, place?: TypedIn): Answer {
  const { summary, usage, examples, options = [], optionsNote = '', questions = [] } = shown;
  const name = shown.isUnderLandfall ? `${ownLines.all} ${shown.name}` : shown.name;
  const runs = shown.runs.slice(0, maxExampleButtons);
  const typed = examples.filter((example) => !runs.some(({ label }) => label === example));
  const asks = runs.map(({ label, line }) => ({ lines: [codeOf(label)], button: { label: 'Ask', line } }));
  return {
    isOwn: true,
    verdict: { strong: clip(summary, 200), lines: [codeOf(`${name} ${usage}`.trim())] },
    sections: [
      ...(asks.length > 0 ? [{ kind: 'rows' as const, rows: asks }] : []),
      ...lines(typed.length > 0 ? [['For example: ', joined(typed.map(codeOf))]] : []),
      optionsTable.of({ caption: `Options of /${name}`, rows: options }),
      ...lines(inPlainWords(questions, place)),
    ],
    notes: optionsNote === '' ? [] : [optionsNote],
  };
}

/** In a channel, as they are copied: with the mention. */
function inPlainWords(questions: readonly { example: string }[], { needsMention }: TypedIn = {}): Text[] {
  const words = questions
    .slice(0, 3)
    .map(
      ({ example }): Text => (needsMention ? { code: afterMention(uncapitalised(example)) } : `“${example}”`),
    );
  return words.length > 0 ? [['Or in plain words: ', joined(words)]] : [];
}

/** Help for one command, as an example. */
export const helpFor = ([first]: readonly CommandHelp[]): string => joinWords(ownLines.help, first?.name);

const codeOf = (line: string): Text => ({ code: clip(`/${line}`, 300) });
