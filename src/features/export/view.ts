import type { ExportFormat } from '../../grammar/options.ts';
import { sections } from '../../messages/blocks.ts';
import { counted } from '../../messages/formatting/words.ts';
import { inventedSuffix } from '../../messages/frame/answer-message.ts';
import { inventedNotes, smallPrint } from '../../messages/frame/small-print.ts';
import { joinText, limits, packLines } from '../../messages/limits.ts';
import type { Message, Reader } from '../../messages/message.ts';
import { codeBlock, codeLine, escaped } from '../../messages/mrkdwn.ts';

export interface Export {
  kind: 'export';
  format: ExportFormat;
  /** The name of the file. */
  file: string;
  rows: number;
  /** The number of rows that there are, if the file has only the first of them. */
  total?: number;
  /** Set in the terminal. */
  content?: string | Uint8Array;
  /** Set if Slack didn't take the file. */
  unsent?: Unsent;
}

interface Unsent {
  /** What a file with as many rows as fit in a message would hold. */
  text: string;
  rows: number;
  /** What to do about it. */
  advice?: string;
}

export function exportView(answer: Export, reader: Reader): Message {
  const { rows, total, unsent } = answer;
  const file = `${escaped(answer.file)} (${counted(rows, 'row')})`;
  const bounded =
    total === undefined ? [] : [`the first ${counted(rows, 'row')} of ${total.toLocaleString('en')}`];
  const verdict = unsent ? `Slack didn't take the file ${file}` : `Sent ${file} to your direct messages`;
  return {
    text: `${joinText([verdict, ...bounded])}${inventedSuffix(reader)}`,
    blocks: [
      ...sections([`*${verdict}*`]),
      ...(unsent ? asText(unsent, rows) : []),
      ...smallPrint([...bounded, ...inventedNotes(reader)]),
    ],
  };
}

function asText({ text, rows, advice }: Unsent, all: number) {
  const shown =
    rows < all ? `Its first ${counted(rows, 'row')}, which is all that fits here:` : 'Here it is as text:';
  const lines = text.trimEnd().split(/\r?\n/).map(codeLine);
  return [
    ...sections([...(advice === undefined ? [] : [escaped(advice)]), shown]),
    // Six characters are for the backticks around the block.
    ...packLines(lines, limits.sectionText - 6).flatMap((part) => sections([codeBlock([part])])),
  ];
}

export const charactersShown = 6_000;
