// `npm run pictures` takes the pictures of the docs again, or only some of them: `npm run pictures -- nextport alert`.
// With `--proofs DIR`, they go to DIR for you to look at: light and dark, as wide as a desk's and a phone's screen, and
// each also as it looks where Slack refuses the newer blocks. Chromium is found as in the browser tests.
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { launchBrowser, noBrowser } from '../test/support/browser.ts';
import { pictures, scenes } from './pictures/list.ts';
import { type Look, looks, plainBlocks } from './pictures/looks.ts';
import type { Picture, Scene } from './pictures/picture.ts';
import { onStage } from './pictures/stage.ts';
import { perform, shoot } from './pictures/steps.ts';

if (noBrowser) throw new Error(noBrowser);
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { proofs: { type: 'string' } },
});
const unknown = positionals.filter((name) => !pictures.some((picture) => picture.name === name));
if (unknown.length > 0) throw new Error(`no such pictures: ${unknown.join(', ')}`);
const isWanted = ({ name }: { name: string }) => positionals.length === 0 || positionals.includes(name);

const proofs = values.proofs && pathToFileURL(`${resolve(values.proofs)}/`);
const directory = proofs || new URL('../docs/images/', import.meta.url);
mkdirSync(directory, { recursive: true });

async function take(browser: Browser, scene: Scene, refusedBlocks: string[]): Promise<void> {
  const last = scene.pictures.findLastIndex(isWanted);
  if (last < 0) return;
  await onStage(browser, scene, async (stage) => {
    stage.started.playground?.faults.refuseBlocks(refusedBlocks);
    for (const picture of scene.pictures.slice(0, last + 1)) {
      try {
        for (const step of picture.steps) await perform(step, stage);
        if (!isWanted(picture)) continue;
        for (const look of proofs ? looks : looks.slice(0, 1)) {
          const bytes = await shoot(picture.shot, stage, { ...look, type: proofs ? 'png' : 'webp' });
          const name = proofs ? proofName(picture, refusedBlocks.length > 0, look) : `${picture.name}.webp`;
          writeFileSync(new URL(name, directory), bytes);
          process.stdout.write(`${name}: ${Math.round(bytes.length / 1000)} kB\n`);
        }
      } catch (cause) {
        throw new Error(`the picture ${picture.name} can't be taken`, { cause });
      }
    }
  });
}

function proofName({ name }: Picture, isPlain: boolean, { scheme, widthPx }: Look): string {
  return `${name}${isPlain ? '-plain' : ''}-${scheme}-${widthPx}.png`;
}

const browser = await launchBrowser();
try {
  for (const scene of scenes)
    for (const refusedBlocks of proofs ? [[], plainBlocks] : [[]]) await take(browser, scene, refusedBlocks);
} finally {
  await browser.close();
}
// A timer of the closed socket would keep the process alive for half a minute.
process.exit(0);
