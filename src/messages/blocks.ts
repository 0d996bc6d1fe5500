import type {
  ActionsBlock,
  Button,
  ContextBlock,
  MrkdwnElement,
  Overflow,
  PlainTextElement,
  SectionBlock,
  StaticSelect,
  TableBlock,
} from '@slack/types';
import { clip, limits, packLines } from './limits.ts';
import { plain } from './mrkdwn.ts';

/** Sections of mrkdwn lines, as many as their lengths need. Names in the lines are escaped already. */
export function sections(lines: readonly string[]): SectionBlock[] {
  return packLines(lines, limits.sectionText).map((text) => ({ type: 'section', text: mrkdwn(text) }));
}

/** Small grey print under an answer. */
export function context(text: string): ContextBlock {
  return { type: 'context', elements: [mrkdwn(clip(text, limits.contextText))] };
}

/** Undefined for no elements: Slack refuses an empty row. */
export function actions(elements: readonly (Button | Overflow | StaticSelect)[]): ActionsBlock[] {
  if (elements.length === 0) return [];
  return [{ type: 'actions', elements: elements.slice(0, limits.actionsElements) }];
}

export function button({ id, label, value }: { id: string; label: string; value: string }): Button {
  return { type: 'button', action_id: id, text: plainText(label, limits.buttonText), value };
}

/** The one that stands out. */
export const primary = (pressed: Button): Button => ({ ...pressed, style: 'primary' });

/** Slack asks before it is pressed in earnest; red. Texts unescaped. */
export function confirmed(
  pressed: Button,
  { title, question, yes }: { title: string; question: string; yes: string },
): Button {
  return {
    ...pressed,
    style: 'danger',
    confirm: {
      title: plainText(title, limits.confirmTitle),
      text: plainText(question, limits.confirmText),
      confirm: plainText(yes, limits.confirmButton),
      deny: plainText('Cancel', limits.confirmButton),
    },
  };
}

/** Options whose line is too long for Slack are left out: the same line can still be typed. */
export function overflow(id: string, options: readonly { label: string; value: string }[]): Overflow {
  return {
    type: 'overflow',
    action_id: id,
    options: options.map(({ label, value }) => ({ text: plainText(label, limits.optionText), value })),
  };
}

/** A menu with its name on it; it shows what was chosen until its block has another id. */
export function select(
  id: string,
  name: string,
  options: readonly { label: string; value: string }[],
): StaticSelect {
  return {
    type: 'static_select',
    action_id: id,
    placeholder: plainText(name, limits.placeholder),
    options: options.map(({ label, value }) => ({ text: plainText(label, limits.optionText), value })),
  };
}

interface TableColumn {
  header: string;
  align?: 'left' | 'right';
}

/** A table of plain text; a message may hold one. A cell may not be empty. */
export function table(columns: readonly TableColumn[], rows: readonly (readonly string[])[]): TableBlock {
  const cells = [columns.map(({ header }) => header), ...rows];
  return {
    type: 'table',
    column_settings: columns.map(({ align = 'left' }) => ({ align, is_wrapped: true })),
    rows: cells.map((row) => row.map((text) => ({ type: 'raw_text', text: plain(text) || '–' }))),
  };
}

/** `verbatim`: Slack makes no links or mentions out of what looks like one. */
function mrkdwn(text: string): MrkdwnElement {
  return { type: 'mrkdwn', text, verbatim: true };
}

function plainText(text: string, max: number): PlainTextElement {
  return { type: 'plain_text', text: clip(plain(text), max), emoji: false };
}
