import { actions, sections } from '../../messages/blocks.ts';
import { lineButtons } from '../../messages/frame/answer-actions.ts';
import { clip, joinWithin, limits } from '../../messages/limits.ts';
import type { Message } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import type { Command } from '../command.ts';

interface CommandHelp extends Pick<Command, 'name' | 'summary' | 'usage' | 'more'> {
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
  return commands.length === 1 && only ? oneCommand(only) : allCommands(commands, line);
}

function allCommands(commands: readonly CommandHelp[], helpLine: string): Message {
  // A button for this same help would be useless.
  const firstExamples = commands.flatMap(({ runs }) =>
    runs.filter(({ line }) => line !== helpLine).slice(0, 1),
  );
  return {
    text: joinedText([
      'Ask me where vessels call next, and when; the answers are predictions',
      ...commands.map(summaryOf),
    ]),
    blocks: [
      ...sections(['*Ask me where vessels call next, and when.* Answers are predictions, not reports.']),
      ...sections(commands.map(usageOf)),
      ...actions(lineButtons(firstExamples)),
      ...sections([
        'The same lines work in a direct message, after mentioning me, and after `/landfall`. `/landfall help nextport` explains one command. Only you see an answer unless the line ends in `public`, you press Share, or the channel shows answers to everyone.',
      ]),
    ],
  };
}

function oneCommand(command: CommandHelp): Message {
  const examples = command.examples.map((line) => escaped(clip(`/${line}`, 300)));
  return {
    text: joinedText([summaryOf(command), `for example ${examples.join(', ')}`]),
    blocks: [
      ...sections([usageOf(command), ...examples.map((line) => `\`${line}\``), ...command.more]),
      ...actions(lineButtons(command.runs)),
    ],
  };
}

const joinedText = (parts: readonly string[]): string => joinWithin(parts, '; ', limits.messageText);

const summaryOf = ({ name, summary }: CommandHelp): string => escaped(clip(`/${name}: ${summary}`, 300));

const usageOf = ({ name, summary, usage }: CommandHelp): string =>
  `\`${escaped(clip(`/${name} ${usage}`.trim(), 200))}\`\n${escaped(clip(summary, 200))}`;
