import { type Message, type MessageBlock, plainBlocksOf } from '../messages/message.ts';

/** Slackbot drops all blocks if one isn't among those that it shows. */
const shown: ReadonlySet<MessageBlock['type']> = new Set([
  'section',
  'context',
  'header',
  'divider',
  'table',
  'data_table',
  'data_visualization',
]);

/**
 * The answer in Block Kit, without its buttons: Slackbot sends their clicks to tools, not to the bot. Without newer blocks if
 * one of them isn't shown by Slackbot.
 */
export function slackBlocks(message: Message): MessageBlock[] {
  const blocks = withoutButtons(message.blocks);
  return blocks.every(({ type }) => shown.has(type)) ? blocks : withoutButtons(plainBlocksOf(message));
}

const withoutButtons = (blocks: readonly MessageBlock[]): MessageBlock[] =>
  blocks
    .filter(({ type }) => type !== 'actions')
    .map((block) => {
      if (block.type !== 'section') return block;
      const { accessory: _, ...section } = block;
      return section;
    });
