import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../src/errors.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { mondayMs } from '../support/bot.ts';
import { happen } from './happenings.ts';
import type { Step } from './observer.ts';
import type { Scene } from './scene.ts';
import { sentKinds } from './sent-kinds.ts';
import { type StageOptions, startStage } from './stage.ts';

/**
 * What happens to a bot that starts with it, on a Monday morning: a line for each thing that somebody does (acts.ts) or
 * that happens (happenings.ts). Those with `with` say how the bot is started.
 */
interface Story {
  title: string;
  lines: string[];
}

export interface Played {
  scenes: Scene[];
  /** The kinds of messages that the bot has sent without being asked. */
  kinds: string[];
}

const readStories = (file: string): Story[] =>
  readFileSync(new URL(`stories/${file}.txt`, import.meta.url), 'utf8')
    .split(/^# /m)
    .slice(1)
    .map((text) => {
      const [title = '', ...lines] = text.trimEnd().split('\n');
      return { title, lines };
    });

export async function playStories(
  files: readonly string[],
  { isPlain }: { isPlain: boolean },
): Promise<Played> {
  const scenes: Scene[] = [];
  const kinds = new Set<string>();
  for (const story of files.flatMap(readStories)) {
    const played = await playStory(story, isPlain);
    scenes.push({ title: story.title, steps: played.steps });
    for (const kind of played.kinds) kinds.add(kind);
  }
  return { scenes, kinds: [...kinds].toSorted() };
}

async function playStory({ lines }: Story, isPlain: boolean): Promise<{ steps: Step[]; kinds: string[] }> {
  const has = (setting: string) => lines.includes(`with ${setting}`);
  const settings = lines.flatMap((line) => [...line.matchAll(/^with ([A-Z_]+)=(.*)$/g)]);
  const played = lines.filter((line) => !line.startsWith('with '));
  const restart = played.indexOf('the bot is restarted');
  const service = has('a service of its own') ? await createSandbox({ realNow: () => mondayMs }) : undefined;
  const directory = restart < 0 ? undefined : await mkdtemp(join(tmpdir(), 'landfall-corpus-'));
  const common = {
    isPlain,
    ...(has('a notice after 1 ms') && { timing: { workingMs: 1 } }),
    env: {
      ...Object.fromEntries(settings.map(([, name, value]) => [name, value])),
      ...(service && { ANALYTICS_BASE_URL: service.url }),
      ...(directory && { LANDFALL_DATA_DIR: directory }),
    },
  };
  try {
    if (!directory) return { steps: await playOnce(played, common), kinds: await sentKinds() };
    const before = await playOnce(played.slice(0, restart), common);
    const after = await playOnce(played.slice(restart + 1), { ...common, startsAfterHours: 24 });
    return { steps: [...before, ...after], kinds: [] };
  } finally {
    await service?.close();
    if (directory) await rm(directory, { recursive: true });
  }
}

/** A story that can't be played to its end says why: that is a difference like any other. */
async function playOnce(lines: readonly string[], options: StageOptions): Promise<Step[]> {
  const stage = await startStage(options);
  try {
    for (const line of lines) if (!(await happen(line, stage))) await stage.does(line);
  } catch (error) {
    stage.steps.push({ heading: brokenHeading, changes: [], notes: [messageOf(error)] });
  } finally {
    await stage.bot.stop();
  }
  return stage.steps;
}

const brokenHeading = "THE STORY CAN'T BE PLAYED";

/** The titles of stories that could not be played to their end. */
export const brokenIn = (scenes: readonly Scene[]): string[] =>
  scenes.flatMap(({ title, steps }) =>
    steps
      .filter(({ heading }) => heading === brokenHeading)
      .map(({ notes }) => `the story “${title}” can't be played: ${notes.join()}`),
  );
