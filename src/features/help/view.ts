import { actions, sections } from '../../messages/blocks.ts';
import { lineButtons } from '../../messages/frame/answer-actions.ts';
import { clip, joinWithin, limits } from '../../messages/limits.ts';
import type { Message } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';

/** What the registry says of a command. */
interface CommandHelp {
  name: string;
  summary: string;
  usage: string;
  examples: readonly string[];
  /** Mrkdwn lines, shown where this command alone is asked for. */
  more: readonly string[];
  /** Examples that a button may run: as they are typed, with their canonical line. */
  runs: readonly { label: string; line: string }[];
}

export interface HelpAnswer {
  kind: 'help';
  line: string;
  /** One: all of its examples. Several: one each. */
  commands: readonly CommandHelp[];
}

export function helpView({ commands, line }: HelpAnswer): Message {
  const [only] = commands;
  return commands.length === 1 && only ? oneCommand(only) : allCommands(commands, line);
}

function allCommands(commands: readonly CommandHelp[], asked: string): Message {
  // A button that gives this same help again would be of no use.
  const firstRuns = commands.flatMap(({ runs }) => runs.filter(({ line }) => line !== asked).slice(0, 1));
  const said = commands.map(({ name, summary }) => escaped(clip(`/${name}: ${summary}`, 300)));
  return {
    text: joinWithin(
      ['I answer where vessels call next and when, from predictions', ...said],
      '; ',
      limits.messageText,
    ),
    blocks: [
      ...sections(['*Ask me where vessels call next, and when.* Answers are predictions, not reports.']),
      ...sections(commands.map(described)),
      ...actions(lineButtons(firstRuns)),
      ...sections([
        'The same lines work in a direct message, after mentioning me, and after `/landfall`. `/landfall help nextport` explains one command. Only you see an answer unless the line ends in `public`, you press Share in channel, or the channel shows answers to everyone.',
      ]),
    ],
  };
}

function oneCommand(command: CommandHelp): Message {
  return {
    text: joinWithin(
      [
        escaped(clip(`/${command.name}: ${command.summary}`, 300)),
        `for example ${command.examples.map((line) => escaped(clip(`/${line}`, 300))).join(', ')}`,
      ],
      '; ',
      limits.messageText,
    ),
    blocks: [
      ...sections([
        described(command),
        ...command.examples.map((line) => `\`${escaped(clip(`/${line}`, 200))}\``),
        ...command.more,
      ]),
      ...actions(lineButtons(command.runs)),
    ],
  };
}

function described({ name, summary, usage }: CommandHelp): string {
  return `\`${escaped(clip(`/${name} ${usage}`.trim(), 200))}\`\n${escaped(clip(summary, 200))}`;
}
