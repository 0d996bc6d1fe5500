import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../src/errors.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { mondayMs } from '../support/bot.ts';
import type { Step } from './observer.ts';
import type { Scene } from './scene.ts';
import { sentKinds } from './sent-kinds.ts';
import { type Stage, type StageOptions, startStage } from './stage.ts';

/** What happens to a bot that starts with it, on a Monday morning. */
export interface Story {
  title: string;
  env?: Record<string, string>;
  timing?: StageOptions['timing'];
  /** The service is another process, whose account an admin has to enter. */
  hasOwnService?: boolean;
  play(stage: Stage): Promise<void>;
  /** The bot is stopped, and started again a day after the beginning. */
  playAfterRestart?(stage: Stage): Promise<void>;
}

export interface Played {
  scenes: Scene[];
  /** The kinds of messages that the bot has sent without being asked. */
  kinds: string[];
}

export async function playStories(
  stories: readonly Story[],
  { isPlain }: { isPlain: boolean },
): Promise<Played> {
  const scenes: Scene[] = [];
  const kinds = new Set<string>();
  for (const story of stories) {
    const played = await playStory(story, isPlain);
    scenes.push({ title: story.title, steps: played.steps });
    for (const kind of played.kinds) kinds.add(kind);
  }
  return { scenes, kinds: [...kinds].toSorted() };
}

async function playStory(story: Story, isPlain: boolean): Promise<{ steps: Step[]; kinds: string[] }> {
  const { env, timing, hasOwnService, play, playAfterRestart } = story;
  const service = hasOwnService ? await createSandbox({ realNow: () => mondayMs }) : undefined;
  const directory = playAfterRestart && (await mkdtemp(join(tmpdir(), 'landfall-corpus-')));
  const common = {
    isPlain,
    ...(timing && { timing }),
    env: {
      ...env,
      ...(service && { ANALYTICS_BASE_URL: service.url }),
      ...(directory && { LANDFALL_DATA_DIR: directory }),
    },
  };
  try {
    const before = await playOnce(play, common);
    const kinds = directory ? [] : await sentKinds();
    const after = playAfterRestart
      ? await playOnce(playAfterRestart, { ...common, startsAfterHours: 24 })
      : [];
    return { steps: [...before, ...after], kinds };
  } finally {
    await service?.close();
    if (directory) await rm(directory, { recursive: true });
  }
}

/** A story that can't be played to its end says why: that is a difference like any other. */
async function playOnce(play: Story['play'], options: StageOptions): Promise<Step[]> {
  const stage = await startStage(options);
  try {
    await play(stage);
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
