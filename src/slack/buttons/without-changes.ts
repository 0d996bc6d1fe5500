import type { ActionsBlock, Button, Overflow, SectionBlock, StaticSelect } from '@slack/types';
import type { Message, MessageBlock } from '../../answers/message.ts';
import { goToPattern } from '../../answers/slack/blocks.ts';
import { attempt, UserError } from '../../errors.ts';
import type { LineContext } from '../../features/ctx.ts';
import type { SlackContext } from '../context.ts';
import type { SlackUser } from '../people/lookups.ts';
import { actionOf, buttonClickOf } from './action-of.ts';

type MayPress = (id: string, value: string) => boolean;

/** For a guest who may only ask: without the buttons and options that would be refused. */
export const withoutChanges = ({ blocks, plain, ...message }: Message, known: Known): Message => ({
  ...message,
  blocks: blocksWithoutChanges(blocks, known),
  ...(plain && { plain: blocksWithoutChanges(plain, known) }),
});

export function blocksWithoutChanges<Block extends MessageBlock>(blocks: readonly Block[], known: Known) {
  const mayPress: MayPress = (id, value) => goToPattern.test(id) || onlyAsks({ id, value }, known);
  return blocks.flatMap((block) => filtered(block, mayPress));
}

interface Known extends Pick<LineContext, 'vessels'> {
  user: SlackUser;
  channelId: string;
  slack: SlackContext;
}

function onlyAsks(pressed: { id: string; value: string }, { user, channelId, vessels, slack }: Known) {
  const click = buttonClickOf({ ...pressed, user, triggerId: '', actionTs: '' }, channelId);
  const action = actionOf(click, slack);
  if (action) return action.onlyAsks ?? action.repeatable ?? false;
  const line = attempt(() => slack.parseLine(click.value, { vessels }));
  // Such as Cancel, whose value is no line.
  return line instanceof UserError || (line.onlyAsks && line.privacy !== 'internal');
}

function filtered<Block extends MessageBlock>(
  block: Block,
  mayPress: MayPress,
): (Block | ActionsBlock | SectionBlock)[] {
  if (block.type === 'actions') {
    const elements = block.elements.flatMap((element) => pressable(element, mayPress));
    return elements.length > 0 ? [{ ...block, elements }] : [];
  }
  if (block.type !== 'section' || !block.accessory) return [block];
  const [accessory] = pressable(block.accessory, mayPress);
  if (accessory) return [{ ...block, accessory }];
  return [{ type: 'section', ...(block.text && { text: block.text }) }];
}

function pressable<Element extends { type: string }>(
  element: Element | Button | Overflow | StaticSelect,
  mayPress: MayPress,
): (Element | Button | Overflow | StaticSelect)[] {
  if (isButton(element)) return mayPress(element.action_id ?? '', element.value ?? '') ? [element] : [];
  if (!isMenu(element)) return [element];
  const id = element.action_id ?? '';
  const options = (element.options ?? []).filter(({ value = '' }) => mayPress(id, value));
  const [only, ...others] = options;
  if (!only) return [];
  // Slack refuses such a menu of one option.
  if (others.length === 0 && element.type === 'overflow')
    return [
      { type: 'button', action_id: id, value: only.value ?? '', text: { ...only.text, type: 'plain_text' } },
    ];
  return [{ ...element, options }];
}

const isButton = (element: { type: string }): element is Button => element.type === 'button';

const isMenu = (element: { type: string }): element is Overflow | StaticSelect =>
  element.type === 'overflow' || element.type === 'static_select';
