// `npm run pictures` takes the pictures of the docs again, or only some of them: `npm run pictures -- nextport alert`.
// Chromium is found as in the browser tests.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { launchBrowser, noBrowser } from '../test/support/playground-page-browser.ts';
import { pictures, scenes } from './pictures/list.ts';
import { onStage } from './pictures/stage.ts';
import { perform, shoot } from './pictures/steps.ts';

if (noBrowser) throw new Error(noBrowser);
const { positionals } = parseArgs({ allowPositionals: true });
const unknown = positionals.filter((name) => !pictures.some((picture) => picture.name === name));
if (unknown.length > 0) throw new Error(`no such pictures: ${unknown.join(', ')}`);
const isWanted = ({ name }: { name: string }) => positionals.length === 0 || positionals.includes(name);

const browser = await launchBrowser();
try {
  for (const scene of scenes) {
    const last = scene.pictures.findLastIndex(isWanted);
    if (last < 0) continue;
    await onStage(browser, scene, async (stage) => {
      for (const picture of scene.pictures.slice(0, last + 1)) {
        try {
          for (const step of picture.steps) await perform(step, stage);
          if (!isWanted(picture)) continue;
          const bytes = await shoot(picture.shot, stage);
          writeFileSync(new URL(`../docs/images/${picture.name}.webp`, import.meta.url), bytes);
          process.stdout.write(`${picture.name}: ${Math.round(bytes.length / 1000)} kB\n`);
        } catch (cause) {
          throw new Error(`the picture ${picture.name} can't be taken`, { cause });
        }
      }
    });
  }
} finally {
  await browser.close();
}
// A timer of the closed socket would keep the process alive for half a minute.
process.exit(0);
