import { createLand } from './drawing/land.ts';
import { mapSvg } from './drawing/map-svg.ts';
import { createPngRenderer } from './drawing/png.ts';
import type { MapPicture } from './map-picture.ts';

/** Returns a function that draws maps as PNG. It blocks the process for some 100 ms, and needs 150 MB. */
export function createDraw(): (map: MapPicture) => Uint8Array {
  const land = createLand();
  const render = createPngRenderer();
  return (map) => render(mapSvg(map, land));
}
