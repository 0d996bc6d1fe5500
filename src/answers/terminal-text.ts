import { stripVTControlCharacters } from 'node:util';
import type { ActionsBlock, KnownBlock } from '@slack/types';
import { type Message, plainBlocksOf } from './message.ts';
import { apartPattern, runActionPattern } from './slack/blocks.ts';

interface Style {
  /** IANA name. Times from Slack's date tokens are shown in this zone. */
  zone: string;
  /** True if the terminal shows bold and italic text. */
  styled: boolean;
  /** True for a line that the terminal can run; other lines are not offered. All lines are if it is left out. */
  canRun?: (line: string) => boolean;
  /** Shows a line of code in other words; it stays as it is if this returns undefined. */
  inWords?: (line: string) => string | undefined;
}

/** A message as text for a terminal. Buttons are shown as the lines that they run. */
export function terminalText(message: Message, style: Style): string {
  const parts = plainBlocksOf(message)
    .map((block) => blockText(block, style))
    .filter((part) => part !== '');
  return parts.length > 0 ? parts.join('\n') : fromMrkdwn(message.text, style);
}

function blockText(block: KnownBlock, style: Style): string {
  switch (block.type) {
    case 'section':
      return fromMrkdwn(block.text?.text ?? '', style);
    case 'context': {
      const texts = block.elements.flatMap((element) => ('text' in element ? [element.text] : []));
      return texts.map((text) => fromMrkdwn(text, style)).join(' ');
    }
    case 'actions':
      return block.elements.flatMap((element) => runnableLine(element, style)).join('\n');
    case 'table':
      return alignColumns(
        block.rows.map((row) => row.map((cell) => (cell.type === 'raw_text' ? harmless(cell.text) : ''))),
      );
    default:
      return '';
  }
}

/** Removes control sequences and control characters. */
const harmless = (text: string): string => stripVTControlCharacters(text).replace(/[^\P{Cc}\n]/gu, '');

/** Shows a button that runs a line as that line, and leaves out all other elements. */
function runnableLine(element: ActionsBlock['elements'][number], { canRun = () => true }: Style): string[] {
  if (element.type !== 'button' || !element.value) return [];
  if (![runActionPattern, apartPattern].some((pattern) => pattern.test(element.action_id ?? ''))) return [];
  if (!canRun(element.value)) return [];
  const label = harmless(element.text.text).replace(/^\//, '');
  return [label === element.value ? `  › ${label}` : `  › ${label}: ${element.value}`];
}

function fromMrkdwn(text: string, { zone, styled, inWords }: Style): string {
  // ANSI codes: 1 and 22 begin and end bold text, 3 and 23 italic text.
  const mark = (open: number, close: number) => (_: string, before: string, words: string) =>
    styled ? `${before}\u001B[${open}m${words}\u001B[${close}m` : `${before}${words}`;
  return (
    harmless(text)
      .replace(/<!date\^(\d+)[^>]*>/g, (_, seconds: string) => localTime(Number(seconds), zone))
      .replace(/<[^|>]*\|([^>]*)>/g, '$1')
      .replace(/<([^>]*)>/g, '$1')
      .replace(/(^|[\s(])\*([^*\n]+)\*/g, mark(1, 22))
      .replace(/(^|[\s(])_([^_\n]+)_(?=$|[\s).,])/gm, mark(3, 23))
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
      // In a terminal, lines are typed without a slash.
      .replace(/`\/?([^`\n]+)`/g, (_, line: string) => inWords?.(line) ?? line)
  );
}

function localTime(unixSeconds: number, zone: string): string {
  return new Date(unixSeconds * 1000)
    .toLocaleString('en-GB', {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
      timeZone: zone,
      timeZoneName: 'short',
    })
    .replaceAll(',', '');
}

function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  const padded = rows.map((row) => row.map((cell, index) => cell.padEnd(widths[index] ?? 0)));
  return padded.map((row) => row.join('  ').trimEnd()).join('\n');
}
