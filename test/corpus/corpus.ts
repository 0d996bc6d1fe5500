import { Worker } from 'node:worker_threads';
import { missingFrom } from './completeness.ts';
import { playInstallation } from './installation.ts';
import { askInTerminal, runLines } from './lines.ts';
import { listOf, outlinesOf, plainOf, type Scene, textsOf } from './scene.ts';
import { brokenIn, playStories } from './story.ts';
import { callTools } from './tools.ts';

interface Corpus {
  /** By name. */
  files: Map<string, string>;
  /** Stories that can't be played, and what the registry has that no line or story shows. */
  faults: string[];
}

/** Files of stories/. */
const stories = {
  alerts: ['alerts', 'handling'],
  digests: ['digests'],
  forms: ['forms'],
  home: ['home'],
  elsewhere: ['elsewhere'],
};

type Group = 'lines' | keyof typeof stories;

/** What the bot shows with Slack's newer blocks, or where Slack refuses them. */
interface Played {
  scenes: Record<Group, Scene[]>;
  kinds: string[];
  exports: Awaited<ReturnType<typeof runLines>>['exports'];
}

/** The part that a worker makes meanwhile. */
interface WorkersPart {
  plain: Played;
  terminal: string;
}

export async function makeCorpus(): Promise<Corpus> {
  const [{ plain, terminal }, played] = await Promise.all([inWorker(), play({ isPlain: false })]);
  const tools = await callTools();
  const { scenes, exports, kinds } = played;
  const groups = Object.entries(scenes) as [Group, Scene[]][]; // Object.entries forgets the type of keys
  const files = new Map([
    ...groups.flatMap(([group, some]) => [
      [`${group}.text.txt`, textsOf(some)] as const,
      [`${group}.blocks.txt`, outlinesOf(some)] as const,
      [`${group}.plain.txt`, plainOf(plain.scenes[group], some)] as const,
    ]),
    ['lines.terminal.txt', terminal],
    ['lines.csv.txt', listOf(exports.csv)],
    ['lines.json.txt', listOf(exports.json)],
    ['tools.txt', listOf(tools)],
  ]);
  const headings = scenes.lines.flatMap(({ steps }) => steps.map(({ heading }) => heading));
  const calls = tools.map(({ heading }) => heading);
  const broken = brokenIn(Object.values(scenes).flat());
  const faults = [...broken, ...wordingFaults(files), ...missingFrom({ lines: headings, calls, kinds })];
  return { files, faults };
}

/** Words that people don't read any more, and more than five buttons in a row. */
function wordingFaults(files: ReadonlyMap<string, string>): string[] {
  const refused =
    /\b(?:vessel|ship|port|list) views?\b|zone assumed|\(was \d|[\u2580-\u259F]|(?:\n {6}\[[^\n]*){6}/;
  return [...files].flatMap(([name, text]) => {
    const [found] = refused.exec(text) ?? [];
    return found === undefined ? [] : [`${name}: ${found.trim()}`];
  });
}

export const makeWorkersPart = async (): Promise<WorkersPart> => ({
  plain: await play({ isPlain: true }),
  terminal: listOf(await askInTerminal()),
});

async function play(options: { isPlain: boolean }): Promise<Played> {
  const { scenes: lines, exports } = await runLines(options);
  const scenes: Record<Group, Scene[]> = {
    lines,
    alerts: [],
    digests: [],
    forms: [],
    home: [],
    elsewhere: [],
  };
  const kinds = new Set<string>();
  for (const [group, some] of Object.entries(stories)) {
    const played = await playStories(some, options);
    scenes[group as keyof typeof stories] = played.scenes; // a key of `stories`
    for (const kind of played.kinds) kinds.add(kind);
  }
  const installation = await playInstallation(options);
  scenes.elsewhere.push(installation.scene);
  for (const kind of installation.kinds) kinds.add(kind);
  return { scenes, exports, kinds: [...kinds] };
}

/** `worker.ts` sends one message. */
function inWorker(): Promise<WorkersPart> {
  const { promise, resolve, reject } = Promise.withResolvers<WorkersPart>();
  const worker = new Worker(new URL('worker.ts', import.meta.url));
  worker.once('message', resolve);
  worker.once('error', reject);
  return promise;
}
