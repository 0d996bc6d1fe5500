import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { askLine } from '../../src/app/terminal.ts';
import { createConfig } from '../../src/config/config.ts';
import { mondayMs } from '../support/bot.ts';
import { headOf } from './head-of.ts';
import type { Step } from './observer.ts';
import type { Entry, Scene } from './scene.ts';
import { type Stage, startStage } from './stage.ts';
import { steady } from './steady.ts';

/**
 * A file of lines. `# ` begins a scene; `ben: ` says who types; without a slash or a mention it is a direct message.
 * Dora, who is of another organisation, types in the channel that both share.
 */
interface Sheet {
  name: string;
  scenes: { title: string; typed: string[] }[];
}

const folder = new URL('lines/', import.meta.url);

const readSheets = (): Sheet[] =>
  globSync('*.txt', { cwd: folder.pathname })
    .toSorted()
    .map((file) => {
      const scenes: Sheet['scenes'] = [];
      for (const line of readFileSync(new URL(file, folder), 'utf8').split('\n')) {
        if (line.startsWith('# ')) scenes.push({ title: line.slice(2), typed: [] });
        else if (line !== '') scenes.at(-1)?.typed.push(line);
      }
      return { name: basename(file, '.txt'), scenes };
    });

/** What the answers give as files, where they offer it. */
export type Exports = Record<'csv' | 'json', Entry[]>;

/** A bot for each sheet, so that a new line changes only its own sheet. */
export async function runLines({
  isPlain,
}: {
  isPlain: boolean;
}): Promise<{ scenes: Scene[]; exports: Exports }> {
  const all: Scene[] = [];
  const exports: Exports = { csv: [], json: [] };
  for (const { name, scenes } of readSheets()) {
    const stage = await startStage({ isPlain });
    for (const { title, typed } of scenes) {
      const steps: Step[] = [];
      for (const line of typed) {
        const step = await type(stage, line);
        steps.push(step);
        if (!isPlain) await exportAnswer(stage, step, exports);
      }
      all.push({ title: `${name}: ${title}`, steps });
    }
    await stage.bot.stop();
  }
  return { scenes: all, exports };
}

/** Due work is done too, such as the card of a new watch. */
async function type(stage: Stage, line: string): Promise<Step> {
  const [, who = 'ada', words = line] = /^(ben|chen|dora|eve): (.*)/.exec(line) ?? [];
  const inChannel = who === 'dora' ? ' in #carriers-shared' : '';
  const { changes, notes } = await stage.does(
    `${who}${/^[/@]/.test(words) ? inChannel : ' to Landfall'}: ${words}`,
  );
  const due = await stage.work();
  return { heading: line, changes: [...changes, ...due.changes], notes };
}

async function exportAnswer(stage: Stage, { heading, changes }: Step, exports: Exports): Promise<void> {
  const offered = changes.flatMap(({ is }) => is?.outline ?? []).join('\n');
  for (const [format, entries] of Object.entries(exports)) {
    const [, line] = new RegExp(`→ (?:apart:menu )?(\\S.* as ${format})$`, 'm').exec(offered) ?? [];
    if (line === undefined) continue;
    const sent = await stage.does(`ada: /${line}`);
    const [file] = sent.changes.flatMap(({ is }) => is?.files ?? []);
    if (!file) throw new Error(`${line} sends no file`);
    entries.push({ heading, text: headOf(await stage.contentOf(file)) });
  }
}

/** The same lines in the terminal, where everybody is the same person. */
export async function askInTerminal(): Promise<Entry[]> {
  const typed = readSheets().flatMap(({ scenes }) => scenes.flatMap((scene) => scene.typed));
  const config = createConfig({ LANDFALL_DATA_DIR: ':memory:' });
  const entries: Entry[] = [];
  for (const heading of typed.filter((line) => !/^(?:ben|chen|dora|eve): | public$/.test(line))) {
    const line = heading.replace(/^@landfall/, '');
    const { text } = await askLine(line, { config, zone: 'Europe/Berlin', realNow: () => mondayMs });
    entries.push({ heading, text: steady(text({ styled: false })) });
  }
  return entries;
}
