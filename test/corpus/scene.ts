import type { Change, Shown } from './changes.ts';
import type { Step } from './observer.ts';

/** Steps under one heading. */
export interface Scene {
  title: string;
  steps: Step[];
}

/** Something without steps. */
export interface Entry {
  heading: string;
  text: string;
}

export const listOf = (entries: readonly Entry[]): string =>
  shortened(entries.map(({ heading, text }) => ({ heading, text: `${text.trimEnd()}\n` })));

type Part = (shown: Shown) => readonly string[];

/** The texts that notifications and screen readers get. */
export const textsOf = (scenes: readonly Scene[]): string =>
  print(scenes, ({ text }) => (text === undefined ? [] : text.split('\n')));

/** What people see and press. */
export const outlinesOf = (scenes: readonly Scene[]): string => print(scenes, ({ outline }) => outline);

/** What people see where Slack refuses the newer blocks: the lines that they don't see otherwise, and how many lack. */
export function plainOf(plain: readonly Scene[], scenes: readonly Scene[]): string {
  const entries = plain.flatMap(({ title, steps }, scene) =>
    steps.flatMap(({ heading, changes }, step) => {
      const usual = scenes[scene]?.steps[step]?.changes ?? [];
      const lines = changes.flatMap((change, index) => twinLines(change, usual[index]));
      return lines.length === 0
        ? []
        : [{ title, heading, text: lines.map((line) => `  ${line}\n`).join('') }];
    }),
  );
  return shortened(
    entries.map(({ title, ...entry }) => ({ ...entry, heading: `${title} · ${entry.heading}` })),
  );
}

function twinLines(change: Change, usual: Change | undefined): string[] {
  const lines = changeLines(change, ({ outline }) => outline);
  const others = usual ? changeLines(usual, ({ outline }) => outline) : [];
  const added = without(lines, others);
  const lacking = without(others, lines).length;
  if (added.length + lacking === 0) return [];
  return [
    `${change.is?.where ?? change.was?.where}: (${lacking} lines less)`,
    ...added.map((line) => `  ${line}`),
  ];
}

function print(scenes: readonly Scene[], part: Part): string {
  const entries = scenes.flatMap(({ title, steps }) =>
    steps.map((step, index) => ({
      heading: step.heading,
      text: stepText(step, part),
      ...(index === 0 && { title }),
    })),
  );
  return shortened(entries);
}

/** What is the same after an earlier heading isn't repeated, so that a change of it is one difference. */
function shortened(entries: readonly (Entry & { title?: string })[]): string {
  const known = new Map<string, string>();
  const texts = entries.map(({ title, heading, text }) => {
    const as = known.get(text);
    if (as === undefined && text.length > maxRepeated) known.set(text, heading);
    const scene = title === undefined ? '' : `══ ${title}\n\n`;
    return `${scene}▸ ${heading}\n${as === undefined ? text : `  (as after ${as})\n`}`;
  });
  return texts.join('\n');
}

const maxRepeated = 200;

function stepText({ changes, notes }: Step, part: Part): string {
  const shown = changes.map((change) => changeLines(change, part)).filter((lines) => lines.length > 0);
  const lines = [...notes, ...(shown.length + notes.length === 0 ? ['(nothing)'] : shown.flat())];
  return lines.map((line) => `  ${line}\n`).join('');
}

/** Of an edited message or window, only the lines that differ, unless they are most of them. */
function changeLines({ was, is }: Change, part: Part): string[] {
  if (!is) return was ? [`gone ${was.where}`] : [];
  const now = part(is);
  const before = was ? part(was) : [];
  const whole = (how: string) =>
    now.length + is.files.length > 0 ? [`${how}${is.where}:`, ...inner(now), ...filesOf(is)] : [];
  if (!was) return whole('');
  if (now.join('\n') === before.join('\n')) return [];
  const removed = without(before, now);
  const added = without(now, before);
  const isReordered = removed.length + added.length === 0;
  if (isReordered || removed.length > before.length / 2)
    return whole(isReordered ? 'reordered ' : 'replaced ');
  const marked = [...removed.map((line) => `- ${line}`), ...added.map((line) => `+ ${line}`)];
  return [`edited ${is.where}:`, ...inner(marked)];
}

const inner = (lines: readonly string[]) => lines.map((line) => `  ${line}`);
const filesOf = ({ files }: Shown) => files.map(() => '  (a file)');

/** The lines of one side that the other doesn't have, as often as they occur there. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return lines.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
