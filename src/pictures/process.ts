// The process that draws. drawer.ts starts it, gives it one map after the other, and ends it.
import { enableCompileCache } from 'node:module';
import { setPriority } from 'node:os';

enableCompileCache();
const { createDraw } = await import('./draw.ts');

// The bot goes first where they share a processor.
setPriority(10);
const draw = createDraw();
let drawings = 0;

process.on('message', (map: Parameters<typeof draw>[0]) => {
  process.send?.(drawn(map));
  drawings += 1;
  // V8 doesn't see the memory of resvg (resvg-js#216), so without this it grows by some 10 MB a picture.
  if (drawings % 3 === 0) globalThis.gc?.();
});
process.on('disconnect', () => process.exit());

function drawn(map: Parameters<typeof draw>[0]): { png: Uint8Array } | { error: string } {
  try {
    return { png: draw(map) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
