import type {
  ActionsBlock,
  Button,
  ContextBlock,
  HeaderBlock,
  MrkdwnElement,
  Overflow,
  PlainTextElement,
  SectionBlock,
  StaticSelect,
  TableBlock,
} from '@slack/types';
import { clip, limits, packLines } from '../message.ts';
import { plain } from '../text.ts';

/** As many sections as the lines need. The lines are mrkdwn: the caller escapes the names in them. */
export const sections = (lines: readonly string[]): SectionBlock[] =>
  packLines(lines, limits.sectionText).map((text) => ({ type: 'section', text: mrkdwn(text) }));

/** Small grey print under an answer. */
export function context(text: string): ContextBlock {
  return { type: 'context', elements: [mrkdwn(clip(text, limits.contextText))] };
}

/** Without elements there is no block, because Slack refuses an empty row. */
export function actions(elements: readonly (Button | Overflow | StaticSelect)[]): ActionsBlock[] {
  if (elements.length === 0) return [];
  return [{ type: 'actions', elements: elements.slice(0, limits.actionsElements) }];
}

export function button({ id, label, value }: { id: string; label: string; value: string }): Button {
  return { type: 'button', action_id: id, text: plainText(label, limits.buttonText), value };
}

export const primary = (plainButton: Button): Button => ({ ...plainButton, style: 'primary' });

/** A red button. Slack asks the question, and reports the click only after `yes`. The texts need no escaping. */
export function withConfirmation(
  plainButton: Button,
  { title, question, yes }: { title: string; question: string; yes: string },
): Button {
  return {
    ...plainButton,
    style: 'danger',
    confirm: {
      title: plainText(title, limits.confirmTitle),
      text: plainText(question, limits.confirmText),
      confirm: plainText(yes, limits.confirmButton),
      deny: plainText('Cancel', limits.confirmButton),
    },
  };
}

interface MenuItem {
  label: string;
  value: string;
}

/** Slack refuses values of more than 150 characters. */
export const overflow = (id: string, items: readonly MenuItem[]): Overflow => ({
  type: 'overflow',
  action_id: id,
  options: items.map(optionOf),
});

/** A menu that shows its name. After a choice it shows the chosen option, until an update changes its `block_id`. */
export const select = (id: string, name: string, items: readonly MenuItem[]): StaticSelect => ({
  type: 'static_select',
  action_id: id,
  placeholder: plainText(name, limits.placeholder),
  options: items.map(optionOf),
});

const optionOf = ({ label, value }: MenuItem) => ({ text: plainText(label, limits.optionText), value });

/** A title in large letters, not escaped. In a message, use `header`, which has a twin. */
export const title = (text: string): HeaderBlock => ({
  type: 'header',
  text: plainText(text, limits.headerText),
});

/** A table of plain text. A message may hold only one; Slack refuses empty cells. */
export function table(
  columns: readonly { header: string; align?: 'left' | 'right' }[],
  rows: readonly (readonly string[])[],
): TableBlock {
  const cells = [columns.map(({ header }) => header), ...rows];
  return {
    type: 'table',
    column_settings: columns.map(({ align = 'left' }) => ({ align, is_wrapped: true })),
    rows: cells.map((row) => row.map((text) => ({ type: 'raw_text', text: plain(text) || '–' }))),
  };
}

/** With `verbatim`, Slack makes no links or mentions of plain text. */
const mrkdwn = (text: string): MrkdwnElement => ({ type: 'mrkdwn', text, verbatim: true });

export function plainText(text: string, max: number): PlainTextElement {
  return { type: 'plain_text', text: clip(plain(text), max), emoji: false };
}

/** Buttons and menus whose value is a canonical command line; slack/buttons/ handles their clicks. */
export const actionIds = {
  /** Replaces the message with a fresh answer. */
  refresh: 'refresh',
  /** Runs the line again and posts the answer in the channel. */
  share: 'share',
  /** An overflow menu: each option's value is a line to run. */
  more: 'more',
  /** Runs another line. The index makes the id unique within a message. */
  run: (index: number) => `run:${index}`,
  /** Runs another line too. The answer never replaces the message, which stays, such as the card of a watch. */
  apart: (index: number) => `apart:${index}`,
  /** An overflow menu of such lines, and of the options below. */
  apartMenu: 'apart:menu',
} as const;

/** Matches every `actionIds.apart`, and `actionIds.apartMenu`. */
export const apartPattern = /^apart:/;

export const runActionPattern = /^run:\d+$/;

/** Does what `actionId` does, and allows people of other organisations to see what it posts in that channel. */
export const outsidersActionId = (channelId: string, actionId: string): string =>
  `outsiders:${channelId}:${actionId}`;

/** Matches every `outsidersActionId`; the groups are the channel and the action. */
export const outsidersPattern = /^outsiders:([^:]+):(.+)$/;

/** A button that opens a form. Its value is the form's target as JSON. `index` makes the id unique in a message. */
export const formActionId = (name: string, index?: number): string =>
  index === undefined ? `form:${name}` : `form:${name}:${index}`;

/** Matches every `formActionId`; the group is the form's name. */
export const formActionPattern = /^form:([a-z-]+)(?::\d+)?$/;

/** The value of a menu's option that opens a form: at most 150 characters. */
export const formOption = (name: string, target: object): string => `form:${name} ${JSON.stringify(target)}`;

/** Matches every `formOption`; the groups are the form's name and the target. */
export const formOptionPattern = /^form:([a-z-]+) (\{.*\})$/;

/** A button of the Home tab to another page, such as `watches all 2`. The page makes the id unique within a block. */
export const homeGoTo = (place: string) => `home:go:${place}`;

/** Matches every `homeGoTo`. */
export const goToPattern = /^home:go:/;

/** An option of a menu that does the same as a button. Its value has at most 150 characters. */
export const pressOption = (label: string, actionId: string, value: string) => ({
  label,
  value: `${actionId} ${value}`,
});

/** Matches every `pressOption`; the groups are the action id and the value. */
export const pressedOptionPattern = /^([a-z-]+:[a-z-]+) (.+)$/;
