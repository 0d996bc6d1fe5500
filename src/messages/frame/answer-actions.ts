import type { ActionsBlock, Button, KnownBlock, Overflow } from '@slack/types';
import type { Imo } from '../../reference/imo.ts';
import { actionIds, formActionId } from '../action-ids.ts';
import { actions, button, overflow } from '../blocks.ts';
import { limits } from '../limits.ts';
import type { Message } from '../message.ts';

/** A line to run, with the words of its button; grammar's `Choice` has the same shape. */
interface LineButton {
  label: string;
  line: string;
}

export interface AnswerActions {
  /** The canonical line that this message answers. */
  line: string;
  /** Buttons before Refresh: the next page, another order. */
  runs?: readonly LineButton[];
  /** What [Watch] watches: a line `watch …`, run as whoever presses. */
  watch?: string;
  /** A vessel that has no name here: it can be given one. */
  unnamed?: Imo;
  /** The overflow menu at the end. */
  more?: readonly LineButton[];
}

/** The row under every answer: [runs …] [Refresh] [Share in channel] [Watch] [Name it …] [More ▾]. */
export function answerActions({ line, runs = [], watch, unnamed, more = [] }: AnswerActions): ActionsBlock[] {
  const runButtons = lineButtons(runs);
  const watchButton = lineButtons(
    watch === undefined ? [] : [{ label: 'Watch', line: watch }],
    runButtons.length,
  );
  return actions([
    ...runButtons,
    button({ id: actionIds.refresh, label: 'Refresh', value: line }),
    button({ id: actionIds.share, label: 'Share in channel', value: line }),
    ...watchButton,
    ...(unnamed === undefined ? [] : [nameButton(unnamed)]),
    ...moreMenu(more, runButtons.length + watchButton.length),
  ]);
}

/** For where nobody is left to share the answer with. */
export function withoutShare({ blocks, plain, ...message }: Message): Message {
  return {
    ...message,
    blocks: blocks.flatMap(unshared),
    ...(plain && { plain: plain.flatMap(unshared) }),
  };
}

function unshared(block: KnownBlock): KnownBlock[] {
  if (block.type !== 'actions') return [block];
  const elements = block.elements.filter(
    (element) => !('action_id' in element) || element.action_id !== actionIds.share,
  );
  return elements.length > 0 ? [{ ...block, elements }] : [];
}

function nameButton(imo: Imo): Button {
  return button({ id: formActionId('name'), label: 'Name it …', value: JSON.stringify({ imo }) });
}

/** Buttons `run:0`, `run:1`, …, each running its line. */
export function lineButtons(lines: readonly LineButton[], from = 0): Button[] {
  return lines
    .filter(({ line }) => line.length <= limits.buttonValue)
    .map(({ label, line }, index) => button({ id: actionIds.run(from + index), label, value: line }));
}

/** A menu of one option looks broken in Slack: it becomes a button. */
function moreMenu(more: readonly LineButton[], runs: number): (Button | Overflow)[] {
  const fitting = more
    .filter(({ line }) => line.length <= limits.optionValue)
    .slice(0, limits.overflowOptions);
  if (fitting.length < 2) return lineButtons(fitting, runs);
  return [
    overflow(
      actionIds.more,
      fitting.map(({ label, line }) => ({ label, value: line })),
    ),
  ];
}
