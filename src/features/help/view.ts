import type { Button } from '@slack/types';
import { actionIds, formActionId } from '../../messages/action-ids.ts';
import { actions, button, context, sections, withAccessory } from '../../messages/blocks.ts';
import { lineButtons } from '../../messages/frame/answer-actions.ts';
import { clip, joinWithin, limits } from '../../messages/limits.ts';
import { blocksOf, type Message } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import { dataTable } from '../../messages/rich-blocks.ts';
import type { Command } from '../command.ts';

interface CommandHelp extends Pick<Command, 'name' | 'summary' | 'usage' | 'options' | 'optionsNote'> {
  examples: readonly string[];
  /** Plain questions that the command answers, as a person types them. */
  questions: readonly string[];
  /** Examples for buttons: the label is the example as typed, the line its canonical form. */
  runs: readonly { label: string; line: string }[];
}

export interface HelpAnswer {
  kind: 'help';
  line: string;
  commands: readonly CommandHelp[];
}

export function helpView({ commands, line }: HelpAnswer): Message {
  const [only] = commands;
  return commands.length === 1 && only && line !== 'landfall' ? oneCommand(only) : allCommands(commands);
}

/** What people come for, in the order in which they need it. A command that changes something opens its form. */
const wishes = [
  { name: 'nextport', wish: 'See where a vessel calls next', label: 'Ask' },
  { name: 'portcalls', wish: 'See who is coming to a port', label: 'Ask' },
  { name: 'watch', wish: 'Be alerted when something changes', label: 'Watch …', form: 'watch' },
  { name: 'digest', wish: 'Get answers every morning', label: 'Plan …', form: 'digest' },
  { name: 'lane', wish: 'Compare carriers on a trade lane', label: 'Ask' },
] as const;

const maxQuestions = 3;

function allCommands(commands: readonly CommandHelp[]): Message {
  const rows = wishes.flatMap(({ name, ...wish }, index) => {
    const command = commands.find((one) => one.name === name);
    if (!command) return [];
    const [example = ''] = command.examples;
    const accessory = wishButton(wish, command, index);
    const lines = [wish.wish, codeOf(example)];
    return accessory ? [withAccessory(lines, accessory)] : sections(lines);
  });
  const questions = commands.flatMap((command) => command.questions.slice(0, 1)).slice(0, maxQuestions);
  const names = commands.map(({ name }) => `\`${escaped(name)}\``).join(' · ');
  return {
    text: joinedText(['Ask me where vessels call next, and when', ...commands.map(summaryOf)]),
    blocks: [
      ...sections(['*Ask me where vessels call next, and when*']),
      ...rows,
      ...sections(
        questions.length > 0
          ? [`Or in plain words: ${questions.map((words) => `“${escaped(words)}”`).join(' · ')}`]
          : [],
      ),
      context(`\`/landfall help nextport\` explains one command: ${names}`),
      context(
        'The same lines work in a direct message, after mentioning me, and after `/landfall` · only you see an answer unless the line ends in `public`, you press Share, or the channel shows answers to everyone · `as csv` or `as json` at the end sends you the whole table as a file',
      ),
    ],
  };
}

function wishButton(
  { label, form }: { label: string; form?: string },
  { runs: [run] }: CommandHelp,
  index: number,
): Button | undefined {
  if (form !== undefined) return button({ id: formActionId(form), label, value: '{}' });
  return run && button({ id: actionIds.run(index), label, value: run.line });
}

const maxExampleButtons = 4;

function oneCommand(command: CommandHelp): Message {
  const { name, summary, usage, examples, options, optionsNote, questions, runs } = command;
  const buttons = runs.slice(0, maxExampleButtons);
  const shown = new Set(buttons.map(({ label }) => label));
  const typed = examples.filter((example) => !shown.has(example)).map(codeOf);
  return {
    text: joinedText([
      summaryOf(command),
      `for example ${examples.map((line) => escaped(clip(`/${line}`, 300))).join(', ')}`,
    ]),
    ...blocksOf([
      ...sections([`*${escaped(clip(summary, 200))}*`, codeOf(`${name} ${usage}`.trim())]),
      ...actions(lineButtons(buttons)),
      ...sections(typed.length > 0 ? [`For example: ${typed.join(' · ')}`] : []),
      ...dataTable({
        caption: `Options of /${name}`,
        columns: [{ header: 'Option' }, { header: 'What it does' }],
        rows: options.map((option) => [option.typed, option.help]),
        lines: options.map((option) => `\`${escaped(option.typed)}\`: ${escaped(option.help)}`),
      }),
      ...sections(
        questions.length > 0
          ? [
              `Or in plain words: ${questions
                .slice(0, maxQuestions)
                .map((words) => `“${escaped(words)}”`)
                .join(' · ')}`,
            ]
          : [],
      ),
      ...(optionsNote === '' ? [] : [context(escaped(optionsNote))]),
    ]),
  };
}

const joinedText = (parts: readonly string[]): string => joinWithin(parts, '; ', limits.messageText);

const summaryOf = ({ name, summary }: CommandHelp): string => escaped(clip(`/${name}: ${summary}`, 300));

const codeOf = (line: string): string => `\`${escaped(clip(`/${line}`, 300))}\``;
